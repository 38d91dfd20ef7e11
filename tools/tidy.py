#!/usr/bin/env python3
"""Runs clang-tidy over the library: each source, and the headers of each layer together.

    tidy.py BUILD_DIR      with compile_commands.json in it

A file that passed is not looked at again until something in it, in what it includes, or in
.clang-tidy changes: BUILD_DIR/tidy/ holds a stamp for each preprocessed text that passed.
"""

import hashlib
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILER = "clang++-19"
TIDY = "clang-tidy-19"
# Layers that exist on one machine only.
MACHINES = {"explore": "explored", "simulate": "simulated"}


def source_units(build: Path):
    """Yields (file, arguments, header filter) for each source of the library.

    Most are built for several machines; the first one counts.
    """
    seen = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = Path(entry["file"])
        if not file.is_relative_to(ROOT / "src") or file in seen:
            continue
        seen.add(file)
        # Between the compiler and the output: the flags.
        arguments = shlex.split(entry["command"])
        first = next(i for i, word in enumerate(arguments) if word.startswith("-"))
        yield file, arguments[first : arguments.index("-o")], f"^{ROOT}/src/"


def header_units(build: Path):
    """Yields the same for each layer, for a file that includes all its headers.

    What is in platform/<machine>/ is included by the front header of the same name.
    """
    headers = ROOT / "include/hotseat"
    flags = ["-std=c++20", f"-I{ROOT}/include", "-Wall", "-Wextra", "-Wno-unused-const-variable"]
    for layer in sorted(path for path in headers.iterdir() if path.is_dir()):
        own = [*layer.glob("*.hpp"), *layer.glob("detail/*.hpp")]
        if not own:
            continue
        lines = [f"#include <{header.relative_to(ROOT / 'include')}>" for header in own]
        file = build / f"tidy/{layer.name}.cpp"
        file.write_text("\n".join(sorted(lines)) + "\n")
        machine = MACHINES.get(layer.name)
        yield file, flags + ([f"-DHOTSEAT_MACHINE={machine}"] if machine else []), f"^{layer}/"


def run(command) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def check(unit, build: Path, version: str) -> str:
    """Returns what clang-tidy has to say; empty if the file passes."""
    file, arguments, header_filter = unit
    text = run([COMPILER, *arguments, "-E", "-C", str(file)])
    if text.returncode != 0:
        return text.stderr
    settings = (ROOT / ".clang-tidy").read_text() + Path(__file__).read_text() + version
    digest = hashlib.sha256((settings + text.stdout).encode()).hexdigest()
    stamp = build / f"tidy/{digest}"
    if stamp.exists():
        return ""
    result = run(
        [
            TIDY,
            "--quiet",
            f"--config-file={ROOT}/.clang-tidy",
            f"--header-filter={header_filter}",
            str(file),
            "--",
            *arguments,
        ]
    )
    if result.returncode == 0:
        stamp.touch()
        return ""
    return result.stdout or result.stderr


def main() -> int:
    build = Path(sys.argv[1]).resolve()
    (build / "tidy").mkdir(exist_ok=True)
    version = run([TIDY, "--version"]).stdout
    units = [*header_units(build), *source_units(build)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(lambda u: check(u, build, version), units) if text]
    for text in found:
        print(text)
    print(f"clang-tidy: {len(units)} units, {len(found)} with findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
