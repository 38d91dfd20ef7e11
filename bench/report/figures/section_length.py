"""6.1: speed-up of exchange over dispatch, over the length of the section."""

import paper
import words
from figures.common import (is_section_simulation, largest_simulated, measured_panel, missing_panel,
                            rows_of, simulated_panel)
from model import Chart, Figure, Level, Panel
from sources import ratios_over

X = "nanoseconds of waiting in the section"
SAME = Level(1, "as fast as dispatch")


def chart(file, stars=()):
    lines = []
    if file:
        for workers in file.values("workers"):
            line = ratios_over(file, "section_ns", "exchange", "dispatch",
                               words.count(workers, "worker"), workers=workers)
            if line:
                lines.append(line)
    return Chart(X, "exchange / dispatch", lines + list(stars), x_scale="ordinal", levels=[SAME],
                 unit="×")


def extremes(file, workers):
    """Shortest and longest section, each with its ratio."""
    pairs = [(ns, file.ratio("exchange", "dispatch", section_ns=ns, workers=workers))
             for ns in file.values("section_ns")]
    pairs = [(ns, ratio) for ns, ratio in pairs if ratio]
    return (pairs[0], pairs[-1], min(pairs, key=lambda p: p[1].value)) if pairs else None


def say(file, workers, start):
    found = extremes(file, workers)
    if not found:
        return f"{start}, there is no pair to compare."
    (short, first), (long, last), (_, least) = found
    trend = ("falls with the length" if last.value < 0.95 * first.value else
             "grows with the length" if last.value > 1.05 * first.value else
             "hardly depends on the length")
    return (f"{start}, the speed-up {trend}: {words.ratio(first)} with {words.exact(short)} ns and "
            f"{words.ratio(last)} with {words.exact(long)} ns, the least of all is "
            f"{words.number(least.value)}×")


def row_text(claim, file, workers):
    if claim["id"] == "section_never_slower":
        found = extremes(file, workers)
        return f"least: {words.ratio(found[2][1])}, {words.exact(found[2][0])} ns" if found else ""
    ratio = file.ratio("exchange", "dispatch", workers=workers, section_ns=claim["at"]["section_ns"])
    return words.ratio(ratio) if ratio else ""


def make(results, simulated):
    file = (results.measured("section-length") or
            results.measured("mutex", lambda f: len(f.values("section_ns")) > 1))
    model = simulated(is_section_simulation)
    stars = [paper.stars("section_ns", "section_short", "section_long",
                         label="the paper: about 10 and about 2")]
    told = paper.CLAIMS
    first = (say(file, file.workers_here(), f"Here, with {words.count(file.workers_here(), 'worker')}") + "."
             if file else "On this machine it was not measured.")
    second = (say(model, largest_simulated(model), f"Simulated with {largest_simulated(model)} workers") + "; "
              if model else "It was not simulated; ")
    second += (f"the paper says {paper.says(told['section_short'])} up to 250 ns and "
               f"{paper.says(told['section_long'])} at 7500 ns.")
    return Figure(
        "section-length", "Length of the section", "6.1, figure",
        "The same with longer sections. How many times as much does exchange do as dispatch?",
        [measured_panel("This machine, measured", chart(file), file) if file
         else missing_panel("measured", "This machine", "section-length"),
         simulated_panel("The paper's machine, simulated", chart(model, stars), model) if model
         else Panel("simulated", "The paper's machine, published", chart(None, stars))],
        [first, second], 
        rows_of(("section_short", "section_long", "section_never_slower"), file, model, row_text))
