"""Numbers for people."""


def number(value, digits=3):
    """Three digits that count, no exponent."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    if "e" in text:
        text = f"{float(text):.0f}" if abs(value) >= 1 else f"{float(text):f}".rstrip("0")
    return text


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
    return f"{number(n)} {thing if n == 1 else things or thing + 's'}"


def listed(words):
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


def ratio(what):
    """A Ratio, with what is to be said about noise."""
    if what.is_told_apart is None:
        return f"{number(what.value)}×"
    if what.is_told_apart:
        return f"{number(what.value)}×"
    return f"~{number(what.value)}× (within noise)"


def more_or_less(what, ours, theirs):
    """"exchange does 1.2 times as much as dispatch", or that they cannot be told apart."""
    if what.is_told_apart is False:
        return (f"{ours} and {theirs} cannot be told apart "
                f"({number(what.value)}×, within noise)")
    return f"{ours} does {number(what.value)} times as much as {theirs}"
