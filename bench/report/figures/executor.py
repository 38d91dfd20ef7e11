"""The cost of tasks without locks, compared with oneTBB."""

import words
from figures.common import measured_panel, missing_panel
from model import Chart, Figure, Line, Point


def chart(file, workers):
    names = [name for name in dict.fromkeys(c["workload"] for c in file.cells)]
    lines = []
    for contender in file.contenders():
        points = []
        for i, name in enumerate(names):
            cell = file.cell(contender, workload=name, workers=workers)
            if cell:
                value = cell["ns_each"]
                points.append(Point(i, value["median"], value["min"], value["max"]))
        if points:
            lines.append(Line(contender, points, is_connected=False))
    return Chart("", "for each task, turn or wake-up", lines, x_scale="ordinal", y_scale="log10",
                 x_names=dict(enumerate(name.replace("_", " ") for name in names)), unit="ns")


def make(results, simulated):
    del simulated
    file = results.measured("executor")
    if file is None:
        return Figure("executor", "The executor", "", "What do tasks cost without any lock?",
                      [missing_panel("measured", "This machine", "executor")],
                      ["On this machine it was not measured.", "The paper does not measure it."])
    workers = file.workers_here()
    parts = []
    for name in dict.fromkeys(c["workload"] for c in file.cells):
        ratio = file.ratio("hotseat", "oneTBB", workload=name, workers=workers)
        if ratio:
            parts.append(f"{words.ratio(ratio)} with {name}")
    wake = file.cell("hotseat", workload="wake_up", workers=workers)
    second = (f"A pool that is asleep runs a task after {words.duration(wake['wake_ns_p50']['median'])} in the "
              f"median and {words.duration(wake['wake_ns_p99']['median'])} in one of a hundred cases."
              if wake else "The wake-up of a pool was not measured.")
    panels = [measured_panel(f"This machine, measured, {words.count(n, 'worker')}", chart(file, n), file)
              for n in file.values("workers")]
    return Figure("executor", "The executor", "", "What do tasks cost without any lock?",
                  panels,
                  [f"With {words.count(workers, 'worker')}, hotseat does "
                   f"{words.listed(parts) if parts else 'what it does alone: oneTBB was not measured'}"
                   f"{' of what oneTBB does' if parts else ''}.", second])
