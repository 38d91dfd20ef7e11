"""Helpers for several figures."""

import paper
import words
from model import Panel, Row
from sources import source_of

PAPERS_MACHINE = "the paper's machine"

# Not real contenders: they show how much there is to gain.
ONE_THREAD = "one thread, no lock"
WITHOUT_LOCK = (ONE_THREAD, "threads that share nothing")


def largest_simulated(file):
    return max(file.values("workers"))


def missing_panel(kind, title, command):
    return Panel(kind, title, None, missing=f"Not measured: `hotseat-bench {command}` makes it.")


def not_simulated(title, why):
    return Panel("simulated", title, None, missing=f"Not simulated: {why}")


def measured_panel(title, chart, file):
    return Panel("measured", title, chart, source=source_of(file))


def simulated_panel(title, chart, file):
    return Panel("simulated", title, chart, source=source_of(file))


def rows_of(claims, file, simulated, text_of):
    """For each claim of the paper what was measured and simulated, if `text_of(claim, file, workers)`
    finds it; with the most workers that have a CPU each."""
    made = []
    for name in claims:
        row = Row(paper.CLAIMS[name])
        for source, key in ((file, "measured"), (simulated, "simulated")):
            if source is None:
                continue
            workers = largest_simulated(source) if source.is_simulated else source.workers_here()
            text = text_of(row.claim, source, workers)
            if text:
                setattr(row, key, f"{text}, {words.count(workers, 'worker')}")
        made.append(row)
    return made


def is_mutex_simulation(file):
    """One number of tasks and one length of the section, many numbers of workers."""
    return (len(file.values("tasks")) == 1 and len(file.values("section_ns")) == 1
            and file.values("writers")[-1] < 0)


def is_section_simulation(file):
    return len(file.values("section_ns")) > 1 and file.values("writers")[-1] < 0


def is_shared_simulation(file):
    return file.values("writers")[0] >= 0


def is_queuing_simulation(file):
    return len(file.values("tasks")) > 1 and file.values("writers")[-1] < 0
