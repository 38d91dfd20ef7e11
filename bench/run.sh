#!/usr/bin/env bash
# Runs every benchmark once and keeps the results: `make bench`.  Takes about ten minutes.
# Arguments, or BENCH_ARGS of make, go to hotseat-bench all: --short, for example.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=build/release-clang/bench
results=bench/results/$(date +%Y-%m-%d)
if [[ ! -x $programs/hotseat-bench ]]; then
  echo "bench: no $programs/hotseat-bench; run 'make bench', which builds it" >&2
  exit 1
fi
mkdir -p "$results"

"$programs/hotseat-bench" all --output "$results" "$@"
"$programs/hotseat-bench" mutex --range small --output "$results/mutex_small.json"
"$programs/hotseat-bench" tight-loop --section-ns 50 --parallel-ns 0 --handoffs exchange,with_lock \
  --output "$results/delegated.json"
"$programs/bench_micro" --benchmark_out="$results/micro.json" --benchmark_out_format=json
echo "results are in $results"
"$programs/hotseat-bench" report "$results" --output "$results/report.html"
