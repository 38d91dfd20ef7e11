"""6.5: how long a lock stays unused between two sections."""

import paper
import words
from figures.common import (is_queuing_simulation, measured_panel, missing_panel, not_simulated,
                            simulated_panel)
from model import Chart, Figure, Line, Point, Row
from sources import line_over

X = "concurrent tasks"
Y = "from one section to the next"


def workers_of(file):
    return file.values("workers")[-1] if file.is_simulated else file.workers_here()


def delay_lines(file):
    """Median and p99 of exchange and dispatch.  With one task nothing waits: no point there."""
    lines = []
    for handoff in ("exchange", "dispatch"):
        for share, name, look in (("p50", "median", handoff), ("p99", "p99", f"{handoff}, p99")):
            number = f"queuing_ns/{share}" if file.is_simulated else f"queuing_ns_{share}"
            line = line_over(file, "tasks", handoff, number, workers=workers_of(file),
                             name=f"{handoff}, {name}", look=look)
            if line:
                line.points = [p for p in line.points if p.y > 0]
            if line and line.points:
                lines.append(line)
    return lines


def leveldb_lines(file):
    lines = []
    for handoff in ("exchange", "dispatch"):
        points = [Point(c["readers"], file.median_of_runs(c, "delay_ns/p50")) for c in file.cells
                  if c["contender"] == handoff and file.median_of_runs(c, "delay_ns/p50")]
        if points:
            lines.append(Line(f"{handoff}, median", points, look=handoff))
    return lines


def delays(file, number):
    """Delays of exchange and dispatch with the most tasks; None where there are none."""
    at = {"tasks": file.values("tasks")[-1], "workers": workers_of(file)}
    return at["tasks"], [file.median(cell, number) if cell else None
                         for cell in (file.cell("exchange", **at), file.cell("dispatch", **at))]


def say(file, number, start):
    most, (exchange, dispatch) = delays(file, number)
    if not exchange or not dispatch:
        return f"{start}, there is no pair to compare"
    return (f"{start} and {words.exact(most)} tasks, a lock with waiters stays unused for "
            f"{words.duration(dispatch)} under dispatch and for {words.duration(exchange)} under "
            "exchange, both medians")


def make(results, simulated):
    file = results.measured("queuing-delay")
    model = simulated(is_queuing_simulation)
    database = results.measured("leveldb", lambda f: f.settings.get("observed"))
    star = paper.stars("tasks", "queuing_delay", label="the paper: dispatch in LevelDB, median")
    rows = [Row(paper.CLAIMS["queuing_delay"]), Row(paper.CLAIMS["queuing_section"])]
    panels, sentences = [], []
    if file:
        panels.append(measured_panel("This machine, measured",
                                     Chart(X, Y, delay_lines(file), y_scale="log10", unit="ns"), file))
        sentences.append(say(file, "queuing_ns_p50", f"Here, with {words.count(file.workers_here(), 'worker')}")
                         + ".")
        most, (_, dispatch) = delays(file, "queuing_ns_p50")
        if dispatch:
            rows[0].measured = f"{words.duration(dispatch)}, {words.exact(most)} tasks, a loop"
        _, (_, section) = delays(file, "section_ns_p50")
        if section:
            rows[1].measured = f"{words.duration(section)}, a loop"
    else:
        panels.append(missing_panel("measured", "This machine", "queuing-delay"))
        sentences.append("On this machine it was not measured.")
    if model:
        chart = Chart(X, Y, delay_lines(model) + [star], y_scale="log10", unit="ns")
        panels.append(simulated_panel("The paper's machine, simulated", chart, model))
        most, (_, dispatch) = delays(model, "queuing_ns/p50")
        if dispatch:
            rows[0].simulated = f"{words.duration(dispatch)}, {words.exact(most)} tasks, a map"
        second = say(model, "queuing_ns/p50", f"Simulated with {model.values('workers')[-1]} workers") + "; "
    else:
        panels.append(not_simulated("The paper's machine",
                                    "`hotseat-bench simulate --workers 256 --tasks 64,256` makes it."))
        second = "It was not simulated; "
    sentences.append(second + f"the paper reports {paper.says(paper.CLAIMS['queuing_delay'])} for dispatch "
                     "with 256 concurrent reads of LevelDB.")
    if database and leveldb_lines(database):
        chart = Chart("readers at the same time", Y, leveldb_lines(database) + [star], y_scale="log10",
                      unit="ns")
        panels.append(measured_panel("LevelDB on this machine, measured", chart, database))
        cell = database.cell("dispatch", readers=database.values("readers")[-1])
        if cell and database.median_of_runs(cell, "delay_ns/p50"):
            rows[0].measured = (f"{words.duration(database.median_of_runs(cell, 'delay_ns/p50'))}, "
                                f"{cell['readers']} readers")
            rows[1].measured = f"{words.duration(database.median_of_runs(cell, 'section_ns/p50'))}, LevelDB"
    else:
        panels.append(missing_panel("measured", "LevelDB on this machine",
                                    "leveldb --handoffs exchange,dispatch --observe"))
    return Figure(
        "queuing-delay", "Queuing delay", "6.5, figure",
        "Time the lock stood idle between hand-offs: from the end of a section to the start of the one "
        "that the lock was handed to.",
        panels, sentences, rows)
