#!/usr/bin/env python3
"""Draws the paper's figures from results of bench_simulate.

    plot.py FOLDER     reads throughput.json, speedup.json, shared.json and queuing.json of FOLDER,
                       and writes an .svg beside each that is there

Every picture says that it is simulated.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

try:
    import matplotlib
except ImportError:
    sys.exit(f"plot.py: {sys.executable} has no matplotlib (Debian: python3-matplotlib)")

matplotlib.use("Agg")
matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["svg.hashsalt"] = "hotseat"
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
MARKERS = "os^Dv<"


def draw(file: Path, lines: dict[str, dict], labels: tuple[str, str, str], log_y=False) -> None:
    title, x_label, y_label = labels
    figure, axes = plt.subplots(figsize=(5.2, 3.4))
    for i, (name, points) in enumerate(lines.items()):
        xs = sorted(points)
        axes.plot(
            xs, [points[x] for x in xs], label=name, color=COLOURS[i % 6], marker=MARKERS[i % 6]
        )
    axes.set_xscale("log", base=2)
    ticks = sorted({x for points in lines.values() for x in points})
    axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
    axes.minorticks_off()
    if log_y:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_title(f"{title} (simulated)", fontsize=10)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def ratios(cells: list[dict], line: str, x: str) -> dict[str, dict]:
    """Of exchange over dispatch."""
    by_cell = {(c[line], c[x], c["handoff"]): c["mops"] for c in cells}
    result = defaultdict(dict)
    for (name, at, handoff), mops in by_cell.items():
        if handoff == "exchange":
            result[f"{name} workers"][at] = mops / by_cell[name, at, "dispatch"]
    return result


def main() -> None:
    folder = Path(sys.argv[1])
    files = {f.stem: f for f in folder.glob("*.json")}
    for name, file in files.items():
        content = json.loads(file.read_text())
        if not content.get("simulated"):
            continue
        machine = content["machine"]["simulated"]
        cells = content["cells"]
        picture = file.with_suffix(".svg")
        if name == "throughput":
            lines = defaultdict(dict)
            for c in cells:
                lines[c["handoff"]][c["workers"]] = c["mops"]
            draw(picture, lines, (machine, "workers", "million sections per second"))
        elif name == "speedup":
            draw(
                picture,
                ratios(cells, "workers", "section_ns"),
                (machine, "section, ns", "exchange / dispatch"),
            )
        elif name == "shared":
            lines = defaultdict(dict)
            most = max(c["workers"] for c in cells)
            for c in cells:
                if c["workers"] == most:
                    lines[c["handoff"]][100 * c["writers"]] = c["mops"]
            labels = (f"{machine}, {most} workers", "writers, %", "million sections per second")
            draw(picture, lines, labels)
        elif name == "queuing":
            lines = defaultdict(dict)
            for c in cells:
                for share in ("p50", "p99"):
                    lines[f"{c['handoff']}, {share}"][c["tasks"]] = max(c["queuing_ns"][share], 1)
            draw(picture, lines, (machine, "tasks", "queuing delay, ns"), log_y=True)


if __name__ == "__main__":
    main()
