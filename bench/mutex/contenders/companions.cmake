# Contenders of hotseat-bench mutex in other languages: programs beside it.  Where the tools or
# packages of one are missing, CMake says so and leaves it out.  Nothing is downloaded.
set(companions ${CMAKE_CURRENT_LIST_DIR})
if(NOT TARGET hotseat-bench)
  return()
endif()

# hotseat-bench looks for the program beside itself, so they are built together.
function(hotseat_add_companion name)
  add_custom_target(build_${name} ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_dependencies(hotseat-bench build_${name})
endfunction()

find_program(HOTSEAT_GO go)
if(HOTSEAT_GO)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/contender_go
    COMMAND ${CMAKE_COMMAND} -E chdir ${companions}/go
      ${CMAKE_COMMAND} -E env GOFLAGS=-buildvcs=false GOPROXY=off GOTOOLCHAIN=local
      GOCACHE=${CMAKE_CURRENT_BINARY_DIR}/go_cache
      ${HOTSEAT_GO} build -o ${CMAKE_CURRENT_BINARY_DIR}/contender_go .
    DEPENDS ${companions}/go/main.go ${companions}/go/go.mod
    COMMENT "Building contender_go" VERBATIM)
  hotseat_add_companion(contender_go)
else()
  message(STATUS "benchmarks: hotseat-bench mutex without Go, which was not found")
endif()

# cargo writes beside its sources, so it gets a copy.  Whether it finds all crates is asked of cargo
# first, since no version of it can tell from the files.
find_program(HOTSEAT_CARGO cargo)
set(HOTSEAT_HAS_TOKIO FALSE)
if(HOTSEAT_CARGO)
  set(tokio_build ${CMAKE_CURRENT_BINARY_DIR}/tokio)
  foreach(file Cargo.toml .cargo/config.toml src/main.rs)
    configure_file(${companions}/tokio/${file} ${tokio_build}/${file} COPYONLY)
    list(APPEND tokio_sources ${tokio_build}/${file})
  endforeach()
  execute_process(COMMAND ${HOTSEAT_CARGO} metadata --offline --format-version 1
    WORKING_DIRECTORY ${tokio_build} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(HOTSEAT_HAS_TOKIO TRUE)
  endif()
endif()
if(HOTSEAT_HAS_TOKIO)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/contender_tokio
    COMMAND ${CMAKE_COMMAND} -E chdir ${tokio_build}
      ${HOTSEAT_CARGO} build --release --offline --quiet --target-dir ${tokio_build}/target
    COMMAND ${CMAKE_COMMAND} -E copy ${tokio_build}/target/release/contender_tokio
      ${CMAKE_CURRENT_BINARY_DIR}/contender_tokio
    DEPENDS ${tokio_sources} COMMENT "Building contender_tokio" VERBATIM)
  hotseat_add_companion(contender_tokio)
else()
  message(STATUS
    "benchmarks: hotseat-bench mutex without Tokio, for cargo or librust-tokio-dev was not found")
endif()
