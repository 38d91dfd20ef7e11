"""6.3: the drop-in for boost::fibers::mutex."""

import paper
import words
from figures.common import measured_panel, missing_panel, not_simulated
from model import Chart, Figure, Level, Row
from sources import ratios_over


def chart(file, algorithm):
    lines = []
    for workers in file.values("workers"):
        line = ratios_over(file, "section_ns", "hotseat", "boost", words.count(workers, "thread"),
                           workers=workers, algorithm=algorithm)
        if line:
            lines.append(line)
    return Chart("nanoseconds of waiting in the section", "drop-in / Boost's mutex", lines,
                 x_scale="ordinal", unit="×",
                 levels=[Level(1, "as fast as Boost's"),
                         Level(paper.value("boost_fiber_most"), "the paper, 256 threads: at least", "published")])


def all_ratios(file):
    """(ratio, place) of every cell."""
    found = []
    for algorithm in file.values("algorithm"):
        for workers in file.values("workers"):
            for ns in file.values("section_ns"):
                ratio = file.ratio("hotseat", "boost", algorithm=algorithm, workers=workers,
                                   section_ns=ns)
                if ratio:
                    place = f"{algorithm}, {words.count(workers, 'thread')}, {words.exact(ns)} ns"
                    found.append((ratio, place))
    return found


def make(results, simulated):
    del simulated
    file = results.measured("boost_fiber")
    rows = [Row(paper.CLAIMS["boost_fiber_most"]), Row(paper.CLAIMS["boost_fiber_least"])]
    panels = []
    found = all_ratios(file) if file else []
    if found:
        most = max(found, key=lambda f: f[0].value)
        least = min(found, key=lambda f: f[0].value)
        for algorithm in file.values("algorithm"):
            panels.append(measured_panel(f"This machine, measured, scheduler {algorithm}",
                                         chart(file, algorithm), file))
        rows[0].measured = "most: " + words.ratio(*most)
        rows[1].measured = "least: " + words.ratio(*least)
        first = (f"Here the drop-in does between {words.ratio(*least)} and {words.ratio(*most)} of what "
                 "Boost's own mutex does.")
    else:
        panels.append(missing_panel("measured", "This machine", "boost-fiber"))
        first = "On this machine it was not measured."
    panels.append(not_simulated("The paper's machine",
                                "Boost's schedulers do not run on the simulated machine."))
    return Figure(
        "boost-fiber", "Boost.Fiber", "6.3, figure",
        "The first one on Boost's own schedulers: what does the drop-in gain over "
        "boost::fibers::mutex?",
        panels,
        [first, f"The paper reports {paper.says(paper.CLAIMS['boost_fiber_most'])} at 256 threads, "
                "and never a loss; it does not say with which of Boost's schedulers."],
        rows)
