# Writes OUTPUT, a header that names the commit of SOURCE, unless it does so already.
cmake_policy(VERSION 3.22)
execute_process(
  COMMAND git describe --always --dirty --abbrev=12
  WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define HOTSEAT_BENCH_COMMIT \"@commit@\"\n" @ONLY)
