#!/usr/bin/env python3
"""Compares the simulated `this_machine` with the real one.

    calibration.py BUILD_DIR [--output RESULTS.json]

Runs the same loop with hotseat-bench tight-loop, measured, and with bench_simulate, simulated: tasks that
lock, spin in the section, unlock, spin in parallel.  Prints a Markdown table with the error of the
simulation, and the measurements of bench_prices beside the values of the description.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

SECTIONS = (50, 250, 1000, 5000)
PARALLEL = 2000
WORKERS = (1, 2)
HANDOFFS = ("exchange", "dispatch")
TASKS = 1000


def results(program: Path, *options: str) -> list[dict]:
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run(
            [program, *options, "--output", file.name], check=True, capture_output=True
        )
        return json.loads(Path(file.name).read_text())["cells"]


def throughput(cells: list[dict]) -> dict[tuple, float]:
    def millions(cell: dict) -> float:
        return cell["mops"]["median"] if isinstance(cell["mops"], dict) else cell["mops"]

    return {(c["contender"], c["workers"], c["section_ns"]): millions(c) for c in cells}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--output", type=Path)
    wanted = parser.parse_args()
    bench = wanted.build / "bench"
    common = [
        "--tasks", str(TASKS),
        "--workers", ",".join(map(str, WORKERS)),
        "--section-ns", ",".join(map(str, SECTIONS)),
        "--parallel-ns", str(PARALLEL),
        "--handoffs", ",".join(HANDOFFS),
    ]  # fmt: skip
    measured = throughput(results(bench / "hotseat-bench", "tight-loop", *common, "--repetitions", "7"))
    simulated = throughput(
        results(bench / "bench_simulate", *common, "--machine", "this_machine", "--no-map")
    )
    print("| hand-off | workers | section | measured, Mops/s | simulated | error |")
    print("|---|---|---|---|---|---|")
    rows = []
    for handoff in HANDOFFS:
        for workers in WORKERS:
            for section in SECTIONS:
                real = measured[handoff, workers, section]
                virtual = simulated[handoff, workers, section]
                error = virtual / real - 1
                rows.append(
                    {
                        "handoff": handoff,
                        "workers": workers,
                        "section_ns": section,
                        "measured_mops": real,
                        "simulated_mops": virtual,
                        "error": error,
                    }
                )
                print(
                    f"| {handoff} | {workers} | {section} ns | {real:.3f} | {virtual:.3f} "
                    f"| {100 * error:+.0f} % |"
                )
    prices = json.loads(
        subprocess.run([bench / "bench_prices"], check=True, capture_output=True).stdout
    )
    print("\nMeasured prices:", ", ".join(f"{name} {ns}" for name, ns in prices.items()))
    if wanted.output:
        wanted.output.write_text(json.dumps({"rows": rows, "prices": prices}, indent=1) + "\n")


if __name__ == "__main__":
    main()
