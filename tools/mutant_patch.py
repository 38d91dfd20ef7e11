"""A line that mutants.py takes away from a copy of the sources."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Patch:
    name: str
    file: str
    old: str  # stands there exactly once
    new: str
    models: tuple
