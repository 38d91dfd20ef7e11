"""A change that mutants.py makes to a copy of the sources."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Patch:
    name: str
    file: str
    old: str  # occurs exactly once
    new: str
    models: tuple
