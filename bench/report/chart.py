"""A chart as SVG: lines, bars from the smallest to the largest run, stars for the paper."""

from html import escape

import looks
import scales
import words

LEAST_ROOM = 30  # For the name of a value on the x axis.


def x_axis(chart, values):
    if chart.x_scale == "ordinal":
        return scales.ordinal(values)
    if chart.x_scale == "linear":
        return scales.linear_x(values)
    if chart.x_scale == "log10":
        return scales.decades(values)
    return scales.logarithmic(values)


def name_of_y(value, chart):
    if chart.unit == "ns":
        return words.duration(value)
    if chart.unit == "%":
        return f"{words.number(value)} %"
    return words.number(value)


def name_of_x(value, chart):
    if chart.x_unit == "ns":
        return words.duration(value)
    return chart.x_names.get(value, words.exact(value))


class Drawing:
    """One chart, step by step."""

    width, height = 460, 310
    right, top, bottom = 24, 12, 46  # Free space at the borders.
    has_y_label = True

    def __init__(self, chart, title):
        self.chart = chart
        self.title = title
        self.parts = []
        self.left = 78 if chart.unit == "ns" else 58  # Durations are long.
        points = [p for line in chart.lines for p in line.points]
        ys = [v for p in points for v in (p.y, p.low, p.high) if v is not None]
        ys += [level.y for level in chart.levels]
        self.x = x_axis(chart, [p.x for p in points])
        self.y = scales.log_y(ys) if chart.y_scale == "log10" else scales.linear_y(ys)

    def at(self, x, y):
        return (self.left + self.x.place(x) * (self.width - self.left - self.right),
                self.height - self.bottom - self.y.place(y) * (self.height - self.top - self.bottom))

    def add(self, text):
        self.parts.append(text)

    def draw_frame(self):
        left, right, bottom = self.left, self.width - self.right, self.height - self.bottom
        for tick in self.y.ticks:
            y = bottom - self.y.place(tick) * (bottom - self.top)
            self.add(f'<line class="grid" x1="{left}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
            self.add(f'<text class="tick" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">'
                     f'{escape(name_of_y(tick, self.chart))}</text>')
        self.add(f'<line class="axis" x1="{left}" x2="{right:.1f}" y1="{bottom}" y2="{bottom}"/>')
        before = self.width + LEAST_ROOM
        for tick in reversed(self.x.ticks):
            x = left + self.x.place(tick) * (right - left)
            if before - x < LEAST_ROOM:
                continue
            before = x
            self.add(f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 4}"/>')
            # Words go one below another, so that they fit.
            lines = name_of_x(tick, self.chart).split(" ") if self.chart.x_names else \
                [name_of_x(tick, self.chart)]
            for i, line in enumerate(lines):
                self.add(f'<text class="tick" x="{x:.1f}" y="{bottom + 18 + 14 * i}" '
                         f'text-anchor="middle">{escape(line)}</text>')
        self.add(f'<text class="label" x="{(left + right) / 2:.0f}" y="{bottom + 38}" '
                 f'text-anchor="middle">{escape(self.chart.x_label)}</text>')
        if not self.has_y_label:
            return
        middle = (self.top + bottom) / 2
        self.add(f'<text class="label" x="13" y="{middle:.0f}" text-anchor="middle" '
                 f'transform="rotate(-90 13 {middle:.0f})">{escape(self.chart.y_label)}</text>')

    def draw_levels(self):
        for level in self.chart.levels:
            y = self.height - self.bottom - self.y.place(level.y) * (self.height - self.top - self.bottom)
            self.add(f'<line class="level {level.look}" x1="{self.left}" x2="{self.width - self.right:.1f}" '
                     f'y1="{y:.1f}" y2="{y:.1f}"/>')

    def tooltip(self, line, point):
        unit = self.chart.unit
        text = f"{line.name}, {self.chart.x_label} {name_of_x(point.x, self.chart)}: " \
               f"{words.with_unit(point.y, unit)}"
        if point.low is not None:
            text += f" ({words.with_unit(point.low, unit)} to {words.with_unit(point.high, unit)})"
        return f"<title>{escape(text)}</title>"

    def draw_line(self, line, look):
        colour, shape, dash = look
        points = sorted(line.points, key=lambda p: p.x)
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(p.x, p.y) for p in points))
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<g class="c{colour}">')
        for p in points:
            if p.low is not None and p.high > p.low:
                x, low = self.at(p.x, p.low)
                _, high = self.at(p.x, p.high)
                self.add(f'<path class="bar" d="M{x:.1f} {low:.1f}V{high:.1f}m-3 0h6'
                         f'M{x - 3:.1f} {low:.1f}h6"/>')
        if len(points) > 1 and line.is_connected:
            self.add(f'<polyline class="line" points="{way}"{dashes}/>')
        if line.has_markers and shape != "none":
            for p in points:
                self.add(f'<path class="point {shape}" d="{looks.marker(shape, *self.at(p.x, p.y))}">'
                         f'{self.tooltip(line, p)}</path>')
        self.add("</g>")

    def draw_paper(self, line):
        for p in line.points:
            x, y = self.at(p.x, p.y)
            self.add(f'<path class="paper" d="{looks.star(x, y)}">{self.tooltip(line, p)}</path>')
            is_right = x > self.width - 130
            self.add(f'<text class="note" x="{x + (-11 if is_right else 11):.1f}" y="{y - 7:.1f}" '
                     f'text-anchor="{"end" if is_right else "start"}">'
                     f'{escape(words.with_unit(p.y, self.chart.unit))}</text>')

    def svg(self):
        self.draw_frame()
        self.draw_levels()
        ours = self.drawn_lines()
        for line, look in zip(ours, looks.looks_of(ours)):
            self.draw_line(line, look)
        for line in self.chart.lines:
            if line.is_paper:
                self.draw_paper(line)
        return self.document()

    def drawn_lines(self):
        return [line for line in self.chart.lines if not line.is_paper]

    def document(self):
        return (f'<svg class="chart" viewBox="0 0 {self.width} {self.height}" role="img" '
                f'aria-label="{escape(self.title, quote=True)}">{"".join(self.parts)}</svg>')


