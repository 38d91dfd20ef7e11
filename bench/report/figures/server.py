"""The key-value server: requests per second, and CPU time for each."""

import words
from figures.common import measured_panel, missing_panel
from model import Chart, Figure, Line, Point

QUESTION = "How many requests does a key-value server answer, and at what cost?"
OURS = "with_lock"
RIVAL = "asio std::mutex"


def places(file, clients):
    """What was asked for, and how, in the order of the file."""
    keys = ("load", "workers", "pipeline")
    there = [c for c in file.cells if c["clients"] == clients]
    return [dict(zip(keys, at)) for at in dict.fromkeys(tuple(c[k] for k in keys) for c in there)]


def name_of(place, file):
    parts = [place["load"]]
    if place["pipeline"] > 1:
        parts.append(f"{words.exact(place['pipeline'])} at once")
    if len(file.values("workers")) > 1 and place["workers"] != file.values("workers")[0]:
        parts.append(words.count(place["workers"], "thread"))
    return ", ".join(parts)


def chart(file, clients, number, label, unit):
    at = places(file, clients)
    lines = []
    for contender in file.contenders():
        points = []
        for i, place in enumerate(at):
            cell = file.cell(contender, clients=clients, **place)
            if cell:
                value = cell[number]
                points.append(Point(i, value["median"], value["min"], value["max"]))
        if points:
            lines.append(Line(contender, points, is_connected=False))
    return Chart("", label, lines, x_scale="ordinal", y_scale="log10",
                 x_names={i: name_of(place, file) for i, place in enumerate(at)}, unit=unit)


def make(results, simulated):
    del simulated
    file = results.measured("server")
    if file is None:
        return Figure("server", "A server", "", QUESTION,
                      [missing_panel("measured", "This machine", "server")],
                      ["On this machine it was not measured.", "The paper does not measure it."])
    panels = []
    for clients in file.values("clients"):
        who = words.count(clients, "client")
        panels.append(measured_panel(f"This machine, {who}, throughput",
                                     chart(file, clients, "kops", "requests per second", "k/s"), file))
        panels.append(measured_panel(f"This machine, {who}, CPU time of the server",
                                     chart(file, clients, "cpu_us", "for each request", "µs"), file))
    clients = file.values("clients")[0]
    ratios = []
    for place in places(file, clients):
        ratio = file.ratio(OURS, RIVAL, clients=clients, **place)
        if ratio:
            ratios.append(f"{words.ratio(ratio)} ({name_of(place, file)})")
    first = (f"With {words.count(clients, 'client')}, {OURS} answers {words.listed(ratios)} of what {RIVAL} does."
             if ratios else f"There is no pair of {OURS} and {RIVAL} to compare.")
    return Figure("server", "A server", "", QUESTION, panels,
                  [first, "The client is redis-benchmark, which needs most of a CPU itself."])
