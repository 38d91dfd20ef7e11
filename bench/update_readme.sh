#!/usr/bin/env bash
# Repeats the measurements in the README, draws them and rewrites the numbers: `make readme`, which
# builds first.  Takes five minutes; nothing else should run.  Commit before, so that the results
# name the commit they belong to.
set -euo pipefail
cd "$(dirname "$0")/.."

program=build/release-clang/bench/hotseat-bench
if [[ ! -x $program ]]; then
  echo "update_readme: no $program; run 'make readme', which builds it" >&2
  exit 1
fi

results=docs/results
mkdir -p "$results"
drawn=$(mktemp -d)
trap 'rm -rf "$drawn"' EXIT

"$program" trace --output "$drawn"
cp "$drawn/timelines.json" "$results/timelines.json"
cp "$drawn/timelines.svg" docs/timelines.svg
"$program" mutex --workers 1,2,4,8 --repetitions 15 --output "$results/mutex.json"
bench/plot.py "$results/mutex.json" --output docs >/dev/null
bench/plot.py docs/simulated/*.json >/dev/null
tools/check_numbers.py --update
