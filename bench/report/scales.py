"""Maps values to places on an axis, and chooses the values to name there."""

from math import ceil, floor, log2, log10


class Axis:
    """Maps values to [0, 1]."""

    def __init__(self, place, ticks):
        self.place = place
        self.ticks = ticks


def thinned(values, most):
    """At most that many of them, including the last one."""
    step = -(-len(values) // most)
    return values[::-1][::step][::-1]


def ordinal(values):
    values = sorted(set(values))
    places = {value: (i + 0.5) / len(values) for i, value in enumerate(values)}
    return Axis(lambda value: places[value], values)


def logarithmic(values):
    """Names the values themselves, if there is room."""
    values = sorted(set(values))
    low, high = log2(values[0]), log2(values[-1])
    if high == low:
        low, high = low - 1, high + 1
    margin = 0.04 * (high - low)
    low, high = low - margin, high + margin
    return Axis(lambda value: (log2(value) - low) / (high - low), thinned(values, 9))


def decades(values):
    """Names powers of ten."""
    low, high = floor(log10(min(values)) + 1e-9), ceil(log10(max(values)) - 1e-9)
    high = max(high, low + 1)
    return Axis(lambda value: (log10(value) - low) / (high - low),
                [10.0 ** i for i in range(low, high + 1)])


def linear_ticks(low, high, about=5):
    raw = (high - low) / about
    step = 10 ** floor(log10(raw))
    step *= next(factor for factor in (1, 2, 2.5, 5, 10) if factor * step >= raw * 0.999)
    first = ceil(low / step - 1e-9)
    return [round(i * step, 12) for i in range(first, floor(high / step + 1e-9) + 1)]


def linear_y(values):
    """From 0, so that lengths can be compared."""
    high = 1.08 * max([*values, 1e-9])
    return Axis(lambda value: value / high, linear_ticks(0, high))


def log_y(values):
    positive = [value for value in values if value > 0] or [1, 10]
    low, high = floor(log10(min(positive)) - 1e-9), ceil(log10(max(positive)) + 1e-9)
    ticks = [10.0 ** i for i in range(low, high + 1)]
    if high - low < 2:
        ticks = [t * k for t in ticks for k in (1, 2, 5) if t * k <= 10.0 ** high]
    smallest = 10.0 ** low
    return Axis(lambda value: (log10(max(value, smallest)) - low) / (high - low), ticks)


def linear_x(values):
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 1, high + 1
    margin = 0.04 * (high - low)
    return Axis(lambda value: (value - low + margin) / (high - low + 2 * margin),
                linear_ticks(low, high))
