"""Figures as one self-contained HTML page."""

import json
from html import escape
from pathlib import Path

import chart
import facts
import paper

HERE = Path(__file__).parent
NONE = '<span class="none">–</span>'


def with_code(text):
    """Backticks become code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def panel_html(panel, figure):
    if panel.chart is None or not panel.chart.lines:
        why = panel.missing or "No data."
        return (f'<div class="panel missing {panel.kind}"><h3>{escape(panel.title)}</h3>'
                f"<p>{with_code(why)}</p></div>")
    title = f"{figure.title}: {panel.title}"
    source = f'<p class="source">{escape(panel.source)}</p>' if panel.source else ""
    return (f'<div class="panel {panel.kind}"><h3>{escape(panel.title)}</h3>'
            f"{chart.svg_of(panel.chart, title)}{chart.legend_of(panel.chart)}"
            f"<details><summary>The numbers</summary>{chart.table_of(panel.chart)}</details>"
            f"{source}</div>")


def figure_html(figure):
    place = f"The paper, {figure.place}" if figure.place else "Not in the paper"
    panels = "".join(panel_html(panel, figure) for panel in figure.panels)
    says = " ".join(f"<span>{escape(each)}</span>" for each in figure.sentences)
    return (f'<section class="figure" id="{figure.name}"><h2>{escape(figure.title)}</h2>'
            f'<p class="place">{place} · <code>hotseat-bench {escape(command_of(figure))}</code></p>'
            f'<p>{escape(figure.question)}</p><p class="says">{says}</p>'
            f'<div class="panels">{panels}</div></section>')


def command_of(figure):
    return {"distribution": "queuing-delay", "waiting": "queuing-delay"}.get(figure.name, figure.name)


def claims_html(figures):
    heads = ["the paper says", "where", "we measured, here", "we simulated, its machine"]
    rows = []
    for row in (row for figure in figures for row in figure.rows):
        number = paper.says(row.claim)
        said = (f"<strong>{escape(number)}</strong> · " if number else "") + escape(row.claim["says"])
        cells = [said, escape(row.claim["place"]), escape(row.measured) or NONE,
                 escape(row.simulated) or NONE]
        rows.append("<tr>" + "".join(f'<td data-head="{head}">{cell}</td>'
                                     for head, cell in zip(heads, cells)) + "</tr>")
    head = "".join(f"<th>{each}</th>" for each in heads)
    return (f'<section id="claims"><h2>The paper says, we measured, we simulated</h2>'
            f'<p class="faint">{escape(paper.PAPER["note"])} “–”: not measured, or not simulated. '
            "“~”: the runs of both sides overlap so much that the difference may be chance.</p>"
            f'<div class="claims"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody>'
            "</table></div></section>")


def cards_html(headlines):
    cards = "".join(f'<div class="card"><b>{escape(each.value)}</b>{escape(each.text)}</div>'
                    for each in headlines)
    return f'<div class="cards">{cards}</div>'


def html_of(figures, headlines, files):
    links = "".join(f'<li><a href="#{f.name}">{escape(f.title)}</a></li>' for f in figures)
    expected = json.dumps({"figures": [figure.name for figure in figures]})
    style = (HERE / "style.css").read_text(encoding="utf-8")
    script = (HERE / "check.js").read_text(encoding="utf-8")
    title = "hotseat: the paper's figures, again"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<p>The evaluation of <em>{escape(paper.PAPER["title"])}</em> ({escape(paper.PAPER["authors"])},
{escape(paper.PAPER["address"])}), with the locks of hotseat. <strong>Measured</strong> is what ran on this
machine. <strong>Simulated</strong> is the same code on a described machine of the paper's size,
{escape(paper.PAPER["machine"])}; nothing was measured there. <strong>Stars</strong> are numbers that the
paper states.</p>
{cards_html(headlines)}
{facts.warnings_html(files)}
<nav aria-label="figures"><ul>{links}<li><a href="#claims">table of claims</a></li><li><a href="#facts">machine</a></li></ul></nav>
{"".join(figure_html(figure) for figure in figures)}
{claims_html(figures)}
<section id="facts"><h2>Machine, compiler, load</h2>
{facts.table_html(files)}
</section>
<script type="application/json" id="expected">{expected}</script>
<script>{script}</script>
</body>
</html>
"""
