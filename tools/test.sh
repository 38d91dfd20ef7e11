#!/usr/bin/env bash
# The whole of CI: lint, then build and test in each lane.  Stops at the first lane that fails.
#
#     test.sh             all lanes
#     test.sh LANE...     these lanes: lint, java, or a preset of CMakePresets.json
#
# The last line has the form "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

all_lanes=(lint release-clang dev-gcc asan-clang tsan-clang java)
lanes=("${@:-${all_lanes[@]}}")

# How much of each stress test a lane runs.  HOTSEAT_STRESS_SCALE multiplies all of them.
declare -A stress_scale=(
  [release-clang]=0.2 [dev-gcc]=0.05 [asan-clang]=0.02 [tsan-clang]=0.02
  [release-gcc]=0.2 [asan-gcc]=0.02 [tsan-gcc]=0.02
)
factor=${HOTSEAT_STRESS_SCALE:-1}
# The share of its random schedules that each model runs; exhaustive searches run to their end.  Most
# mutants are noticed within a twentieth of them (docs/design/mutants.md).
explore_scale=${HOTSEAT_EXPLORE_SCALE:-0.45}

# Unit tests in each lane: all in the one that compiles them quickly, with assertions.  Under the
# sanitizers those that can find something there: few under the thread sanitizer, since most unit
# tests have one thread.  Models run where they are fast.
declare -A unit_tests=(
  [release-clang]="explore;simulate;model;bench"
  [dev-gcc]="platform;core;trace;sched;sync;task;runtime;fiber;conformance;misuse"
  [asan-clang]="sched;sync;task;runtime;fiber;conformance"
  [tsan-clang]="platform;sched;runtime;fiber"
  [asan-gcc]="fiber" [tsan-gcc]="fiber"
)
# The sanitizers of g++ are informed of stack switches by the same code, but differ from clang's.
declare -A stress_tests=([asan-gcc]=fiber [tsan-gcc]=fiber)
passed=0
failed=0

# Adds the ctest results of a lane to the totals.
count() {
  local numbers
  numbers=$(python3 - "$1" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
cases = tree.parse(sys.argv[1]).getroot().findall("testcase")
status = [case.get("status") for case in cases]
print(status.count("run"), status.count("fail"))
PYTHON
  ) || return 0
  passed=$((passed + ${numbers% *}))
  failed=$((failed + ${numbers#* }))
}

# A separate project.  Without a JDK it has no tests, and CMake says so.
run_java() {
  local report=$1
  cmake -S integrations/java -B build/java -G Ninja && cmake --build build/java || return
  rm -f "$report"
  local status=0
  ctest --test-dir build/java --output-on-failure --parallel "$(nproc)" --output-junit "$PWD/$report" ||
    status=$?
  count "$report"
  return "$status"
}

run_lane() {
  local lane=$1 report=build/$1/ctest.xml
  if [[ $lane == lint ]]; then
    tools/lint.sh
    return
  fi
  if [[ $lane == java ]]; then
    run_java "$report"
    return
  fi
  local chosen=()
  if [[ -v unit_tests[$lane] ]]; then chosen=("-DHOTSEAT_UNIT_TESTS=${unit_tests[$lane]}"); fi
  chosen+=("-DHOTSEAT_STRESS_TESTS=${stress_tests[$lane]:-}")
  # The release lane also builds the integrations, the benchmarks and the machines that are not real.
  if [[ $lane != release-* ]]; then
    chosen+=(-DHOTSEAT_BUILD_INTEGRATIONS=OFF -DHOTSEAT_WITH_BOOST_FIBER=OFF)
  fi
  if [[ $lane == dev-* ]]; then
    chosen+=(-DHOTSEAT_BUILD_BENCHMARKS=OFF -DHOTSEAT_WITH_EXPLORER=OFF)
  fi
  cmake --preset "$lane" "${chosen[@]}" && cmake --build --preset "$lane" || return
  rm -f "$report"
  local scale
  scale=$(awk "BEGIN { print ${stress_scale[$lane]:-0.2} * $factor }")
  # The thread sanitizer of g++ 12 does not start if too many address bits are randomised.
  local launcher=()
  if [[ $lane == tsan-* ]] && setarch --addr-no-randomize true 2>/dev/null; then
    launcher=(setarch --addr-no-randomize)
  fi
  local status=0 explored=build/$lane/tests/explored
  rm -rf "$explored"
  # A minute of random bytes for a server that has changed since its last one, and ten seconds otherwise.
  local fuzzer=build/$lane/examples/kv_server/tests/kv_fuzz fuzzed=build/$lane/fuzzed fuzz_seconds=10
  if [[ $fuzzer -nt $fuzzed ]]; then fuzz_seconds=60; fi
  HOTSEAT_STRESS_SCALE=$scale HOTSEAT_EXPLORE_SCALE=$explore_scale HOTSEAT_FUZZ_SECONDS=$fuzz_seconds \
    "${launcher[@]}" \
    ctest --preset "$lane" --parallel "$(nproc)" --progress --output-junit "$PWD/$report" || status=$?
  if ((status == 0)); then touch "$fuzzed"; fi
  count "$report"
  # Where the models run, they must have explored enough, and must notice the mutants.
  if ((status == 0)) && [[ ";${unit_tests[$lane]:-};" == *";model;"* ]]; then
    tools/count_schedules.py "$explored" && tools/mutants.py "build/$lane" --short || status=$?
  fi
  return "$status"
}

finish() {
  echo "$passed passed, $failed failed"
  exit $((failed > 0))
}

for lane in "${lanes[@]}"; do
  echo "== $lane"
  start=$SECONDS
  failed_before=$failed
  if run_lane "$lane"; then
    echo "== $lane: ok, $((SECONDS - start)) s"
  else
    echo "== $lane: FAILED, $((SECONDS - start)) s"
    # A failed lint or build, or a missing program, is a failure, too.
    if ((failed == failed_before)); then failed=$((failed + 1)); fi
    finish
  fi
done
finish
