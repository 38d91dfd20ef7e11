"""5.4: does a contended section stay on one worker, and is a free one free to move?"""

import paper
import words
from figures.common import measured_panel, missing_panel, not_simulated
from model import Chart, Figure, Row
from sources import lines_over

X = "mutexes to choose from"


def share_chart(file, number, label):
    lines = lines_over(file, "mutexes", number, factor=100)
    return Chart(X, label, lines, unit="%")


def size_of(file):
    if file is None or "workers" not in file.settings:
        return "Tasks"
    return (f"{words.count(file.settings['tasks'], 'task')} on "
            f"{words.count(file.settings['workers'], 'worker')}")


def share(file, contender, number, mutexes):
    cell = file.cell(contender, mutexes=mutexes)
    value = file.median(cell, number) if cell else None
    return None if value is None else words.with_unit(100 * value, "%")


def make(results, simulated):
    del simulated
    file = results.measured("validation")
    rows = [Row(paper.CLAIMS["validation_stays"]), Row(paper.CLAIMS["validation_free"])]
    panels, sentences = [], []
    if file:
        counts = file.values("mutexes")
        few = 4 if 4 in counts else counts[0]
        most = counts[-1]
        panels.append(measured_panel("Sections that were handed over, measured",
                                     share_chart(file, "same_when_delegated", "on the worker before, %"), file))
        panels.append(measured_panel("Sections that found the lock free, measured",
                                     share_chart(file, "same_when_free", "on the worker before, %"), file))
        exchange, dispatch = (share(file, c, "same_when_delegated", few) for c in ("exchange", "dispatch"))
        if exchange and dispatch:
            sentences.append(f"With {words.count(few, 'mutex', 'mutexes')}, {exchange} of the sections that were "
                             f"handed over ran where the one before ran under exchange, and {dispatch} under "
                             "dispatch.")
            rows[0].measured = f"{exchange} stay, {words.count(few, 'mutex', 'mutexes')}"
        delegated, free = (share(file, "exchange", n, most) for n in ("delegated_share", "same_when_free"))
        if delegated and free:
            sentences.append(f"With {words.count(most, 'mutex', 'mutexes')}, {delegated} were handed over at all "
                             f"under exchange; of those that found the lock free, {free} ran where the one "
                             "before ran.")
            rows[1].measured = f"{delegated} handed over, {free} of the others stay, {words.exact(most)} mutexes"
    else:
        panels.append(missing_panel("measured", "This machine", "validation"))
        sentences.append("On this machine it was not measured.")
        sentences.append("The paper found contended sections on one thread for each resource, and free ones "
                         "anywhere.")
    panels.append(not_simulated("The paper's machine", "it does not depend on the machine's size."))
    return Figure("validation", "Validation", "5.4",
                  f"{size_of(file)} choose among some mutexes at random. Which sections run on the worker "
                  "where the one before ran?",
                  panels, sentences, rows)
