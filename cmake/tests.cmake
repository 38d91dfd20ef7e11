# How the kinds of tests become targets and ctest entries.
set(HOTSEAT_TEST_TIMEOUT 600)  # A guard against hangs; no test relies on it.

# One executable of several gtest files; each test is an entry `<name>/<Suite>.<test>`.
function(hotseat_add_gtest name)
  add_executable(${name} ${ARGN})
  hotseat_target_defaults(${name})
  # "if (x) ASSERT_EQ(...)": the macro's own else is meant.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-dangling-else>)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE ${HOTSEAT_TEST_LIBRARIES} GTest::gtest_main)
  # One entry an executable: a thousand starts of a process are slow under a sanitizer.
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${HOTSEAT_TEST_TIMEOUT})
endfunction()

# The same against the library for another machine, such as `explored`.  Always optimized: it
# runs a million times.
function(hotseat_add_gtest_on machine name)
  add_executable(${name} ${ARGN})
  hotseat_target_defaults(${name})
  target_compile_options(${name} PRIVATE
    ${HOTSEAT_EXPLORED_FLAGS} $<$<CXX_COMPILER_ID:GNU>:-Wno-dangling-else>)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE hotseat::${machine} GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${HOTSEAT_TEST_TIMEOUT})
endfunction()

# A program of one file, contract/<name>.cpp, that links what its users link and no more.
function(hotseat_add_contract name target)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/contract/${name}.cpp)
  hotseat_target_defaults(${name})
  target_link_libraries(${name} PRIVATE ${target})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${HOTSEAT_TEST_TIMEOUT})
endfunction()

# One executable and one entry; its size follows the environment's HOTSEAT_STRESS_SCALE.
function(hotseat_add_stress source)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  hotseat_target_defaults(${name})
  # "if (x) ASSERT_EQ(...)": the macro's own else is meant.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-dangling-else>)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${HOTSEAT_TEST_LIBRARIES} GTest::gtest_main)
  add_test(NAME stress/${name} COMMAND ${name})
  set_tests_properties(stress/${name} PROPERTIES LABELS stress TIMEOUT ${HOTSEAT_TEST_TIMEOUT})
endfunction()

# A file that must not compile, with the message it names.
function(hotseat_add_compile_fail source)
  get_filename_component(name ${source} NAME_WE)
  add_test(NAME compile_fail/${name} COMMAND
    ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/compile_fail/check.py ${source}
    -- ${CMAKE_CXX_COMPILER} -std=c++20 -I${PROJECT_SOURCE_DIR}/include -Wall -Wextra -Werror)
endfunction()

# Each example is a program that must exit with 0.
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
        hotseat::hotseat $<TARGET_NAME_IF_EXISTS:hotseat::fiber>)
    endif()
    add_test(NAME example/${name} COMMAND example_${name})
    set_tests_properties(example/${name} PROPERTIES TIMEOUT ${HOTSEAT_TEST_TIMEOUT})
  endforeach()
endfunction()
