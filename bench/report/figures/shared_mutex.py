"""6.2: readers and writers, over the share of writers."""

import paper
import words
from figures.common import (ONE_THREAD, is_shared_simulation, largest_simulated, measured_panel,
                            missing_panel, not_simulated, rows_of, simulated_panel)
from model import Chart, Figure, Level, Line, Panel, Point
from sources import lines_over, source_of

X = "sections that write, in percent"


def percent_cells(file):
    """Simulated files have shares, measured ones percent."""
    for cell in file.cells:
        if "writers_percent" not in cell and "writers" in cell:
            cell["writers_percent"] = 100 * cell["writers"]
    return file


def throughput(file, workers):
    lines = lines_over(file, "writers_percent", "mops",
                       [c for c in file.contenders() if c != ONE_THREAD], workers=workers)
    return Chart(X, "million sections per second", lines, unit="Mops/s")


def speed_ups(file, workers, name):
    points = []
    for percent in file.values("writers_percent"):
        ratio = file.ratio("exchange", "dispatch", workers=workers, writers_percent=percent)
        if ratio:
            points.append(Point(percent, ratio.value))
    return Line(name, points) if points else None


def say(file, workers, start):
    most, least = file.values("writers_percent")[-1], file.values("writers_percent")[0]
    many = file.ratio("exchange", "dispatch", workers=workers, writers_percent=most)
    few = file.ratio("exchange", "dispatch", workers=workers, writers_percent=least)
    if not many or not few:
        return f"{start}, there is no pair to compare"
    return (f"{start}, exchange over dispatch is {words.ratio(many)} with {words.exact(most)} % "
            f"writers and {words.ratio(few)} with {words.exact(least)} %")


def row_text(claim, file, workers):
    ratio = file.ratio("exchange", "dispatch", workers=workers,
                       writers_percent=claim["at"]["writers_percent"])
    return words.ratio(ratio) if ratio else ""


def make(results, simulated):
    file = results.measured("shared-mutex", lambda f: f.settings.get("range", "large") == "large")
    model = simulated(is_shared_simulation)
    panels, lines, sources = [], [], []
    sentences = []
    if file:
        workers = percent_cells(file).workers_here()
        panels.append(measured_panel(f"This machine, measured, {words.count(workers, 'worker')}",
                                     throughput(file, workers), file))
        lines.append(speed_ups(file, workers, f"measured, {words.count(workers, 'worker')}"))
        sources.append(source_of(file))
        sentences.append(say(file, workers, f"Here, with {words.count(workers, 'worker')}") + ".")
    else:
        panels.append(missing_panel("measured", "This machine", "shared-mutex"))
        sentences.append("On this machine it was not measured.")
    published = (f"the paper reports {paper.says(paper.CLAIMS['shared_many_writers'])} and "
                 f"{paper.says(paper.CLAIMS['shared_few_writers'])} for 50 and 6.25 %.")
    if model:
        workers = largest_simulated(percent_cells(model))
        panels.append(simulated_panel(f"The paper's machine, simulated, {workers} workers",
                                      throughput(model, workers), model))
        lines.append(speed_ups(model, workers, f"simulated, {workers} workers"))
        sentences.append(say(model, workers, f"Simulated with {workers} workers") + "; " + published)
    else:
        panels.append(not_simulated("The paper's machine",
                                    "`hotseat-bench simulate --writers 0.5,0.0625` makes it."))
        sentences.append("It was not simulated; " + published)
    lines = [line for line in lines if line]
    lines.append(paper.stars("writers_percent", "shared_many_writers", "shared_few_writers",
                             label="the paper, 256 threads"))
    panels.append(Panel("both", "Speed-up of exchange over dispatch",
                        Chart(X, "exchange / dispatch", lines, levels=[Level(1, "as fast as dispatch")],
                              unit="×"), source="; ".join(sources)))
    return Figure(
        "shared-mutex", "Readers and writers", "6.2, figure",
        "The same map behind a shared mutex: some sections write, the others look something up.",
        panels, sentences,
        rows_of(("shared_many_writers", "shared_few_writers"), file, model, row_text))
