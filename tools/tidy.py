#!/usr/bin/env python3
"""Runs clang-tidy over the library.

    tidy.py

clang-tidy spends its time on the headers that all files share, so it sees many files at once: for each
machine that the library is built for, a unit with all headers and a unit with all sources.  A unit that
passed is not checked again until something in it, or in .clang-tidy, changes: the user's cache has a
stamp for each text that passed.
"""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hotseat/tidy"
UNITS = ROOT / "build/tidy"
COMPILER = "clang++-19"
TIDY = "clang-tidy-19"
# Folders of include/hotseat and src that exist on one machine only; the rest is checked as built for
# the real one.
MACHINES = {
    "explored": ("platform/explored", "explore"),
    "simulated": ("platform/simulated", "platform/virtual", "simulate"),
}
# Headers in include/hotseat/platform/<machine>/ are included through platform/seam.hpp and memory.hpp.
NOT_ALONE = ("platform/real", "platform/explored", "platform/simulated")


def is_in(path: Path, folders) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def machine_of(path: Path) -> str:
    return next((name for name, folders in MACHINES.items() if is_in(path, folders)), "real")


def units() -> dict[str, list[str]]:
    """The lines of each unit, by its name, <machine>_<headers or sources>."""
    found: dict[str, list[str]] = {}
    for kind, base, pattern in (("headers", "include/hotseat", "*.hpp"), ("sources", "src", "*.cpp")):
        for file in sorted((ROOT / base).rglob(pattern)):
            place = file.relative_to(ROOT / base)
            if kind == "headers" and is_in(place, NOT_ALONE):
                continue
            name = f"{machine_of(place)}_{kind}"
            found.setdefault(name, []).append(f'#include "{file.relative_to(ROOT)}"')
    return found


def run(command) -> subprocess.CompletedProcess:
    # Paths are relative to the checkout, so that the stamps are good for every clone.
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def check(name: str, lines: list[str], version: str) -> str:
    """Returns the output of clang-tidy; empty if the unit passes."""
    file = UNITS / f"{name}.cpp"
    file.write_text("\n".join(lines) + "\n")
    place = str(file.relative_to(ROOT))
    flags = ["-std=c++20", "-I.", "-Iinclude", "-Isrc", "-Wall", "-Wextra", "-Wno-unused-const-variable"]
    flags += [f"-DHOTSEAT_MACHINE={name.split('_')[0]}", "-DHOTSEAT_HAS_HWLOC=1"]
    text = run([COMPILER, *flags, "-E", "-C", place])
    if text.returncode != 0:
        return text.stderr
    settings = (ROOT / ".clang-tidy").read_text() + Path(__file__).read_text() + version
    stamp = CACHE / hashlib.sha256((settings + text.stdout).encode()).hexdigest()
    if stamp.exists():
        return ""
    result = run(
        [TIDY, "--quiet", "--config-file=.clang-tidy", "--checks=-bugprone-suspicious-include"]
        + ["--header-filter=(^|/)(include/hotseat|src)/", place, "--", *flags]
    )
    if result.returncode == 0:
        stamp.touch()
        return ""
    return result.stdout or result.stderr


def main() -> int:
    for folder in (CACHE, UNITS):
        folder.mkdir(parents=True, exist_ok=True)
    version = run([TIDY, "--version"]).stdout
    found = units()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(lambda name: check(name, found[name], version), found))
    problems = [text for text in texts if text]
    for text in problems:
        print(text)
    print(f"clang-tidy: {sum(map(len, found.values()))} files, {len(problems)} of {len(found)} units with findings")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
