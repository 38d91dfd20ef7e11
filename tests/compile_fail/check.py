#!/usr/bin/env python3
"""Checks that a file does not compile, for the reason it names.

    check.py FILE -- COMPILER ARGUMENT...

The file holds one or more lines `// EXPECT-ERROR: regex`; the compiler must fail, and each
regex must be found in what it prints.
"""

import os
import re
import subprocess
import sys
from pathlib import Path


def main() -> str | None:
    source, command = sys.argv[1], sys.argv[sys.argv.index("--") + 1 :]
    expected = re.findall(r"^// EXPECT-ERROR: (.+)$", Path(source).read_text(), re.MULTILINE)
    if not expected:
        return f"{source}: no line `// EXPECT-ERROR: regex`"
    result = subprocess.run(
        [*command, "-fsyntax-only", source],
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == 0:
        return f"{source}: compiles, but must not"
    # The compilers quote the source line; an expectation must not be found in itself.
    output = "\n".join(l for l in result.stderr.splitlines() if "EXPECT-ERROR" not in l)
    for regex in expected:
        if not re.search(regex, output):
            return f"{output}\n{source}: fails, but without a message like: {regex}"
    return None


if __name__ == "__main__":
    sys.exit(main())
