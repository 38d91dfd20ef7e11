#!/usr/bin/env bash
# Runs the benchmark of the Java library: `make bench-java`.  Takes some ten minutes.
# Arguments go to the benchmark; --help is not one of them, but anything unknown shows the list.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=build/java
if [[ ! -e $build/hotseat_bench.jar ]]; then
  echo "bench: no $build/hotseat_bench.jar; run 'make bench-java', which builds it" >&2
  exit 1
fi
java=$(sed -n 's/^Java_JAVA_EXECUTABLE:[A-Z]*=//p' $build/CMakeCache.txt)
results=bench/results/$(date +%Y-%m-%d)
mkdir -p "$results"
"$java" -cp "$build/hotseat.jar:$build/hotseat_bench.jar" org.hotseat.bench.Main \
  --output "$results/java_mutex.json" "$@"
echo "results are in $results/java_mutex.json"
