"""The queuing delay again: not its median, but the whole distribution."""

import words
from figures.queuing_delay import workers_of
from figures.common import measured_panel, missing_panel, is_queuing_simulation, simulated_panel
from model import Chart, Figure, Line, Point

SHARES = [("p50", 50), ("p90", 10), ("p99", 1), ("p999", 0.1)]
X = "sections that wait longer, in percent"


def tail(file, cell, prefix):
    """The shortest time within which that many percent finish."""
    points = []
    for share, percent in SHARES:
        value = file.median(cell, prefix + share)
        if value:
            points.append(Point(percent, value))
    return points


def cumulative(cell):
    """Over all runs: the percentage of hand-overs that take at most that long."""
    histogram = cell.get("queuing_histogram_ns", {"upper": [], "count": []})
    total = sum(histogram["count"])
    points, so_far = [], 0
    for upper, count in zip(histogram["upper"], histogram["count"]):
        so_far += count
        points.append(Point(upper, 100 * so_far / total))
    return points


def cumulative_chart(file, tasks):
    lines = []
    for handoff in ("exchange", "dispatch", "resume_inline"):
        cell = file.cell(handoff, tasks=tasks, workers=workers_of(file))
        points = cumulative(cell) if cell else []
        if points:
            lines.append(Line(handoff, points, has_markers=False))
    return Chart("from one section to the next, at most", "hand-overs, in percent", lines,
                 x_scale="log10", x_unit="ns", unit="%")


def lines_of(file, prefix, tasks):
    lines = []
    for handoff in ("exchange", "dispatch", "resume_inline"):
        cell = file.cell(handoff, tasks=tasks, workers=workers_of(file))
        points = tail(file, cell, prefix) if cell else []
        if points:
            lines.append(Line(handoff, points))
    return lines


def chart(lines):
    names = {percent: f"{words.exact(percent)}" for _, percent in SHARES}
    flipped = [Line(line.name, [Point(-p.x, p.y) for p in line.points], line.look) for line in lines]
    return Chart(X, "from one section to the next", flipped, x_scale="ordinal", y_scale="log10",
                 x_names={-x: name for x, name in names.items()}, unit="ns")


def say(lines, start):
    ends = [(line.name, max(line.points, key=lambda p: -p.x)) for line in lines]
    if not ends:
        return f"{start}, no task had to wait."
    share = ends[0][1].x
    return (f"{start}, one in {words.number(100 / share)} handed-over sections begins later than "
            + words.listed(f"{words.duration(point.y)} under {name}" for name, point in ends) + ".")


def make(results, simulated):
    file = results.measured("queuing-delay")
    model = simulated(is_queuing_simulation)
    panels, sentences = [], []
    if file:
        most = file.values("tasks")[-1]
        lines = lines_of(file, "queuing_ns_", most)
        panels.append(measured_panel(f"This machine, measured, {words.exact(most)} tasks", chart(lines), file)
                      if lines else missing_panel("measured", "This machine", "queuing-delay"))
        whole = cumulative_chart(file, most)
        if whole.lines:
            panels.insert(0, measured_panel(f"All hand-overs, measured, {words.exact(most)} tasks", whole, file))
        sentences.append(say(lines, f"Here, with {words.exact(most)} tasks"))
    else:
        panels.append(missing_panel("measured", "This machine", "queuing-delay"))
        sentences.append("On this machine it was not measured.")
    if model:
        most = model.values("tasks")[-1]
        lines = lines_of(model, "queuing_ns/", most)
        panels.append(simulated_panel(f"The paper's machine, simulated, {words.exact(most)} tasks",
                                      chart(lines), model))
        sentences.append(say(lines, f"Simulated, with {words.exact(most)} tasks"))
    else:
        sentences.append("It was not simulated.")
    return Figure(
        "distribution", "Distribution of the queuing delay", "",
        "How long do the unlucky ones take? To the right the delays become rare.",
        panels, sentences)
