# The lock under an explorer of schedules: its sources beside a modelled machine, and mutants of them.
file(GLOB_RECURSE explore_sources CONFIGURE_DEPENDS explore/*.java)
add_jar(hotseat_explore SOURCES ${explore_sources})
get_target_property(explore hotseat_explore JAR_FILE)
set(explorer ${Java_JAVA_EXECUTABLE} --add-exports java.base/jdk.internal.vm=ALL-UNNAMED
  -XX:+UseSerialGC -cp ${explore} org.hotseat.explore.Main)

# The command of the README, for longer runs and replays.
list(JOIN explorer "\" \"" quoted)
file(CONFIGURE OUTPUT explore_java @ONLY CONTENT [[#!/bin/sh
[ $# -gt 0 ] || set -- help
command=$1
shift
exec "@quoted@" "$command" "@CMAKE_CURRENT_SOURCE_DIR@" "@CMAKE_CURRENT_BINARY_DIR@/$command" "$@"
]])
file(CHMOD ${CMAKE_CURRENT_BINARY_DIR}/explore_java PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

foreach(name IN ITEMS models mutants)
  add_test(NAME java/${name} COMMAND ${CMAKE_CURRENT_BINARY_DIR}/explore_java ${name})
  # A guard against hangs; and for so few schedules the better compiler does not pay.
  set_tests_properties(java/${name} PROPERTIES TIMEOUT 600
    ENVIRONMENT JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1)
endforeach()
