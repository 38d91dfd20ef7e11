#!/usr/bin/env python3
"""Measures what each heuristic of the scheduler is worth: switches it off, one at a time.

    ablate.py                   all of ablations.py: about an hour
    ablate.py --only REGEX      those whose name matches
    ablate.py --rounds N        N pairs of each (default 9)
    ablate.py --simulated       only the simulations, which do not need an idle machine

Builds hotseat-bench and bench_simulate of a copy of the sources for each ablation.  On this machine each
ablation is paired with the unchanged sources, one right after the other; each goes first in every second
pair, and the result is the median ratio of the pairs.  The simulated machine has 256 threads and runs with
a few seeds.  A ratio below 1 means that the sources are slower without the heuristic.  The last lines are
the table of docs/lab/ablation.md.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from ablations import ABLATIONS, Ablation

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build/ablation"
PRESET = "release-clang"
BASE = "as it is"

# What runs on this machine: cell names and their commands.
CELLS = (
    ("mutex", "--handoffs exchange --rivals none --workers 2,4,8"),
    ("mutex", "--range small --handoffs exchange --rivals none --workers 2,4,8"),
    ("tight-loop", "--handoffs exchange,with_lock --section-ns 0,250 --parallel-ns 0,100,500 --workers 2,8 --run-ms 20"),
    ("executor", "--workers 2 --rivals none --handoffs exchange --workloads fib,skynet,spawn_join,ping_pong,wake_up"),
    ("shared-mutex", "--handoffs exchange --rivals none --workers 2 --writers 0.1"),
    ("semaphore", "--handoffs exchange --workers 2"),
    ("channel", "--rivals none --workers 2"),
)
SIMULATED = (
    ("mutex", "--handoffs exchange --workers 64,256"),
    ("mutex, dispatch", "--handoffs dispatch --workers 64 --tasks 1000"),
    ("shared_mutex", "--handoffs exchange --workers 64 --writers 0.0625 --tasks 1000"),
)


def run(command, **how) -> subprocess.CompletedProcess:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if done.returncode != 0:
        sys.exit(f"ablate: {' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


class Copy:
    """A copy of the sources, in which one ablation at a time is built."""

    def __init__(self) -> None:
        self.sources = WORK / "sources"
        self.build = WORK / "build"
        self.programs = WORK / "programs"
        shutil.rmtree(self.programs, ignore_errors=True)
        self.programs.mkdir(parents=True)
        shutil.rmtree(self.sources, ignore_errors=True)
        shutil.copytree(ROOT, self.sources, ignore=lambda folder, _: {"build", ".git"} if folder == str(ROOT) else set())
        run(["cmake", "--preset", PRESET, "-B", self.build, "-DHOTSEAT_BUILD_TESTS=OFF", "-DHOTSEAT_WERROR=OFF"], cwd=self.sources)

    def make(self, ablation: Ablation) -> Path:
        """Returns the folder of its programs."""
        texts = {}
        for file, old, new in ablation.edits:
            path = self.sources / file
            text = path.read_text()
            texts.setdefault(path, text)
            if text.count(old) != 1:
                sys.exit(f"ablate: {ablation.name}: {file} does not have this exactly once:\n{old}")
            path.write_text(text.replace(old, new))
        try:
            run(["cmake", "--build", self.build, "--target", "hotseat-bench", "bench_simulate"])
        finally:
            for path, text in texts.items():
                path.write_text(text)
        folder = Path(tempfile.mkdtemp(dir=self.programs))
        for name in ("hotseat-bench", "bench_simulate"):
            shutil.copy(self.build / "bench" / name, folder)
        return folder


def cells_of(benchmark: str, file: Path) -> dict[str, float]:
    """Millions of operations per second, by cell name."""
    results = json.loads(file.read_text())
    found = {}
    for cell in results["cells"]:
        at = [f"{axis} {cell[axis]:g}" if isinstance(cell[axis], (int, float)) else str(cell[axis])
              for axis in results["axes"]]
        mops = cell["mops"]  # What is simulated has one value, what is measured several.
        found[", ".join([benchmark, cell["contender"], *at])] = mops["median"] if isinstance(mops, dict) else mops
    return found


def measure(folder: Path) -> dict[str, float]:
    found = {}
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "results.json"
        for benchmark, options in CELLS:
            run([folder / "hotseat-bench", benchmark, *options.split(), "--repetitions", "1", "--output", file])
            name = f"{benchmark} small" if "--range small" in options else benchmark
            found |= cells_of(name, file)
    return found


def simulate(folder: Path, seeds: int) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "results.json"
        for seed in range(1, seeds + 1):
            for name, options in SIMULATED:
                run([folder / "bench_simulate", *options.split(), "--seed", str(seed), "--output", file])
                for cell, mops in cells_of(f"simulated {name}", file).items():
                    found.setdefault(cell, []).append(mops)
    return {cell: statistics.median(all_runs) for cell, all_runs in found.items()}


def pairs_of(base: Path, other: Path, rounds: int) -> dict[str, list[float]]:
    ratios: dict[str, list[float]] = {}
    for i in range(rounds):
        first, second = (base, other) if i % 2 == 0 else (other, base)
        outcome = {first: measure(first)}
        outcome[second] = measure(second)
        for cell, mops in outcome[base].items():
            ratios.setdefault(cell, []).append(outcome[other][cell] / mops)
    return ratios


def show(name: str, cells: dict[str, float]) -> None:
    worst = sorted(cells, key=cells.get)
    print(f"{name}: median {statistics.median(cells.values()):.3f}")
    for cell in worst[:4] + worst[-3:]:
        print(f"    {cells[cell]:6.3f}  {cell}")
    sys.stdout.flush()


# The columns of the table, each the geometric mean of the cells that match.
COLUMNS = {
    "paper": "^mutex, exchange",
    "short": "^mutex small, exchange",
    "tight 0/0": "^tight-loop, .* section_ns 0, parallel_ns 0$",
    "tight, others": "^tight-loop, (?!.* section_ns 0, parallel_ns 0$)",
    "fib, skynet": "fib|skynet",
    "spawn": "spawn_join",
    "channel": "^channel",
    "simulated 64": "^simulated mutex, exchange, .* workers 64",
    "simulated 256": "^simulated mutex, exchange, .* workers 256",
}


def table(results: dict[str, dict[str, float]]) -> str:
    lines = ["| | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for name, cells in results.items():
        row = []
        for pattern in COLUMNS.values():
            found = [ratio for cell, ratio in cells.items() if re.search(pattern, cell)]
            row.append(f"{statistics.geometric_mean(found):.2f}" if found else "")
        lines.append(f"| {name} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="What each heuristic is worth.")
    parser.add_argument("--only", metavar="REGEX")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--simulated", action="store_true")
    wanted = parser.parse_args()
    chosen = [each for each in ABLATIONS if wanted.only is None or re.search(wanted.only, each.name)]
    copy = Copy()
    base = copy.make(Ablation(BASE, ()))
    # The same sources twice: shows the noise.
    again = copy.make(Ablation(BASE, ()))
    programs = {f"{BASE}, again": again} | {each.name: copy.make(each) for each in chosen}
    plain = simulate(base, wanted.seeds)
    results = {}
    for name, folder in programs.items():
        simulated = simulate(folder, wanted.seeds)
        cells = {cell: simulated[cell] / mops for cell, mops in plain.items()}
        pairs = {} if wanted.simulated else pairs_of(base, folder, wanted.rounds)
        cells |= {cell: statistics.median(ratios) for cell, ratios in pairs.items()}
        results[name] = cells
        show(name, cells)
    print(table(results))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("CCACHE_BASEDIR", str(WORK))
    sys.exit(main())
