"""What mutants.py takes away from the sources, and what it need not find."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Patch:
    name: str
    file: str
    old: str  # stands there exactly once
    new: str
    models: tuple


PATCHES = ()

# (file, line of the order, part): why nothing can notice.
EQUIVALENT: dict[tuple, str] = {}
