"""The parts of a page: figures, their panels, and the lines in them."""

from dataclasses import dataclass, field


@dataclass
class Point:
    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass
class Line:
    name: str
    points: list[Point]
    look: str = ""  # The contender whose colour, marker and dash it has; by default its name.
    is_paper: bool = False  # A published number: a star, not a line.
    has_markers: bool = True
    is_connected: bool = True  # False where x is a word: there is nothing between two words.


@dataclass
class Level:
    """A horizontal line with a name: a bound, or 1 for "the same"."""

    y: float
    name: str
    look: str = ""  # "published" for numbers from the paper.


@dataclass
class Chart:
    x_label: str
    y_label: str
    lines: list[Line]
    x_scale: str = "log2"  # log2, log10, linear, or ordinal: evenly, in order.
    y_scale: str = "linear"  # linear or log10
    x_names: dict[float, str] = field(default_factory=dict)
    levels: list[Level] = field(default_factory=list)
    x_unit: str = ""  # "ns" is shown as a duration.
    unit: str = ""  # Of y, in tables and tooltips; "ns" is shown as a duration.


@dataclass
class Panel:
    """One chart, or why there is none."""

    kind: str  # measured, simulated or both
    title: str
    chart: Chart | None
    missing: str = ""
    source: str = ""  # Its file, and remarks about it.


@dataclass
class Row:
    """A line of the table "paper says, we measured, we simulated"."""

    claim: dict
    measured: str = ""
    simulated: str = ""


@dataclass
class Figure:
    name: str  # The name of the command that measures it.
    title: str
    place: str  # In the paper; empty if the paper has none.
    question: str
    panels: list[Panel]
    sentences: list[str]
    rows: list[Row] = field(default_factory=list)
