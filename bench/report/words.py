"""Numbers as text."""


def number(value, digits=3):
    """Three significant digits, no exponent."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    if "e" in text:
        text = f"{float(text):.0f}" if abs(value) >= 1 else f"{float(text):f}".rstrip("0")
    return text


def exact(value):
    """For chosen numbers, not measured ones: 4096 tasks stay 4096."""
    return f"{value:.10g}"


def duration(ns):
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= factor:
            return f"{number(ns / factor)} {unit}"
    return f"{number(ns)} ns"


def with_unit(value, unit):
    if unit == "ns":
        return duration(value)
    if unit == "%":
        return f"{number(value)} %"
    if unit == "×":
        return f"{number(value)}×"
    return f"{number(value)} {unit}".strip()


def count(n, thing, things=None):
    """1 worker, 2 workers."""
    return f"{exact(n)} {thing if n == 1 else things or thing + 's'}"


def listed(words):
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


def ratio(what, place=""):
    """A Ratio, with its place and a remark about noise."""
    notes = [note for note in (place, what.doubt) if note]
    mark = "~" if what.doubt else ""
    return f"{mark}{number(what.value)}×" + (f" ({'; '.join(notes)})" if notes else "")


def more_or_less(what, ours, theirs):
    """"exchange does 1.2 times as much as dispatch", or that they cannot be told apart."""
    if what.doubt:
        return f"{ours} and {theirs} cannot be told apart ({number(what.value)}×, {what.doubt})"
    return f"{ours} does {number(what.value)} times as much as {theirs}"
