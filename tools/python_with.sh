#!/usr/bin/env bash
# Prints the name of a Python that has a module:  python_with.sh matplotlib
# Debian's own has the packages that make deps installs; the first one in the path may not.
set -euo pipefail
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c "import $1" 2>/dev/null; then
    echo "$candidate"
    exit 0
  fi
done
echo "python_with: no Python has $1 (Debian: python3-$1)" >&2
exit 1
