#!/usr/bin/env python3
"""Checks that the numbers in the README are those of the result files they come from.

    check_numbers.py [ROOT] [--update]

The text between `<!-- numbers from FILE -->` and `<!-- end of numbers -->` is generated from FILE,
which a command of hotseat-bench wrote.  The check fails if the text was changed by hand, or if FILE
was renewed and the page was not.  --update writes the expected text.  The pictures that show the
same numbers must name the same commit and time, and say so if they are simulated.
"""

import argparse
import json
import re
import sys
import textwrap
from datetime import datetime
from pathlib import Path

PAGES = ["README.md"]
BEGIN = re.compile(r"^<!-- numbers from (\S+) -->$")
END = "<!-- end of numbers -->"
WIDTH = 120
# The picture drawn from a result; that of a simulated result is beside its file.
PICTURES = {"mutex": "docs/throughput.svg", "trace": "docs/timelines.svg"}


class Failure(Exception):
    """What is wrong, in one line."""


def day(started):
    when = datetime.fromisoformat(started[:10])
    return f"{when.day} {when:%B %Y}"


def place(report):
    """Machine, compiler, day and commit, in words."""
    machine = report["machine"]
    cpu = re.sub(r"\s+(?:\d+-Core )?Processor\b.*", "", machine["cpu"])
    return (f"{machine['cpus']} CPUs of {cpu}, {machine['compiler']}, {day(machine['started'])}, "
            f"commit {machine['commit'][:7]}")


def mutex_text(report):
    cells = {(cell["contender"], cell["workers"]): cell for cell in report["cells"]
             if cell["section_ns"] == 0}
    workers = max((count for name, count in cells
                   if name == "exchange" and count <= report["machine"]["cpus"]), default=None)
    if workers is None:
        raise Failure("exchange was not measured with as many workers as CPUs")
    ours = cells["exchange", workers]
    speed = ours["mops"]
    ratios = []
    for rival in ("dispatch", "resume_inline", "OS threads with std::mutex"):
        theirs = cells.get((rival, workers))
        if theirs is not None:
            name = "`std::mutex` on threads" if rival.startswith("OS") else f"`{rival}`"
            ratios.append(f"{speed['median'] / theirs['mops']['median']:.2f} times that of {name}")
    settings = report["settings"]
    # If the run of one thread alone was slowed down, it is no measure of the ideal.
    share = ours["share_of_ideal"]
    of_ideal = f"{100 * share:.0f} % of the ideal, " if share <= 1.02 else ""
    noise = "" if report["is_quiet"] else (
        f" Other processes used {100 * report['foreign_load']:.0f} % of the machine.")
    return (f"{settings['tasks']} tasks draw a prime, insert it into a map behind one mutex and "
            f"factor it outside (`hotseat-bench mutex`). With {workers:g} workers, `exchange` does "
            f"{speed['median']:.2f} million iterations a second ({speed['min']:.2f} to "
            f"{speed['max']:.2f}): {of_ideal}{', '.join(ratios)}. {place(report)}, median of {settings['repetitions']}; bars go "
            f"from the slowest to the fastest run. With more workers than CPUs, preemption "
            f"shows.{noise}")


def trace_text(report):
    cells = {cell["contender"]: cell for cell in report["cells"]}
    parts = [f"{cell['idle_ms']:.2f} ms with `{name}`" for name, cell in cells.items()]
    return ("Three tasks on three threads, recorded and drawn by `hotseat-bench trace`. Time the lock "
            f"stood idle between hand-offs: {', '.join(parts)}. Hatched: inside the section; dashed: the "
            "lock stands idle; grey: other tasks.")


def simulated_text(report):
    most = max(cell["workers"] for cell in report["cells"])
    mops = {cell["contender"]: cell["mops"] for cell in report["cells"] if cell["workers"] == most}
    ratios = [f"{mops['exchange'] / theirs:.0f} times that of `{name}`"
              for name, theirs in mops.items() if name != "exchange"]
    machine = report["machine"]
    return (f"Simulated, not measured: the same code in virtual time on a described machine of "
            f"{machine['simulated']} (`hotseat-bench simulate`). With {most:g} workers, `exchange` does "
            f"{mops['exchange']:.2f} million sections a second: {', '.join(ratios)}. "
            f"Seed {report['settings']['seed']}, commit {machine['commit'][:7]}.")


TEXTS = {"mutex": mutex_text, "trace": trace_text, "simulate": simulated_text}


def load(root, name):
    try:
        report = json.loads((root / name).read_text(encoding="utf-8"))
        kind = report["benchmark"]
    except OSError as error:
        raise Failure(f"cannot read {name}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"{name} is not a result of hotseat-bench") from error
    if kind not in TEXTS:
        raise Failure(f"{name}: no text for the benchmark {kind}")
    return report


def text_from(root, name):
    report = load(root, name)
    try:
        text = TEXTS[report["benchmark"]](report)
    except KeyError as error:
        raise Failure(f"{name} has no {error}") from error
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def check_picture(root, name):
    """The picture must name the commit and time of its result; a simulated one has no time, and says
    that it is simulated."""
    report = load(root, name)
    machine = report["machine"]
    picture = PICTURES.get(report["benchmark"], str(Path(name).with_suffix(".svg")))
    stamps = [f"commit {machine['commit']}, {machine['started']}"] if "started" in machine else \
        [f"commit {machine['commit']}", ">simulated<"]
    drawn = (root / picture).read_text(encoding="utf-8") if (root / picture).is_file() else ""
    for stamp in stamps:
        if stamp not in drawn:
            yield f"{picture}: not drawn from {name}: no \"{stamp}\" in it"


def update_page(root, page):
    """Returns the expected lines, and what is wrong with the present ones."""
    lines = (root / page).read_text(encoding="utf-8").splitlines()
    result, problems, number = [], [], 0
    while number < len(lines):
        line = lines[number]
        number += 1
        result.append(line)
        if not (mark := BEGIN.match(line)):
            continue
        where = f"{page}:{number}"
        if END not in lines[number:]:
            problems.append(f"{where}: no {END} follows")
            continue
        end = lines.index(END, number)
        try:
            wanted = text_from(root, mark[1])
            problems += check_picture(root, mark[1])
        except Failure as failure:
            problems.append(f"{where}: {failure}")
            continue
        if lines[number:end] != wanted:
            problems.append(f"{where}: not what {mark[1]} says; tools/check_numbers.py --update")
        result += wanted
        number = end
    if not any(map(BEGIN.match, lines)):
        problems.append(f"{page}: has no numbers from a file of results")
    return result, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path,
                        default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--update", action="store_true", help="write the expected text")
    wanted = parser.parse_args()
    problems = []
    for page in PAGES:
        lines, found = update_page(wanted.root, page)
        if wanted.update:
            (wanted.root / page).write_text("\n".join(lines) + "\n", encoding="utf-8")
            _, found = update_page(wanted.root, page)
        problems += found
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
