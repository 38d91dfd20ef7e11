"""A chart as a separate SVG file, for the README and other documents: a title, names at the
ends of the lines instead of a legend, and where the numbers come from.

The background is white, so that it can be read on a light page and on a dark one.
"""

from html import escape

import looks
import words
from chart import Drawing

STYLE = """
text { font: 15px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1f2328; }
.title { font-size: 20px; font-weight: 600; }
.sub { font-size: 15px; fill: #59636e; }
.tick, .note { fill: #59636e; font-size: 14px; }
.foot { fill: #59636e; font-size: 12px; }
.badge { fill: #8a3b00; font-weight: 600; }
.badge-box { fill: #fff1e5; stroke: #d9905b; }
.paper-sheet { fill: #ffffff; }
.grid { stroke: #e4e8ec; } .axis { stroke: #8b949e; }
.level { stroke: #8b949e; stroke-width: 1.2; stroke-dasharray: 3 3; }
.line { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
.bar { fill: none; stroke: currentColor; }
.point { fill: currentColor; stroke: #ffffff; }
.point.cross, .point.plus { fill: none; stroke: currentColor; stroke-width: 1.6; }
.lead { stroke: currentColor; stroke-width: 0.8; opacity: 0.6; }
.end { fill: currentColor; }
.paper { fill: #ffffff; stroke: #1f2328; stroke-width: 1.4; }
.strong .line { stroke-width: 4; } .strong .bar { stroke-width: 1.8; } .strong .end { font-weight: 700; }
.faint .line { stroke-width: 1.4; } .faint .bar { opacity: 0.22; } .faint .point { opacity: 0.85; }
.rest { color: #77808a; } .rest .end { fill: #4d555e; }
"""
COLOURS = ["#0072b2", "#d55e00", "#00795a", "#b0568c", "#a66a00", "#2f86b8", "#555555", "#7a5cb0"]
STRONG = ("exchange", "ExchangeLock")
HAND_OFFS = (*STRONG, "dispatch", "resume_inline")
LABEL_GAP = 19
LETTER = 8.4  # Its width, in a wide font.


def is_among(names, line):
    """Also true for "exchange, median", "exchange, fibers" and the like."""
    return line.name.split(",")[0] in names


def label_of(line):
    """Short enough for the end of a line; the footer explains what the ideal is."""
    if line.look == "ideal":
        return "ideal"
    return line.name.removeprefix("OS ")


def spread(wanted, low, high):
    """Places for labels, at least LABEL_GAP apart, each near its wanted place."""
    places, before = {}, low - LABEL_GAP
    for name, y in sorted(wanted.items(), key=lambda item: item[1]):
        before = places[name] = max(y, before + LABEL_GAP)
    after = high + LABEL_GAP
    for name in sorted(places, key=places.get, reverse=True):
        after = places[name] = min(places[name], after - LABEL_GAP)
    return places


class Picture(Drawing):
    """One chart with everything around it."""

    width, height = 760, 480
    top, bottom = 76, 112
    has_y_label = False  # The subtitle has it.

    def __init__(self, chart, title, subtitle, footer, is_simulated=False):
        super().__init__(chart, title)
        self.subtitle = subtitle
        self.footer = footer
        self.is_simulated = is_simulated
        self.has_favourite = any(is_among(STRONG, line) for line in chart.lines)
        longest = max(len(label_of(line)) + len(self.value_of(line)) for line in self.drawn_lines())
        self.right = 46 + LETTER * (longest + 1)
        ends = {line.name: self.end_of(line) for line in self.drawn_lines()}
        self.places = spread({name: y for name, (_, y) in ends.items()}, self.top + 4,
                             self.height - self.bottom)

    def drawn_lines(self):
        """The line that matters is drawn last, and so on top."""
        return sorted(super().drawn_lines(), key=lambda line: is_among(STRONG, line))

    def end_of(self, line):
        last = max(line.points, key=lambda p: p.x)
        return self.at(last.x, last.y)

    def value_of(self, line):
        last = max(line.points, key=lambda p: p.x)
        return words.with_unit(last.y, self.chart.unit if self.chart.unit in ("ns", "×") else "")

    def draw_line(self, line, look):
        weight = "strong" if is_among(STRONG, line) else "faint" if self.has_favourite else ""
        if self.has_favourite and not is_among(HAND_OFFS, line):
            weight += " rest"
        self.add(f'<g class="{weight}">')
        super().draw_line(line, look)
        x, y = self.end_of(line)
        to = self.width - self.right + 22
        place = self.places[line.name]
        colour = "" if "rest" in weight else f' class="c{look[0]}"'
        self.add(f'<g{colour}><path class="lead" d="M{x + 7:.1f} {y:.1f}L{to - 4:.1f} {place:.1f}"/>'
                 f'<text class="end" x="{to:.1f}" y="{place + 5:.1f}">{escape(label_of(line))} '
                 f'<tspan class="tick">{escape(self.value_of(line))}</tspan></text></g></g>')

    def draw_frame(self):
        self.add(f'<rect class="paper-sheet" width="{self.width}" height="{self.height}" rx="6"/>'
                 f'<text class="title" x="20" y="32">{escape(self.title)}</text>'
                 f'<text class="sub" x="20" y="54">{escape(self.subtitle)}</text>')
        if self.is_simulated:
            x = self.width - 116
            self.add(f'<rect class="badge-box" x="{x}" y="14" width="98" height="26" rx="13"/>'
                     f'<text class="badge" x="{x + 49}" y="32" text-anchor="middle">simulated</text>')
        super().draw_frame()
        for i, line in enumerate(reversed(self.footer)):
            self.add(f'<text class="foot" x="20" y="{self.height - 14 - 17 * i}">{escape(line)}</text>')

    def document(self):
        # `.rest g` comes last, so that it wins over the colour of the line.
        colours = "\n".join(f".c{i} {{ color: {colour}; }}" for i, colour in enumerate(COLOURS))
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" role="img" '
                f'aria-label="{escape(self.title, quote=True)}">\n'
                f'<style>\n{colours}\n{STYLE.strip()}\n.rest g {{ color: #77808a; }}\n</style>\n'
                + "\n".join(self.parts) + "\n</svg>\n")


def picture_of(chart, title, subtitle, footer, is_simulated=False):
    return Picture(chart, title, subtitle, footer, is_simulated).svg()
