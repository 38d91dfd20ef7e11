"""What the paper does not measure: throughput over one axis, with a panel for each value of another."""

import words
from figures.common import ONE_THREAD, WITHOUT_LOCK, measured_panel, missing_panel
from model import Chart, Figure
from sources import lines_over


class Simple:
    """A figure of one benchmark.  `panels_by` may be empty."""

    def __init__(self, benchmark, title, question, axis, axis_label, panels_by="", unit_of_panels=(),
                 pair=("exchange", "dispatch")):
        self.benchmark = benchmark
        self.title = title
        self.question = question
        self.axis = axis
        self.axis_label = axis_label
        self.panels_by = panels_by
        self.unit_of_panels = unit_of_panels
        self.pair = pair

    def places(self, file):
        fixed = {} if "workers" in (self.axis, self.panels_by) else {"workers": file.workers_here()}
        return [{self.panels_by: value, **fixed} for value in file.values(self.panels_by)] \
            if self.panels_by else [fixed]

    def where(self, at):
        return words.count(at[self.panels_by], *self.unit_of_panels)

    def panel(self, file, at):
        contenders = [c for c in file.contenders() if c != ONE_THREAD]
        lines = lines_over(file, self.axis, "mops", contenders, **at)
        scale = "ordinal" if file.values(self.axis)[0] <= 0 else "log2"
        where = f", {self.where(at)}" if self.panels_by else ""
        return measured_panel(f"This machine, measured{where}",
                              Chart(self.axis_label, "millions per second", lines, x_scale=scale,
                                    unit="Mops/s"), file)

    def best(self, file, at):
        """Which contender does most where, in words."""
        there = [cell for cell in file.cells if cell["contender"] not in WITHOUT_LOCK
                 and all(cell.get(k) == v for k, v in at.items())]
        most = max(there, key=lambda cell: file.median(cell, "mops"))
        return (f"the most is done by {most['contender']}, {words.with_unit(file.median(most, 'mops'), 'Mops/s')} "
                f"({self.axis_label}: {words.exact(most[self.axis])})")

    def gains(self, file, at):
        """The smallest and the largest ratio of the pair."""
        found = []
        for value in file.values(self.axis):
            ratio = file.ratio(*self.pair, **{self.axis: value}, **at)
            if ratio:
                found.append((ratio, value))
        if not found:
            return "There is no pair of exchange and dispatch to compare."
        least = min(found, key=lambda f: f[0].value)
        most = max(found, key=lambda f: f[0].value)
        return (f"Exchange over dispatch is {words.ratio(least[0])} at least ({self.axis_label}: "
                f"{words.exact(least[1])}) and {words.ratio(most[0])} at most "
                f"({self.axis_label}: {words.exact(most[1])}).")

    def make(self, results, simulated):
        del simulated
        file = results.measured(self.benchmark)
        if file is None:
            return Figure(self.benchmark, self.title, "", self.question,
                          [missing_panel("measured", "This machine", self.benchmark)],
                          ["On this machine it was not measured.", "The paper does not measure it."])
        places = self.places(file)
        at = places[0]
        where = f" with {self.where(at)}" if self.panels_by else ""
        return Figure(self.benchmark, self.title, "", self.question,
                      [self.panel(file, each) for each in places],
                      [f"Here{where} {self.best(file, at)}.", self.gains(file, at)])


FIBER = Simple("fiber", "Fibers for tasks", "The first one with fibers, which have stacks, in place of "
               "coroutines.", "workers", "workers", pair=("exchange, fibers", "dispatch, fibers"))
SEMAPHORE = Simple("semaphore", "Semaphore", "The same with a few permits instead of one lock.",
                   "workers", "workers", "permits", ("permit", "permits"))
CHANNEL = Simple("channel", "Channel", "How many values pass from some senders to some receivers?",
                 "capacity", "capacity", "workers", ("worker", "workers"))
TIGHT_LOOP = Simple("tight-loop", "Tight loop", "Nothing but a section and a parallel part, of all lengths: where "
                    "does exchanging pay, and where does it not?", "parallel_ns", "parallel part, in ns",
                    "section_ns", ("ns of section", "ns of section"))
