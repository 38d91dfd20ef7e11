#!/usr/bin/env python3
"""Checks that each header with behaviour has its test.

    check_mirrors.py [ROOT]

include/hotseat/<layer>/[detail/]X.hpp is tested by a file of tests/unit/<layer>/ that includes it,
mostly X_test.cpp.  The machines behind the seam, platform/<machine>/X.hpp, are tested by name:
tests/unit/platform/ has a file for each thing that the seam offers.  A header without functions,
such as an enumeration or a list of includes, needs no test.
"""

import re
import sys
from pathlib import Path


def has_behaviour(header: Path) -> bool:
    """Whether it declares a function: then a parenthesis remains without comments and includes."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/|^#include[^\n]*", "", header.read_text(), flags=re.DOTALL | re.MULTILINE)
    return "(" in code


def is_tested(root: Path, layer: str, place: Path) -> bool:
    include = f"#include <hotseat/{place}>"
    return any(include in test.read_text() for test in (root / "tests/unit" / layer).glob("*_test.cpp"))


def check(root: Path) -> list[str]:
    problems = []
    for header in sorted((root / "include/hotseat").glob("*/**/*.hpp")):
        place = header.relative_to(root / "include/hotseat")
        layer, *folders = place.parent.parts
        is_machine = layer == "platform" and folders not in ([], ["detail"])
        if not is_machine and has_behaviour(header) and not is_tested(root, layer, place):
            problems.append(f"include/hotseat/{place}: no file of tests/unit/{layer}/ includes it")
    return problems


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check(root)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
