#!/usr/bin/env python3
"""Draws results of hotseat-bench as SVG files; needs only Python.

    plot.py RESULTS.json [MORE.json ...] [--output FOLDER]

Writes next to each file of results, or into FOLDER:

    throughput.svg   for mutex, section-length and java: over workers, a line for each contender;
                     with several section lengths, throughput-<length>ns.svg for each
    speedup.svg      exchange over dispatch, over the length of the section, a line for each
                     number of workers; only if several lengths were measured
    <name>.svg       for a simulated result <name>.json; the picture says that it is simulated

Bars show the smallest and the largest repetition.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "report"))

from figures import common, mutex, queuing_delay, section_length, shared_mutex  # noqa: E402
from model import Chart  # noqa: E402
from picture import picture_of  # noqa: E402
from results import Failure, read  # noqa: E402
from sources import lines_over  # noqa: E402

MEASURED = ("mutex", "section-length", "fiber", "java")


def footer_of(file):
    machine, settings = file.machine, file.settings
    iterations = settings["iterations"]  # A number, or for Java the duration.
    sizes = [f"{settings['tasks']} tasks" + (f" × {iterations} iterations" if isinstance(iterations, int)
                                             else f", {iterations}")]
    sizes += [f"{name}: {settings[key]}" for key, name in (("range", "primes"), ("order", "order"))
              if key in settings]
    ideal = [mutex.IDEAL] if file.cell(common.ONE_THREAD) else []
    runs = f"median of {settings['repetitions']}, bars: slowest to fastest run"
    return [", ".join(sizes), "; ".join([runs, *ideal]),
            f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['compiler']}, "
            f"commit {machine['commit']}, {machine['started']}"]


def measured_pictures(file):
    """Name and content of each picture."""
    lengths = file.values("section_ns")
    for length in lengths:
        extra = f", {length:g} ns longer sections" if length else ""
        yield ("throughput" if len(lengths) == 1 else f"throughput-{length:g}ns",
               picture_of(mutex.measured_chart(file, length), f"Mutex throughput, measured{extra}",
                          "Million iterations per second, over the number of workers", footer_of(file)))
    speed_up = section_length.chart(file)
    if len(lengths) > 1 and speed_up.lines:
        yield ("speedup", picture_of(speed_up, "Speed-up of exchange over dispatch, measured",
                                     "Throughput, exchange / dispatch, over the length of the section",
                                     footer_of(file)))


def simulated_picture(file):
    """The picture of a simulated figure; None if it is another simulation."""
    most = common.largest_simulated(file)
    if common.is_shared_simulation(file):
        shared_mutex.percent_cells(file)
        title = f"Readers and writers on {most:g} threads"
        subtitle = "Million sections per second, over the share of sections that write"
        chart = shared_mutex.throughput(file, most)
    elif common.is_queuing_simulation(file):
        title = f"Idle lock between hand-offs, {most:g} threads"
        subtitle = "From the end of a section to the start of the next one, over the number of tasks"
        chart = Chart(queuing_delay.X, queuing_delay.Y, queuing_delay.delay_lines(file),
                      y_scale="log10", unit="ns")
    elif common.is_section_simulation(file):
        title = "Speed-up of exchange over dispatch"
        subtitle = "Throughput, exchange / dispatch, over the length of the section"
        chart = section_length.chart(file)
    elif common.is_mutex_simulation(file):
        title = f"Mutex throughput on a machine of {most:g} threads"
        subtitle = "Million sections per second, over the number of workers"
        chart = Chart("workers", mutex.SIMULATED_Y, lines_over(file, "workers", "mops"), unit=mutex.Y)
    else:
        return None
    settings = file.settings
    footer = ["Nothing was measured: the library ran on a described machine, in virtual time.",
              f"{file.machine['simulated']}, parallel part {settings['parallel_ns'] / 1000:g} µs, "
              f"seed {settings['seed']}, {file.machine['compiler']}, commit {file.machine['commit']}"]
    return picture_of(chart, title, subtitle, footer, is_simulated=True)


def pictures_of(path):
    file = read(path)
    if file is None or not file.cells:
        raise Failure(f"{path} is not a result of hotseat-bench")
    if file.is_simulated:
        drawn = [(path.stem, content) for content in [simulated_picture(file)] if content]
    elif file.benchmark in MEASURED:
        drawn = list(measured_pictures(file))
    else:
        raise Failure(f"{path}: no picture for {file.benchmark}; `hotseat-bench report` has one")
    if not drawn:
        raise Failure(f"{path} has nothing to draw")
    return drawn


def main():
    parser = argparse.ArgumentParser(description="Draws results of hotseat-bench as SVG files.")
    parser.add_argument("results", nargs="+", type=Path, help="files that hotseat-bench wrote")
    parser.add_argument("--output", type=Path, help="folder for the pictures")
    wanted = parser.parse_args()
    try:
        drawn = [(path, pictures_of(path)) for path in wanted.results]
        for path, pictures in drawn:
            folder = wanted.output or path.parent
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in pictures:
                (folder / f"{name}.svg").write_text(content, encoding="utf-8")
                print(folder / f"{name}.svg")
    except (Failure, OSError) as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return 2
    except (KeyError, IndexError, TypeError) as error:
        print(f"plot.py: not a whole result of hotseat-bench: {error!r}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
