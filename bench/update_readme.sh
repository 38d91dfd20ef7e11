#!/usr/bin/env bash
# Measures again what the README shows, draws it and rewrites its numbers: `make readme`, which
# builds first.  Three minutes; nothing else should run.  Commit before, so that the results carry
# the commit they are of.
set -euo pipefail
cd "$(dirname "$0")/.."

program=build/release-clang/bench/hotseat-bench
if [[ ! -x $program ]]; then
  echo "update_readme: no $program; run 'make readme', which builds it" >&2
  exit 1
fi
# Debian's own Python has the packages that make deps installs; the first one may not.
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import matplotlib' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [[ -z $python ]]; then
  echo "update_readme: python3-matplotlib is not installed" >&2
  exit 1
fi

results=docs/results
mkdir -p "$results"
drawn=$(mktemp -d)
trap 'rm -rf "$drawn"' EXIT

"$program" trace --output "$drawn"
cp "$drawn/timelines.json" "$results/timelines.json"
cp "$drawn/timelines.svg" docs/timelines.svg
"$program" mutex --workers 1,2,4,8 --repetitions 7 --output "$results/mutex.json"
"$python" bench/plot.py "$results/mutex.json" --output "$drawn" >/dev/null
cp "$drawn/throughput.svg" docs/throughput.svg
tools/check_numbers.py --update
