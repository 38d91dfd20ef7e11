"""The paper's numbers, each with its place: paper.json."""

import json
from pathlib import Path

import words
from model import Line, Point

PAPER = json.loads((Path(__file__).parent / "paper.json").read_text(encoding="utf-8"))
CLAIMS = {claim["id"]: claim for claim in PAPER["claims"]}


def value(name):
    return CLAIMS[name]["value"]


def says(claim):
    """The number of a claim; empty if it has none."""
    if "value" not in claim:
        return ""
    text = words.with_unit(claim["value"], claim["unit"])
    if claim.get("relation") == "between":
        return f"{words.number(claim['low'])} to {text}"
    return f"{claim['relation']} {text}" if "relation" in claim else text


def stars(axis, *names, label="the paper"):
    """The claims as points of a chart over that axis."""
    return Line(label, [Point(CLAIMS[name]["at"][axis], CLAIMS[name]["value"]) for name in names],
                is_paper=True)
