# The tests, with JUnit 5 as Debian packages it: a JVM and a ctest entry for each class.
set(junit_jars)
foreach(name IN ITEMS
    junit-jupiter-api junit-jupiter-engine junit-jupiter-params junit-platform-commons
    junit-platform-console junit-platform-engine junit-platform-launcher
    junit-platform-reporting opentest4j apiguardian-api picocli univocity-parsers
    opentest4j-reporting-events opentest4j-reporting-schema)
  find_jar(HOTSEAT_JAR_${name} ${name} PATHS /usr/share/java)
  if(NOT HOTSEAT_JAR_${name})
    message(STATUS "Java: no tests, for ${name}.jar was not found (Debian: junit5)")
    return()
  endif()
  list(APPEND junit_jars ${HOTSEAT_JAR_${name}})
endforeach()

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/*.java)
# The manifests of Debian's jars name missing files; a test may be interrupted.
list(APPEND CMAKE_JAVA_COMPILE_FLAGS -Xlint:-path,-classfile,-try)
add_jar(hotseat_tests SOURCES ${test_sources} INCLUDE_JARS hotseat_jar ${junit_jars})
get_target_property(tests hotseat_tests JAR_FILE)
list(JOIN junit_jars ":" junit_path)

function(hotseat_add_junit name)
  add_test(NAME java/${name} COMMAND ${Java_JAVA_EXECUTABLE} ${ARGN} -ea
    -cp ${library}:${tests}:${junit_path} org.junit.platform.console.ConsoleLauncher
    --disable-banner --disable-ansi-colors --details=tree --fail-if-no-tests
    --select-class org.hotseat.${name})
  set_tests_properties(java/${name} PROPERTIES TIMEOUT 600)  # A guard against hangs.
endfunction()

foreach(name IN ITEMS
    ExchangeLockTest ApiTest FairTest PinnedTest LimitsTest ExchangeConditionTest ExchangeSchedulerTest DebuggerTest)
  hotseat_add_junit(${name} ${opens})
endforeach()
hotseat_add_junit(WithoutFlagTest)
