# The options.  By default only the library is built; the presets for developers, in
# CMakePresets.json, enable the rest.
option(HOTSEAT_BUILD_TESTS "Build the tests" OFF)
set(HOTSEAT_UNIT_TESTS
  platform core trace sched sync task runtime fiber explore simulate conformance misuse model bench
  CACHE STRING
  "Which tests to build, besides the stress tests: layers, conformance, misuse, model, bench")
set(HOTSEAT_STRESS_TESTS "" CACHE STRING "Which stress tests to build, such as mutex; empty: all")
option(HOTSEAT_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(HOTSEAT_BUILD_EXAMPLES "Build the examples" OFF)
option(HOTSEAT_BUILD_INTEGRATIONS "Build what hotseat is put into: LevelDB" OFF)
option(HOTSEAT_WITH_EXPLORER
  "Build the components explored and simulated, which need Boost.Context" OFF)
set(HOTSEAT_WITH_FIBER AUTO CACHE STRING
  "Build the component fiber, which needs Boost.Context: AUTO, ON or OFF")
set_property(CACHE HOTSEAT_WITH_FIBER PROPERTY STRINGS AUTO ON OFF)
option(HOTSEAT_WITH_BOOST_FIBER "Add the component boost_fiber, headers only, if Boost.Fiber is there"
  ${PROJECT_IS_TOP_LEVEL})
option(HOTSEAT_WITH_ASIO "Add the component asio, headers only, if Asio is there" ${PROJECT_IS_TOP_LEVEL})
set(HOTSEAT_EXPLORED_FLAGS -O2 CACHE STRING "Compiler flags for what is explored")
option(HOTSEAT_WITH_TRACE "Let programs record who ran where; off: not even a branch is left" ON)
option(HOTSEAT_INSTALL "Add install rules" ${PROJECT_IS_TOP_LEVEL})
option(HOTSEAT_WERROR "Treat warnings in our own targets as errors" OFF)

set(HOTSEAT_SANITIZE "" CACHE STRING "Sanitizers for our own targets")
set_property(CACHE HOTSEAT_SANITIZE PROPERTY STRINGS "" "address,undefined" "thread")

set(HOTSEAT_WITH_HWLOC AUTO CACHE STRING "Read the topology with hwloc: AUTO, ON or OFF")
set_property(CACHE HOTSEAT_WITH_HWLOC PROPERTY STRINGS AUTO ON OFF)

set(HOTSEAT_HWLOC_FOUND FALSE)
if(HOTSEAT_WITH_HWLOC STREQUAL "AUTO")
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(HWLOC QUIET IMPORTED_TARGET hwloc>=2)
    set(HOTSEAT_HWLOC_FOUND ${HWLOC_FOUND})
  endif()
elseif(HOTSEAT_WITH_HWLOC)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc>=2)
  set(HOTSEAT_HWLOC_FOUND TRUE)
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  find_program(HOTSEAT_CCACHE ccache)
  if(HOTSEAT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths relative to the checkout: any other clone can reuse what this one has compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${HOTSEAT_CCACHE})
  endif()
endif()

# Fibers and the machines that are not real switch stacks with Boost.Context.
set(HOTSEAT_BUILD_EXPLORER FALSE)
set(HOTSEAT_BUILD_FIBER FALSE)
if(HOTSEAT_WITH_EXPLORER OR HOTSEAT_WITH_FIBER)
  find_package(Boost QUIET COMPONENTS context)
  if(TARGET Boost::context)
    set(HOTSEAT_BUILD_EXPLORER ${HOTSEAT_WITH_EXPLORER})
    if(HOTSEAT_WITH_FIBER)
      set(HOTSEAT_BUILD_FIBER TRUE)
    endif()
  elseif(HOTSEAT_WITH_EXPLORER)
    message(FATAL_ERROR "HOTSEAT_WITH_EXPLORER is ON, but Boost.Context was not found")
  elseif(NOT HOTSEAT_WITH_FIBER STREQUAL "AUTO")
    message(FATAL_ERROR "HOTSEAT_WITH_FIBER is ON, but Boost.Context was not found")
  else()
    message(STATUS "fibers disabled: Boost.Context not found")
  endif()
endif()
