"""Result files: what hotseat-bench and its companions wrote, by benchmark."""

import json
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path
from statistics import median

ENOUGH_RUNS = 4  # With fewer, the test of Mann and Whitney is never significant.


class Failure(Exception):
    """What went wrong, in one line."""


@lru_cache(maxsize=None)
def orders(m, n, won):
    """In how many orders of m and n values the first sample wins that many pairs."""
    if won < 0:
        return 0
    if m == 0 or n == 0:
        return 1 if won == 0 else 0
    return orders(m - 1, n, won) + orders(m, n - 1, won - m)


def chance_of_one_source(a, b):
    """The two-sided test of Mann and Whitney, exact, as in bench/harness/samples.hpp."""
    pairs = len(a) * len(b)
    won = sum(1 if x < y else 0.5 if x == y else 0 for x in a for y in b)
    fewer = ceil(min(won, pairs - won))
    few = sum(orders(len(a), len(b), u) for u in range(fewer + 1))
    every = sum(orders(len(a), len(b), u) for u in range(pairs + 1))
    return min(1.0, 2 * few / every)


def are_told_apart(a, b):
    """Never true for fewer than 4 runs of each.  More than 20 runs of each are thinned out."""
    def few(values):
        return values[:: -(-len(values) // 20)]

    return bool(a) and bool(b) and chance_of_one_source(few(a), few(b)) < 0.05


@dataclass
class Ratio:
    value: float
    doubt: str = ""  # Why it may be chance; empty if it is not.


def doubt(ours, theirs):
    """Simulated results have no noise: the same seed makes the same run."""
    if min(len(ours), len(theirs)) < ENOUGH_RUNS:
        return "too few runs to tell"
    return "" if are_told_apart(ours, theirs) else "within noise"


class ResultFile:
    """One file.  Cells are dictionaries, as in the file."""

    def __init__(self, path, content):
        self.path = path
        self.content = content
        self.benchmark = content["benchmark"]
        self.cells = content["cells"]
        self.machine = content.get("machine", {})
        self.settings = content.get("settings", {})
        self.score = content.get("score", "mops")
        self.is_simulated = bool(content.get("simulated"))
        for cell in self.cells:
            cell.setdefault("contender", "")

    @property
    def cpus(self):
        return self.machine.get("cpus", 0)

    def values(self, axis):
        """The measured ones, in order."""
        return sorted({cell[axis] for cell in self.cells if axis in cell})

    def contenders(self):
        """In the order of the file."""
        return list(dict.fromkeys(cell["contender"] for cell in self.cells))

    def cell(self, contender, **at):
        for each in self.cells:
            if each["contender"] == contender and all(each.get(k) == v for k, v in at.items()):
                return each
        return None

    @staticmethod
    def median(cell, number):
        """None if the cell has no such number."""
        for part in number.split("/"):
            if not isinstance(cell, dict) or part not in cell:
                return None
            cell = cell[part]
        return cell["median"] if isinstance(cell, dict) else cell

    @staticmethod
    def spread(cell, number):
        value = cell.get(number)
        return (value["min"], value["max"]) if isinstance(value, dict) else (None, None)

    @staticmethod
    def median_of_runs(cell, number):
        """For numbers that only the runs have, by path; None if they have none."""
        values = []
        for run in cell.get("runs", []):
            for part in number.split("/"):
                run = run.get(part) if isinstance(run, dict) else None
            if run is not None:
                values.append(run)
        return median(values) if values else None

    def scores(self, cell):
        """The values of all runs: a list beside the median, or, for some companions, in a list of runs."""
        value = cell.get(self.score)
        if isinstance(value, dict) and "runs" in value:
            return value["runs"]
        return [run[self.score] for run in cell.get("runs", []) if isinstance(run, dict)]

    def ratio(self, ours, theirs, **at):
        """The ratio of two contenders in one place; None if one was not measured."""
        one, other = self.cell(ours, **at), self.cell(theirs, **at)
        if one is None or other is None:
            return None
        below = self.median(other, self.score)
        if not below:
            return None
        return Ratio(self.median(one, self.score) / below,
                     "" if self.is_simulated else doubt(self.scores(one), self.scores(other)))

    def workers_here(self, axis="workers"):
        """The largest number of workers that have a CPU each; else the smallest."""
        counts = self.values(axis)
        with_cpu = [n for n in counts if not self.cpus or n <= self.cpus]
        return max(with_cpu) if with_cpu else min(counts)


def read(path):
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise Failure(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list) \
            or "benchmark" not in content:
        return None
    return ResultFile(path, content)


class Results:
    """All our files in a folder; others are ignored."""

    def __init__(self, folder):
        folder = Path(folder)
        if not folder.is_dir():
            raise Failure(f"{folder} is not a folder")
        self.files = []
        for path in sorted(folder.glob("*.json")):
            found = read(path)
            if found and found.cells:
                self.files.append(found)

    def measured(self, benchmark, fits=lambda file: True):
        """The newest file that fits, or None."""
        those = [file for file in self.files
                 if file.benchmark == benchmark and not file.is_simulated and fits(file)]
        return max(those, key=lambda file: file.machine.get("started", ""), default=None)

    def simulated(self, fits):
        those = [file for file in self.files if file.is_simulated and fits(file)]
        return those[-1] if those else None
