"""How long tasks wait for the lock: median, p99 and p99.9."""

import words
from figures.common import (is_queuing_simulation, measured_panel, missing_panel, not_simulated,
                            simulated_panel)
from model import Chart, Figure
from sources import lines_over

SHARES = [("p50", "median"), ("p99", "p99"), ("p999", "p99.9")]


def simulated_panels(file):
    """Like the measured ones; older files have no waiting times."""
    panels = []
    for share, name in SHARES:
        lines = lines_over(file, "tasks", f"wait_ns/{share}", workers=file.values("workers")[-1]) if file else []
        if lines:
            chart = Chart("concurrent tasks", f"waiting, {name}", lines, y_scale="log10", unit="ns")
            panels.append(simulated_panel(f"The paper's machine, simulated: {name}", chart, file))
    return panels or [not_simulated("The paper's machine", "`hotseat-bench simulate --workers 256 "
                                    "--tasks 64,256` makes it.")]


def make(results, simulated):
    file = results.measured("queuing-delay")
    panels, sentences = [], []
    if file:
        for share, name in SHARES:
            lines = lines_over(file, "tasks", f"wait_ns_{share}", workers=file.workers_here())
            for line in lines:
                line.points = [p for p in line.points if p.y > 0]
            lines = [line for line in lines if line.points]
            chart = Chart("concurrent tasks", f"waiting, {name}", lines, y_scale="log10", unit="ns")
            panels.append(measured_panel(f"This machine, measured: {name}", chart, file))
        most = file.values("tasks")[-1]
        for share, name in (SHARES[0], SHARES[-1]):
            there = [cell for cell in file.cells
                     if cell["tasks"] == most and cell["workers"] == file.workers_here()]
            found = [(cell["contender"], file.median(cell, f"wait_ns_{share}")) for cell in there]
            sentences.append(f"With {words.exact(most)} tasks, the {name} of the time from asking for the lock "
                             "to having it is "
                             + words.listed(f"{words.duration(v)} under {c}" for c, v in found) + ".")
    else:
        panels.append(missing_panel("measured", "This machine", "queuing-delay"))
        sentences += ["On this machine it was not measured.", "The paper does not measure it."]
    panels += simulated_panels(simulated(is_queuing_simulation))
    return Figure("waiting", "Waiting for the lock", "",
                  "From the call of lock to the start of the section, all calls. A task in line waits for all "
                  "tasks ahead of it, so waits grow with the number of tasks, whatever the hand-off.",
                  panels, sentences)
