#!/usr/bin/env bash
# Formats all C++ files in place; with --check, only lists those that differ.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
if [[ ${1:-} == --check ]]; then
  mode=(--dry-run --Werror)
fi

# A file that is tracked but deleted is still listed; skip it.
git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.hpp' |
  while IFS= read -r -d '' file; do
    if [[ -f $file ]]; then printf '%s\0' "$file"; fi
  done | sort --zero-terminated --unique |
  xargs --null --no-run-if-empty clang-format-19 "${mode[@]}" --
