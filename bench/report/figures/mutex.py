"""6.1: throughput of a mutex over the number of workers."""

import paper
import words
from figures.common import (ONE_THREAD, WITHOUT_LOCK, is_mutex_simulation, largest_simulated,
                            measured_panel, missing_panel, rows_of, simulated_panel)
from model import Chart, Figure, Line, Panel, Point
from sources import lines_over

Y = "Mops/s"
IDEAL = "ideal: one thread without a lock, times the CPUs"
SIMULATED_Y = "million sections per second"


def ideal(file, section_ns):
    alone = file.cell(ONE_THREAD, section_ns=section_ns)
    if alone is None or not file.cpus:
        return []
    once = file.median(alone, "mops")
    return [Line(IDEAL,
                 [Point(n, once * min(n, file.cpus)) for n in file.values("workers")],
                 look="ideal", has_markers=False)]


def measured_chart(file, section_ns):
    lines = lines_over(file, "workers", "mops", [c for c in file.contenders() if c != ONE_THREAD],
                       section_ns=section_ns)
    return Chart("workers", "million iterations per second", lines + ideal(file, section_ns), unit=Y)


def simulated_chart(file):
    lines = lines_over(file, "workers", "mops") if file else []
    lines.append(paper.stars("workers", "mutex_exchange", "mutex_dispatch",
                             label="the paper: exchange and dispatch at 256 threads"))
    return Chart("workers", SIMULATED_Y, lines, unit=Y)


def say_measured(file):
    if file is None:
        return "On this machine it was not measured."
    workers = file.workers_here()
    at = {"workers": workers, "section_ns": file.values("section_ns")[0]}
    ratio = file.ratio("exchange", "dispatch", **at)
    best = max((c for c in file.cells if c["contender"] not in WITHOUT_LOCK
                and all(c.get(k) == v for k, v in at.items())),
               key=lambda cell: file.median(cell, "mops"))
    text = f"Here, with {words.count(workers, 'worker')} on {words.count(file.cpus, 'CPU')}, "
    if ratio:
        text += words.more_or_less(ratio, "exchange", "dispatch") + ", and "
    return text + (f"the most is done by {best['contender']}, "
                   f"{words.with_unit(file.median(best, 'mops'), Y)}.")


def say_simulated(file):
    published = words.number(paper.value("mutex_ratio"))
    if file is None:
        return f"It was not simulated; the paper reports {published} times at 256 threads."
    most = largest_simulated(file)
    ratio = file.ratio("exchange", "dispatch", workers=most)
    if ratio is None:
        return f"Simulated, there is no pair to compare; the paper reports {published} times."
    return (f"Simulated with {most} workers, exchange does {words.number(ratio.value)} times as much "
            f"as dispatch, and the paper reports {published} times at 256 threads.")


def row_text(claim, file, workers):
    at = {"workers": workers, "section_ns": file.values("section_ns")[0]}
    if claim["id"] == "mutex_ratio":
        ratio = file.ratio("exchange", "dispatch", **at)
        return words.ratio(ratio) if ratio else ""
    cell = file.cell(claim["contender"], **at)
    return words.with_unit(file.median(cell, "mops"), Y) if cell else ""


def make(results, simulated):
    file = results.measured("mutex", lambda f: f.settings.get("range", "large") == "large")
    model = simulated(is_mutex_simulation)
    return Figure(
        "mutex", "Mutex throughput", "6.1, figure",
        f"{words.exact(file.settings['tasks']) + ' tasks' if file and 'tasks' in file.settings else 'Tasks'} "
        "draw a prime, insert it into a map behind one mutex, and factor it outside. "
        "How much of that is done in a second?",
        [measured_panel("This machine, measured", measured_chart(file, file.values("section_ns")[0]), file)
         if file
         else missing_panel("measured", "This machine", "mutex"),
         simulated_panel("The paper's machine, simulated", simulated_chart(model), model)
         if model else Panel("simulated", "The paper's machine, published", simulated_chart(None))],
        [say_measured(file), say_simulated(model)], 
        rows_of(("mutex_exchange", "mutex_dispatch", "mutex_ratio"), file, model, row_text))
