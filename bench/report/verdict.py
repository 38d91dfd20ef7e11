"""Are two samples different, or is it noise?  As bench/harness/samples.hpp has it."""

from functools import lru_cache
from math import ceil


@lru_cache(maxsize=None)
def orders(m, n, won):
    """In how many orders of m and n values the first sample wins so many pairs."""
    if won < 0:
        return 0
    if m == 0 or n == 0:
        return 1 if won == 0 else 0
    return orders(m - 1, n, won) + orders(m, n - 1, won - m)


def chance_of_one_source(a, b):
    """The two-sided test of Mann and Whitney, exact."""
    pairs = len(a) * len(b)
    won = sum(1 if x < y else 0.5 if x == y else 0 for x in a for y in b)
    fewer = ceil(min(won, pairs - won))
    few = sum(orders(len(a), len(b), u) for u in range(fewer + 1))
    every = sum(orders(len(a), len(b), u) for u in range(pairs + 1))
    return min(1.0, 2 * few / every)


def are_told_apart(a, b):
    """Never for fewer than 4 runs of each.  More than 20 runs of each are thinned out."""
    def few(values):
        return values[:: -(-len(values) // 20)]

    return bool(a) and bool(b) and chance_of_one_source(few(a), few(b)) < 0.05
