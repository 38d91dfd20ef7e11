#!/usr/bin/env bash
# Runs the benchmark of the Java library: `make bench-java`.  Takes some ten minutes.
# Arguments go to the benchmark; `build/java/bench_java --help` shows them.
set -euo pipefail
cd "$(dirname "$0")/../.."

program=build/java/bench_java
if [[ ! -x $program ]]; then
  echo "bench: no $program; run 'make bench-java', which builds it if there is a JDK 21" >&2
  exit 1
fi
results=bench/results/$(date +%Y-%m-%d)
mkdir -p "$results"
"$program" --output "$results/java.json" "$@"
echo "results are in $results/java.json"
