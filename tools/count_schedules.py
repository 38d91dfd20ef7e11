#!/usr/bin/env python3
"""Adds up what the models have explored, and checks that it is enough.

    count_schedules.py FOLDER

FOLDER holds their reports, FOLDER/<program>/<test>.xml.  The last line has the form
"N schedules over N scenarios, N of them exhaustive, in N s".  Fails if a number is below the
promise for one run of CI (docs/design/explorer.md), or if a scenario has failed.
"""

import sys
import xml.etree.ElementTree as tree
from dataclasses import dataclass
from pathlib import Path

LEAST_SCHEDULES = 51_700_000
LEAST_SCENARIOS = 588
LEAST_EXHAUSTIVE = 94


@dataclass
class Total:
    schedules: int = 0
    scenarios: int = 0
    exhaustive: int = 0
    failed: int = 0
    seconds: float = 0

    def __iadd__(self, other: "Total") -> "Total":
        self.schedules += other.schedules
        self.scenarios += other.scenarios
        self.exhaustive += other.exhaustive
        self.failed += other.failed
        self.seconds += other.seconds
        return self

    def __str__(self) -> str:
        return (
            f"{self.schedules:,} schedules over {self.scenarios} scenarios, "
            f"{self.exhaustive} of them exhaustive, in {self.seconds:.0f} s"
        )


def count(text: str) -> Total:
    """The counts of one program.  A scenario is a test that has explored something."""
    total = Total()
    for case in tree.fromstring(text).iter("testcase"):
        properties = {each.get("name"): each.get("value") for each in case.iter("property")}
        properties |= case.attrib  # Where older versions of gtest put them.
        if "schedules" not in properties:
            continue
        total += Total(
            schedules=int(properties["schedules"]),
            scenarios=1,
            exhaustive=int(properties.get("exhaustive", 0)),
            failed=int(case.find("failure") is not None),
            seconds=float(properties["time"]),
        )
    return total


def shortfalls(total: Total) -> list[str]:
    """What is not as promised, one per line."""
    promised = (
        (total.schedules, LEAST_SCHEDULES, "schedules"),
        (total.scenarios, LEAST_SCENARIOS, "scenarios"),
        (total.exhaustive, LEAST_EXHAUSTIVE, "exhaustive scenarios"),
    )
    found = [f"less than {least:,} {what}: {n:,}" for n, least, what in promised if n < least]
    if total.failed:
        found.append(f"{total.failed} scenarios have failed")
    return found


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    total = Total()
    for program in sorted(Path(sys.argv[1]).glob("*_model")):
        one = Total()
        for report in program.glob("*.xml"):
            one += count(report.read_text(encoding="utf-8"))
        print(f"{program.name}: {one}")
        total += one
    problems = shortfalls(total)
    for each in problems:
        print(f"count_schedules: {each}", file=sys.stderr)
    print(total)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
