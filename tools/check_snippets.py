#!/usr/bin/env python3
"""Checks that code quoted from an example matches the example.

    check_snippets.py [ROOT]

In README.md and docs/guide/*.md a line `<!-- from examples/X.cpp -->` comes directly before a block
of cpp.  The block must be consecutive lines of that file, unchanged.
"""

import re
import sys
from pathlib import Path

MARK = re.compile(r"^<!--\s*from\s+(\S+)\s*-->\s*$")
FENCE = "```"


def is_slice(part: list[str], whole: list[str]) -> bool:
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))


def check_page(root: Path, page: Path) -> list[str]:
    problems = []
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        mark = MARK.match(line)
        if not mark:
            continue
        where = f"{page.relative_to(root)}:{number}"
        source = root / mark[1]
        if lines[number : number + 1] != [FENCE + "cpp"]:
            problems.append(f"{where}: no {FENCE}cpp follows")
        elif not source.is_file():
            problems.append(f"{where}: there is no {mark[1]}")
        elif FENCE not in lines[number + 1 :]:
            problems.append(f"{where}: the block does not end")
        else:
            part = lines[number + 1 : lines.index(FENCE, number + 1)]
            if not part:
                problems.append(f"{where}: the block is empty")
            elif not is_slice(part, source.read_text(encoding="utf-8").splitlines()):
                problems.append(f"{where}: not in {mark[1]}, or not in this form")
    return problems


def check(root: Path) -> list[str]:
    pages = [root / "README.md", *sorted((root / "docs/guide").glob("**/*.md"))]
    return [problem for page in pages if page.is_file() for problem in check_page(root, page)]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check(root)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
