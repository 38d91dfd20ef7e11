# The lock under a schedule explorer: its sources beside a modelled machine, and mutants of them.
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
folder="@CMAKE_CURRENT_BINARY_DIR@/$command$HOTSEAT_EXPLORE_PROCESSORS"
exec "@quoted@" "$command" "@CMAKE_CURRENT_SOURCE_DIR@" "$folder" "$@"
]])
file(CHMOD ${CMAKE_CURRENT_BINARY_DIR}/explore_java PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# The timeout is a guard against hangs.  For so few schedules the better compiler does not pay.
function(hotseat_add_exploration name command)
  add_test(NAME java/${name} COMMAND ${CMAKE_CURRENT_BINARY_DIR}/explore_java ${command})
  set_tests_properties(java/${name} PROPERTIES TIMEOUT 600
    ENVIRONMENT "JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1;${ARGN}")
endfunction()

hotseat_add_exploration(models models)
hotseat_add_exploration(models_on_one_processor models
  "HOTSEAT_EXPLORE_PROCESSORS=1;HOTSEAT_EXPLORE_SCALE=0.1")
hotseat_add_exploration(mutants mutants)
