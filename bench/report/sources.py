"""Where a panel's numbers come from, in one line; and chart lines from cells."""

import words
from model import Line, Point


def source_of(file):
    """File, repetitions, and whether it was quiet."""
    if file is None:
        return ""
    if file.is_simulated:
        return (f"{file.path.name}: simulated on {file.machine.get('simulated', '?')}, "
                f"seed {file.settings.get('seed', '?')}, commit {commit_of(file)}; nothing was measured")
    text = f"{file.path.name}: median of {file.settings.get('repetitions', '?')}, commit {commit_of(file)}"
    if not file.content.get("is_quiet", True):
        share = 100 * file.content.get("foreign_load", 0)
        text += f"; noisy, others used {words.number(share, 2)} % of the machine"
    if not file.content.get("is_complete", True):
        text += "; interrupted"
    return text


def commit_of(file):
    return file.machine.get("commit") or file.content.get("build", {}).get("commit", "unknown")


def line_over(file, axis, contender, number, factor=1.0, name=None, look="", **at):
    """The medians of a contender over an axis, with smallest and largest values; None if there are
    none."""
    points = []
    for cell in file.cells:
        if cell["contender"] != contender or any(cell.get(k) != v for k, v in at.items()):
            continue
        value = file.median(cell, number)
        if value is None:
            value = file.median_of_runs(cell, number)
        if value is None:
            continue
        low, high = file.spread(cell, number)
        points.append(Point(cell[axis], factor * value,
                            None if low is None else factor * low,
                            None if high is None else factor * high))
    return Line(name or contender, points, look or contender) if points else None


def lines_over(file, axis, number, contenders=None, **more):
    lines = [line_over(file, axis, each, number, **more)
             for each in contenders or file.contenders()]
    return [line for line in lines if line]


def ratios_over(file, axis, ours, theirs, name, **at):
    """A line of ratios of two contenders; None if there is none."""
    points = []
    for value in file.values(axis):
        ratio = file.ratio(ours, theirs, **{axis: value}, **at)
        if ratio:
            points.append(Point(value, ratio.value))
    return Line(name, points) if points else None
