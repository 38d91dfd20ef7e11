"""6.4: LevelDB's readrandom, over the number of concurrent readers."""

import paper
import words
from figures.common import measured_panel, missing_panel, not_simulated
from model import Chart, Figure, Panel, Row
from sources import lines_over

X = "readers at the same time"


def published():
    lines = [paper.stars("readers", "leveldb_exchange", "leveldb_combining",
                         label="the paper: exchange and TCLocks, 256 threads")]
    return Chart(X, "million reads per second", lines, unit="Mops/s")


def rows(file, readers):
    made = []
    for name, lock in (("leveldb_exchange", "exchange"), ("leveldb_combining", "combining")):
        row = Row(paper.CLAIMS[name])
        cell = file and file.cell(lock, readers=readers, workload="readrandom")
        if cell:
            row.measured = (f"{words.with_unit(1e-3 * file.median(cell, 'kops'), 'Mops/s')}, {lock}, "
                            f"{readers} readers")
        made.append(row)
    row = Row(paper.CLAIMS["leveldb_ratio"])
    ratio = file and file.ratio("exchange", "combining", readers=readers, workload="readrandom")
    if ratio:
        row.measured = f"{words.ratio(ratio)} of combining, {readers} readers"
    return made + [row]


def say(file, readers):
    there = [c for c in file.cells if c["readers"] == readers and c["workload"] == "readrandom"]
    best = max(there, key=lambda c: file.median(c, "kops"))
    text = (f"Here, with {readers} readers on {words.count(file.cpus, 'CPU')}, the most is read under "
            f"{best['contender']}, {words.with_unit(1e-3 * file.median(best, 'kops'), 'Mops/s')}")
    parts = []
    for rival in ("stock", "combining", "dispatch"):
        ratio = file.ratio("exchange", rival, readers=readers, workload="readrandom")
        if ratio:
            parts.append(f"{words.ratio(ratio)} of {rival}")
    return text + (f"; exchange does {words.listed(parts)}." if parts else ".")


def make(results, simulated):
    del simulated
    file = results.measured("leveldb", lambda f: not f.settings.get("observed")
                            and "readrandom" in f.values("workload"))
    readers = max(file.values("readers")) if file else 0
    panels = [missing_panel("measured", "This machine", "leveldb")]
    if file:
        lines = lines_over(file, "readers", "kops", factor=1e-3, workload="readrandom")
        chart = Chart(X, "million reads per second", lines, unit="Mops/s")
        panels = [measured_panel("This machine, measured", chart, file)]
    panels.append(Panel("simulated", "The paper's machine, published", published()))
    panels.append(not_simulated("The paper's machine, simulated",
                                "LevelDB does not run on the simulated machine."))
    return Figure(
        "leveldb", "LevelDB, readrandom", "6.4, figure",
        "LevelDB as Debian compiled it, with other locks in it: how many records are read in a second?",
        panels,
        [say(file, readers) if file else "On this machine it was not measured.",
         f"The paper reports {paper.says(paper.CLAIMS['leveldb_exchange'])} for exchange and "
         f"{paper.says(paper.CLAIMS['leveldb_combining'])} for TCLocks at 256 concurrent reads, "
         f"{paper.says(paper.CLAIMS['leveldb_ratio'])}; TCLocks needs a modified kernel, and combining "
         "does here what can be done without."],
        rows(file, readers))
