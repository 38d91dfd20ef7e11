"""6.3: virtual threads of Java."""

import paper
import words
from figures.common import measured_panel, missing_panel, not_simulated
from model import Chart, Figure, Level, Row
from sources import ratios_over

OURS = "ExchangeLock, our scheduler"
THEIRS = "ReentrantLock, JDK scheduler"


def chart(file):
    lines = []
    for workers in file.values("workers"):
        line = ratios_over(file, "section_ns", OURS, THEIRS, words.count(workers, "carrier"),
                           workers=workers)
        if line:
            lines.append(line)
    lines.append(paper.stars("section_ns", "java_long", label="the paper: 128 threads"))
    return Chart("nanoseconds of waiting in the section", "ExchangeLock / ReentrantLock", lines,
                 x_scale="ordinal", levels=[Level(1, "as fast as ReentrantLock"),
                                              Level(paper.CLAIMS["java_short"]["low"],
                                                    "the paper, below 1 µs: at least", "published")], unit="×")


def among(file, fits):
    """(ratio, place) of the cells with a suitable section."""
    found = []
    for workers in file.values("workers"):
        for ns in file.values("section_ns"):
            ratio = file.ratio(OURS, THEIRS, workers=workers, section_ns=ns)
            if ratio and fits(ns):
                found.append((ratio, f"{words.count(workers, 'carrier')}, {words.exact(ns)} ns"))
    return found


def span(found):
    least = min(found, key=lambda f: f[0].value)
    most = max(found, key=lambda f: f[0].value)
    return (f"{words.number(least[0].value)} to {words.number(most[0].value)}×", least, most)


def make(results, simulated):
    del simulated
    file = results.measured("java")
    rows = [Row(paper.CLAIMS["java_short"]), Row(paper.CLAIMS["java_long"])]
    short = among(file, lambda ns: ns < 1000) if file else []
    long = among(file, lambda ns: ns >= 1000) if file else []
    parts = []
    if short:
        rows[0].measured = span(short)[0] + ", sections below 1 µs"
        parts.append(f"{span(short)[0]} with sections below 1 µs")
    if long:
        _, _, most = span(long)
        rows[1].measured = "most: " + words.ratio(*most)
        parts.append(f"{span(long)[0]} from 1 µs on")
    first = (f"Here ExchangeLock does {words.listed(parts)} of what ReentrantLock does on the JDK's "
             "scheduler." if parts else "On this machine it was not measured.")
    return Figure(
        "java", "Virtual threads of Java", "6.3, figure",
        "The first one in Java: ExchangeLock on our scheduler against ReentrantLock on the JDK's.",
        [measured_panel("This machine, measured", chart(file), file) if parts
         else missing_panel("measured", "This machine", "java"),
         not_simulated("The paper's machine", "there is no simulated machine for Java.")],
        [first, f"The paper reports {paper.says(paper.CLAIMS['java_short'])} below 1 µs with more than 64 "
                f"threads, and up to {paper.says(paper.CLAIMS['java_long'])} with 128 threads at 7.5 µs."],
        rows)
