# How the kinds of tests become targets and ctest entries.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(HOTSEAT_TEST_TIMEOUT 600)  # A guard against hangs; no test relies on it.

# Test files per translation unit; 1 compiles each separately.  Most of what the compiler reads is the
# same for all of them.  docs/design/build.md has the measurement.
set(HOTSEAT_TEST_BATCH 8 CACHE STRING "Test files that are compiled together")

# Each test of a program becomes an entry `<program>/<file>/<Suite>.<test>`.  A sanitized program takes
# 40 ms to start, longer than most tests run: there each suite becomes an entry.
function(hotseat_list_tests program)
  cmake_parse_arguments(list "" "REPORTS" "PROPERTIES" ${ARGN})
  set(options --properties TIMEOUT=${HOTSEAT_TEST_TIMEOUT} ${list_PROPERTIES})
  if(list_REPORTS)
    list(PREPEND options --reports ${list_REPORTS})
  endif()
  if(HOTSEAT_SANITIZE)
    list(PREPEND options --by-suite)
  endif()
  list(TRANSFORM options REPLACE "(.+)" "[==[\\1]==]")
  list(JOIN options " " options)
  file(READ ${PROJECT_SOURCE_DIR}/cmake/test_entries.cmake.in entries)
  string(CONFIGURE "${entries}" entries @ONLY)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${program}_entries.cmake)
  file(GENERATE OUTPUT ${script} CONTENT "${entries}")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()

# One executable of several gtest files:
# hotseat_add_gtest(<name> <sources> [ON <machine>] [LABEL <label>] [REPORTS <folder>] [PROPERTIES <name>=<value>...])
# Programs for other machines are always optimized: their code runs a million times.
function(hotseat_add_gtest name)
  cmake_parse_arguments(test "" "ON;LABEL;REPORTS" "PROPERTIES" ${ARGN})
  hotseat_batch(units ${name} ${HOTSEAT_TEST_BATCH} ${test_UNPARSED_ARGUMENTS})
  add_executable(${name} ${units})
  hotseat_target_defaults(${name})
  # g++ does not see that the macro's own else is meant in "if (x) ASSERT_EQ(...)", nor that an
  # anonymous namespace in a file of a batch is used nowhere else.
  target_compile_options(${name} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-dangling-else;-Wno-subobject-linkage>)
  target_include_directories(${name} PRIVATE
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  if(test_ON)
    target_compile_options(${name} PRIVATE ${HOTSEAT_EXPLORED_FLAGS})
    target_link_libraries(${name} PRIVATE hotseat::${test_ON} GTest::gtest_main)
  else()
    target_link_libraries(${name} PRIVATE ${HOTSEAT_TEST_LIBRARIES} GTest::gtest_main)
  endif()
  if(test_LABEL)
    # Labelled tests take long, so they start first: the processors stay busy to the end.
    list(APPEND test_PROPERTIES LABELS=${test_LABEL} COST=10)
  endif()
  hotseat_list_tests(${name} REPORTS "${test_REPORTS}" PROPERTIES ${test_PROPERTIES})
endfunction()

# A program of one file, contract/<name>.cpp, that links what users link and no more.
function(hotseat_add_contract name target)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/contract/${name}.cpp)
  hotseat_target_defaults(${name})
  target_link_libraries(${name} PRIVATE ${target})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${HOTSEAT_TEST_TIMEOUT})
endfunction()

# Files that must not compile, with the messages they name.  The header that all of them include is
# compiled once, before them.
function(hotseat_add_compile_fail)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/compile_fail/hotseat.hpp)
  file(CONFIGURE OUTPUT ${header} CONTENT "#include <hotseat/hotseat.hpp>\n")
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    set(compiled ${header}.pch)
    set(use -include-pch ${compiled})
  else()
    set(compiled ${header}.gch)
    set(use -include ${header})
  endif()
  set(compile ${CMAKE_CXX_COMPILER} -std=c++20 -I${PROJECT_SOURCE_DIR}/include -Wall -Wextra -Werror)
  add_test(NAME compile_fail/header COMMAND ${compile} -x c++-header ${header} -o ${compiled})
  set_tests_properties(compile_fail/header PROPERTIES FIXTURES_SETUP compile_fail_header)
  foreach(source IN LISTS ARGN)
    get_filename_component(name ${source} NAME_WE)
    add_test(NAME compile_fail/${name} COMMAND
      ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/compile_fail/check.py ${source} -- ${compile} ${use})
    set_tests_properties(compile_fail/${name} PROPERTIES FIXTURES_REQUIRED compile_fail_header)
  endforeach()
endfunction()

# Each example is a program that must exit with 0.
# hotseat_add_examples(<folder> [<target>...]): each links the targets, too.
function(hotseat_add_examples folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT HOTSEAT_BUILD_EXPLORER)
    list(FILTER sources EXCLUDE REGEX "_(explore|simulate)\\.cpp$")
  endif()
  if(NOT HOTSEAT_BUILD_FIBER)
    list(FILTER sources EXCLUDE REGEX "_fibers\\.cpp$")
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    hotseat_target_defaults(example_${name})
    if(name MATCHES "_(explore|simulate)$")
      target_link_libraries(example_${name} PRIVATE hotseat::${CMAKE_MATCH_1}d)
    else()
      target_link_libraries(example_${name} PRIVATE
        ${ARGN} hotseat::hotseat $<TARGET_NAME_IF_EXISTS:hotseat::fiber>)
    endif()
    add_test(NAME example/${name} COMMAND example_${name})
    set_tests_properties(example/${name} PROPERTIES TIMEOUT ${HOTSEAT_TEST_TIMEOUT})
  endforeach()
endfunction()
