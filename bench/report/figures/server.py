"""The key-value server: requests per second, and CPU time for each, relative to a std::mutex on Asio."""

import words
from figures.common import measured_panel, missing_panel
from model import Chart, Figure, Level, Line, Point

QUESTION = "How many requests does a key-value server answer, and at what cost?"
OURS = "with_lock"
RIVAL = "asio std::mutex"


def places(file, clients):
    """What was asked for, and how, in the order of the file."""
    keys = ("load", "workers", "pipeline")
    there = [c for c in file.cells if c["clients"] == clients]
    return [dict(zip(keys, at)) for at in dict.fromkeys(tuple(c[k] for k in keys) for c in there)]


def is_long(place):
    """Whether it works inside the lock."""
    return "inside" in place["load"]


def name_of(place):
    if is_long(place):
        return f"{place['load'].removesuffix(' inside').replace(' ', '')} {words.exact(place['workers'])}thr"
    return place["load"] + (f" \u00d7{words.exact(place['pipeline'])}" if place["pipeline"] > 1 else "")


def chart(file, clients, number, label):
    """Each contender relative to the rival, run by run."""
    at = places(file, clients)
    lines = []
    for contender in (c for c in file.contenders() if c != RIVAL):
        points = []
        for i, place in enumerate(at):
            cell, base = (file.cell(who, clients=clients, **place) for who in (contender, RIVAL))
            if cell and base:
                value, one = cell[number], base[number]["median"]
                points.append(Point(i, value["median"] / one, value["min"] / one, value["max"] / one))
        if points:
            lines.append(Line(contender, points, is_connected=False))
    return Chart("", label, lines, x_scale="ordinal", x_names={i: name_of(p) for i, p in enumerate(at)},
                 levels=[Level(1, RIVAL)], unit="\u00d7")


def span(ratios):
    """The smallest and the largest, in words."""
    values = sorted(r.value for r in ratios)
    return f"{words.number(values[0])} to {words.number(values[-1])} times"


def gains(file, clients):
    found = {False: [], True: []}
    for place in places(file, clients):
        ratio = file.ratio(OURS, RIVAL, clients=clients, **place)
        if ratio:
            found[is_long(place)].append(ratio)
    parts = [f"{span(found[which])} as many requests as {RIVAL} where {what}" for which, what in
             ((False, "commands are short"), (True, "they work inside the lock")) if found[which]]
    if not parts:
        return f"There is no pair of {OURS} and {RIVAL} to compare."
    return (f"With {words.count(clients, 'client')}, {OURS} answers {words.listed(parts)}; differences of a tenth "
            "are within noise.")


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
        panels.append(measured_panel(f"This machine, {who}: requests per second",
                                     chart(file, clients, "kops", f"over {RIVAL}"), file))
        panels.append(measured_panel(f"This machine, {who}: the server's CPU time for each",
                                     chart(file, clients, "cpu_us", f"over {RIVAL}"), file))
    return Figure("server", "A server", "", QUESTION, panels,
                  [gains(file, file.values("clients")[0]),
                   "\u00d716: so many requests at once; 20us 8thr: so long inside the lock, with so many threads. The client is redis-benchmark, which needs most of a CPU itself."])
