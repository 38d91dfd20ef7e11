#!/usr/bin/env bash
# Runs the benchmark of the Java library: `make bench-java`.  Takes about ten minutes.
# Arguments go to the benchmark; `build/java/bench_java --help` shows them.  Without --output the
# results go into bench/results.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

program=$root/build/java/bench_java
if [[ ! -x $program ]]; then
  echo "bench: no $program; run 'make bench-java', which builds it if there is a JDK 21" >&2
  exit 1
fi

for argument in "$@"; do
  case $argument in
    --output | --output=* | --help) exec "$program" "$@" ;;
  esac
done
results=$root/bench/results/$(date +%Y-%m-%d)
mkdir -p "$results"
"$program" --output "$results/java.json" "$@"
echo "results are in $results/java.json"
