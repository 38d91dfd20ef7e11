#!/usr/bin/env python3
"""Draws the results of hotseat-bench mutex.

    plot.py RESULTS.json [MORE.json ...] [--output FOLDER]

Writes, as .svg and .png, next to the first file of results or into FOLDER:

    throughput   over workers, a line for each contender (for each section length a picture)
    speedup      of exchange over dispatch, over the length of the section, a line for each
                 number of workers; only if several lengths were measured

Bars show the smallest and the largest of the repetitions.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

try:
    import matplotlib
except ImportError:
    sys.exit(f"plot.py: {sys.executable} has no matplotlib (Debian: python3-matplotlib)")

matplotlib.use("Agg")
matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text: small, and searchable
matplotlib.rcParams["svg.hashsalt"] = "hotseat"  # the same picture twice is the same file
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

# Okabe and Ito: told apart with every kind of colour vision; the markers help in print.
LOOKS = {
    "exchange": ("#0072B2", "o", "-"),
    "dispatch": ("#D55E00", "s", "-"),
    "resume_inline": ("#009E73", "^", "-"),
    "OS threads with std::mutex": ("#CC79A7", "D", "--"),
}
ONE_THREAD = "one thread, no lock"
GREY = "#555555"
LINE_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
MARKERS = "os^Dv<>"


class Failure(Exception):
    """What went wrong, in one line."""


def load(paths):
    """Returns the first report, and the cells of all."""
    reports = []
    for path in paths:
        try:
            report = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise Failure(f"cannot read {path}: {error.strerror}") from error
        except ValueError as error:
            raise Failure(f"{path} is not JSON: {error}") from error
        if not isinstance(report, dict) or report.get("benchmark") not in (
                "mutex", "section-length", "java"):
            raise Failure(f"{path} is not a result of hotseat-bench mutex, section-length or java")
        reports.append(report)
    return reports[0], [cell for report in reports for cell in report["cells"]]


def new_figure(title, report):
    machine, settings = report["machine"], report["settings"]
    figure, axes = plt.subplots(figsize=(7.5, 4.8), layout="constrained")
    axes.set_title(title, loc="left", fontsize=13)
    figure.text(
        0.01, -0.04,
        f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['compiler']}, "
        f"commit {machine['commit']}, {machine['started']}\n"
        f"{settings['tasks']} tasks × {settings['iterations']} iterations, "
        f"primes: {settings['range']}, order: {settings['order']}, "
        f"median of {settings['repetitions']}",
        fontsize=8, color=GREY, va="top")
    axes.grid(True, color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def number_axis(axes, values):
    """A logarithmic axis with exactly these numbers on it."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(values, [f"{value:g}" for value in values])
    axes.minorticks_off()


def save(figure, folder, name):
    for ending in ("svg", "png"):
        path = folder / f"{name}.{ending}"
        figure.savefig(path, dpi=150, bbox_inches="tight")
        print(path)
    plt.close(figure)


def draw_line(axes, cells, label, look):
    colour, marker, style = look
    cells = sorted(cells, key=lambda cell: cell["workers"])
    medians = [cell["mops"]["median"] for cell in cells]
    below = [cell["mops"]["median"] - cell["mops"]["min"] for cell in cells]
    above = [cell["mops"]["max"] - cell["mops"]["median"] for cell in cells]
    axes.errorbar([cell["workers"] for cell in cells], medians, yerr=[below, above],
                  label=label, color=colour, marker=marker, linestyle=style, linewidth=2,
                  markersize=7, capsize=4, elinewidth=1)


def draw_throughput(report, cells, section_ns):
    here = [cell for cell in cells if cell["section_ns"] == section_ns]
    extra = f", {section_ns:g} ns longer section" if section_ns else ""
    figure, axes = new_figure(f"Mutex throughput{extra}", report)
    lines = defaultdict(list)
    for cell in here:
        lines[cell["contender"]].append(cell)

    alone = lines.pop(ONE_THREAD, None)
    workers = sorted({cell["workers"] for line in lines.values() for cell in line})
    if alone:
        once = alone[0]["mops"]["median"]
        cpus = report["machine"]["cpus"]
        axes.plot(workers, [once * min(count, cpus) for count in workers], color=GREY,
                  linestyle=":", linewidth=1.5, label=f"ideal ({ONE_THREAD}, × CPUs)")
    for i, (contender, line) in enumerate(lines.items()):
        other = (LINE_COLOURS[(i + 4) % len(LINE_COLOURS)], MARKERS[i % len(MARKERS)], "-.")
        draw_line(axes, line, contender, LOOKS.get(contender, other))
    number_axis(axes, workers)
    axes.set_xlabel("workers")
    axes.set_ylabel("iterations per second, in millions")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=9)
    return figure


def draw_speedup(report, cells):
    """None if there are not two lengths that both hand-offs were measured with."""
    lines = defaultdict(list)
    for cell in cells:
        if cell["contender"] == "exchange" and "ratio_to_dispatch" in cell:
            lines[cell["workers"]].append((cell["section_ns"], cell["ratio_to_dispatch"]))
    lines = {key: sorted(points) for key, points in lines.items() if len(points) > 1}
    if not lines:
        return None

    figure, axes = new_figure("Speed-up of exchange over dispatch", report)
    axes.axhline(1, color=GREY, linestyle=":", linewidth=1.5)
    for i, (workers, points) in enumerate(sorted(lines.items())):
        axes.plot(*zip(*points), label=f"{workers:g} worker{'s' if workers > 1 else ''}",
                  color=LINE_COLOURS[i % len(LINE_COLOURS)], marker=MARKERS[i % len(MARKERS)],
                  linewidth=2, markersize=7)
    axes.set_xlabel("busy waiting added to the section, in ns")
    axes.set_ylabel("throughput, exchange / dispatch")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=9)
    return figure


def main():
    parser = argparse.ArgumentParser(description="Draws the results of hotseat-bench mutex.")
    parser.add_argument("results", nargs="+", type=Path, help="files that hotseat-bench mutex wrote")
    parser.add_argument("--output", type=Path, help="folder for the pictures")
    wanted = parser.parse_args()
    try:
        folder = wanted.output or wanted.results[0].parent
        report, cells = load(wanted.results)
        folder.mkdir(parents=True, exist_ok=True)
        lengths = sorted({cell["section_ns"] for cell in cells})
        for section_ns in lengths:
            name = "throughput" if len(lengths) == 1 else f"throughput-{section_ns:g}ns"
            save(draw_throughput(report, cells, section_ns), folder, name)
        if (speedup := draw_speedup(report, cells)) is not None:
            save(speedup, folder, "speedup")
    except (Failure, OSError) as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return 2
    except KeyError as error:
        print(f"plot.py: the results have no {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
