#!/usr/bin/env bash
# Checks the code without running it.  Cheap checks first.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "-- self-tests of the checkers"
python3 -m unittest discover --quiet --start-directory tools/tests
echo "-- format"
tools/format.sh --check
echo "-- layers"
tools/check_layers.py
echo "-- mirrors"
tools/check_mirrors.py
echo "-- snippets"
tools/check_snippets.py
echo "-- numbers"
tools/check_numbers.py
echo "-- clang-tidy"
tools/tidy.py
