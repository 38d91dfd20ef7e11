#!/usr/bin/env python3
"""Makes one HTML page from a folder of results.

    report.py RESULTS [--output report.html] [--simulated FOLDER]

RESULTS is what `hotseat-bench all` has written, or a part of it: the page names what is missing.
Simulated results come from RESULTS, else from FOLDER, else from those beside this program.  Ends
by printing where the page is, and its three most important numbers.
"""

import argparse
import sys
from pathlib import Path

import figures
import headlines
import page
from results import Failure, Results

HERE = Path(__file__).resolve().parent


def default_simulated():
    """Beside an installed program, or in the repository."""
    for folder in (HERE / "simulated", HERE.parent.parent / "docs" / "simulated"):
        if folder.is_dir():
            return folder
    return None


def make_page(wanted):
    results = Results(wanted.results)
    stored = wanted.simulated or default_simulated()
    others = Results(stored) if stored else None

    used = []

    def simulated(fits):
        found = results.simulated(fits) or (others.simulated(fits) if others else None)
        if found and found not in used and found not in results.files:
            used.append(found)
        return found

    if not results.files:
        raise Failure(f"{wanted.results} has no result of hotseat-bench")
    made = figures.make_all(results, simulated)
    remember = headlines.make(results, simulated)
    wanted.output.write_text(page.html_of(made, remember, results.files + used), encoding="utf-8")
    return made, remember


def main():
    parser = argparse.ArgumentParser(prog="report.py", description="One HTML page of a folder of results.")
    parser.add_argument("results", type=Path, help="folder of result files")
    parser.add_argument("--output", type=Path, default=Path("report.html"))
    parser.add_argument("--simulated", type=Path, help="folder of simulated results")
    wanted = parser.parse_args()
    try:
        made, remember = make_page(wanted)
    except Failure as error:
        print(f"hotseat-bench: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"hotseat-bench: cannot write {wanted.output}: {error.strerror}", file=sys.stderr)
        return 2
    except (KeyError, TypeError, IndexError) as error:
        print(f"hotseat-bench: not a whole result of hotseat-bench: {error!r}", file=sys.stderr)
        return 2
    missing = [figure.title for figure in made if all(panel.chart is None for panel in figure.panels)]
    print(f"report: {wanted.output.resolve()}")
    for each in remember:
        print(f"  {each.value:24} {each.text}")
    if missing:
        print(f"without results: {', '.join(missing)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
