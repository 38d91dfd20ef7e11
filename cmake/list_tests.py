#!/usr/bin/env python3
"""Lists the tests of a gtest program as entries of ctest.

    list_tests.py PROGRAM OUTPUT [--by-suite] [--reports FOLDER] [--properties NAME=VALUE ...]

Writes a script for ctest with one entry for each test in the sources:

    <program>/<file>/<Suite>.<test>      <file> has no extension, and is omitted if it is the program's name

The instances of a parameterised or a typed test are one entry: their number depends on the parameters,
and a process for each would take longer than most of them run.  With --by-suite all tests of a suite are
one entry, `<program>/<file>/<Suite>`, for programs that are slow to start.  With --reports, each entry
writes gtest's report to FOLDER, as XML.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ENDING = re.compile(r"(_test)?\.cpp$")


def entries_of(listing: dict, program: str, by_suite: bool = False) -> dict[str, str]:
    """The filter of each entry, by name, from gtest's list."""
    entries: dict[str, dict[str, None]] = {}
    for suite in listing["testsuites"]:
        parts = suite["name"].split("/")
        for test in suite["testsuite"]:
            # Prefix/Suite, Suite/Type and Prefix/Suite/Type are instances of Suite.
            is_typed = "type_param" in test
            name = parts[-2] if is_typed else parts[-1]
            prefix = "*/" if len(parts) - is_typed > 1 else ""
            base, _, parameter = test["name"].partition("/")
            file = ENDING.sub("", Path(test["file"]).name)
            place = program if file == program else f"{program}/{file}"
            entry = f"{place}/{name}" if by_suite else f"{place}/{name}.{base}"
            chosen = prefix + name + ("/*" if is_typed else "") + "." + base + ("/*" if parameter else "")
            entries.setdefault(entry, {})[chosen] = None
    return {entry: ":".join(chosen) for entry, chosen in entries.items()}


def quoted(text: str) -> str:
    return "[==[" + text + "]==]"


def script(entries: dict[str, str], program: Path, arguments) -> str:
    properties = [part for each in arguments.properties for part in each.split("=", maxsplit=1)]
    lines = []
    for name, chosen in entries.items():
        words = [str(program), "--gtest_brief=1", f"--gtest_filter={chosen}"]
        if arguments.reports:
            words.append(f"--gtest_output=xml:{arguments.reports}/{name}.xml")
        lines.append(f"add_test({quoted(name)} {' '.join(map(quoted, words))})")
        if properties:
            values = " ".join(map(quoted, properties))
            lines.append(f"set_tests_properties({quoted(name)} PROPERTIES {values})")
    return "\n".join(lines) + "\n"


def listing_of(program: Path) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tests.json"
        result = subprocess.run(
            [program, "--gtest_list_tests", f"--gtest_output=json:{file}"],
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode != 0:
            sys.exit(f"list_tests: {program} does not list its tests:\n{result.stdout}{result.stderr}")
        return json.loads(file.read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--by-suite", action="store_true")
    parser.add_argument("--reports", type=Path)
    parser.add_argument("--properties", nargs="*", default=[])
    arguments = parser.parse_args()
    entries = entries_of(listing_of(arguments.program), arguments.program.name, arguments.by_suite)
    # All or nothing: two runs of ctest may do this at the same time.
    part = arguments.output.with_suffix(f".{os.getpid()}")
    part.write_text(script(entries, arguments.program, arguments), encoding="utf-8")
    part.replace(arguments.output)


if __name__ == "__main__":
    main()
