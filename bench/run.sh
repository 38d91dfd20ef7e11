#!/usr/bin/env bash
# Runs every benchmark once and keeps the results: `make bench`.  Takes some ten minutes.
# BENCH_ARGS of make, or arguments here, go to hotseat-bench mutex and hotseat-bench tight-loop.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=build/release-clang/bench
results=bench/results/$(date +%Y-%m-%d)
if [[ ! -x $programs/hotseat-bench ]]; then
  echo "bench: no $programs/hotseat-bench; run 'make bench', which builds it" >&2
  exit 1
fi
mkdir -p "$results"

"$programs/hotseat-bench" mutex --range large --workers 1,2,4,8 --output "$results/mutex_large.json" "$@"
"$programs/hotseat-bench" mutex --range small --workers 1,2,4,8 --output "$results/mutex_small.json" "$@"
"$programs/hotseat-bench" section-length --output "$results/section_length.json"
"$programs/hotseat-bench" semaphore --output "$results/semaphore.json"
"$programs/hotseat-bench" queuing-delay --output "$results/queuing_delay.json"
"$programs/hotseat-bench" tight-loop --output "$results/tight_loop.json" "$@"
"$programs/hotseat-bench" tight-loop --section-ns 50 --parallel-ns 0 --handoffs exchange,with_lock \
  --output "$results/delegated.json"
"$programs/hotseat-bench" shared-mutex --output "$results/shared_mutex.json"
"$programs/hotseat-bench" channel --output "$results/channel.json"
"$programs/hotseat-bench" validation --output "$results/validation.json"
"$programs/bench_micro" --benchmark_out="$results/micro.json" --benchmark_out_format=json
echo "results are in $results"
