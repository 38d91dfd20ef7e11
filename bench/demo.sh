#!/usr/bin/env bash
# Shows the three hand-offs side by side in about a minute: a table and a plot of them, and a page
# with all that the paper measures.  `make demo` builds what it needs first.
set -euo pipefail
cd "$(dirname "$0")/.."

program=build/demo/bench/hotseat-bench
results=bench/results/demo
if [[ ! -x $program ]]; then
  echo "demo: no $program; run 'make demo', which builds it" >&2
  exit 1
fi
mkdir -p "$results"

cat <<'TEXT'
5000 tasks share one mutex.  Each draws a prime, inserts it into a shared map inside the
section, and then factors it outside, in parallel.  Three ways to pass the mutex on:

  exchange       the next task continues right here, the one that left moves elsewhere
  dispatch       the next task goes into a queue, as in most libraries
  resume_inline  the next task runs inside the unlock, as in cppcoro and libcoro

This takes about a minute.

TEXT

# Up to twice as many workers as CPUs, at least up to 4.
workers=1
for ((count = 2; count <= 4 || count <= 2 * $(nproc); count *= 2)); do
  workers+=,$count
done

"$program" mutex --workers "$workers" --iterations 60 --repetitions 5 --output "$results/mutex.json"
echo
"$program" queuing-delay --tasks 2,16,256 --repetitions 5 --output "$results/queuing-delay.json"
echo
"$program" validation --iterations 20 --mutexes 1,4,64,1024 --repetitions 4 --output "$results/validation.json"

echo
bench/plot.py "$results/mutex.json" >/dev/null
echo "plot:    $PWD/$results/throughput.svg"
echo "numbers: $PWD/$results/*.json"
# Prints where the page is, and the three numbers to remember.
"$program" report "$results" --output "$results/report.html"