def svg_of(chart, title):
    return Drawing(chart, title).svg()


def legend_of(chart):
    """The names of the lines, as HTML, each with its look."""
    ours = [line for line in chart.lines if not line.is_paper]
    items = []
    for line, (colour, shape, dash) in zip(ours, looks.looks_of(ours)):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        mark = ""
        if line.has_markers and shape != "none":
            mark = f'<path class="point {shape}" d="{looks.marker(shape, 16, 7)}"/>'
        way = f'<line class="line" x1="1" x2="31" y1="7" y2="7"{dashes}/>' if line.is_connected else ""
        items.append(f'<li><svg class="key c{colour}" viewBox="0 0 32 14" aria-hidden="true">{way}{mark}</svg>'
                     f"{escape(line.name)}</li>")
    for line in chart.lines:
        if line.is_paper:
            items.append('<li><svg class="key" viewBox="0 0 32 14" aria-hidden="true">'
                         f'<path class="paper" d="{looks.star(16, 7, 7)}"/></svg>{escape(line.name)}</li>')
    for level in chart.levels:
        items.append('<li><svg class="key" viewBox="0 0 32 14" aria-hidden="true">'
                     f'<line class="level {level.look}" x1="1" x2="31" y1="7" y2="7"/></svg>'
                     f"{escape(level.name)}</li>")
    return f'<ul class="legend">{"".join(items)}</ul>'


def table_of(chart):
    """All numbers of a chart, as HTML."""
    xs = sorted({p.x for line in chart.lines for p in line.points})
    head = "".join(f"<th>{escape(line.name)}</th>" for line in chart.lines)
    rows = []
    for x in xs:
        cells = []
        for line in chart.lines:
            point = next((p for p in line.points if p.x == x), None)
            text = "" if point is None else words.with_unit(point.y, chart.unit)
            if point is not None and point.low is not None:
                text += (f' <span class="spread">{words.with_unit(point.low, chart.unit)} – '
                         f"{words.with_unit(point.high, chart.unit)}</span>")
            cells.append(f"<td>{text}</td>")
        rows.append(f"<tr><th>{escape(name_of_x(x, chart))}</th>{''.join(cells)}</tr>")
    return (f'<div class="scroll"><table><thead><tr><th>{escape(chart.x_label)}</th>{head}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table></div>")
