#!/usr/bin/env python3
"""Tests of count_schedules.py: what it reads, and what it rejects."""

import sys
import unittest
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import count_schedules  # noqa: E402
from count_schedules import Total  # noqa: E402

CASE = """<testcase name="{name}" time="0.5">{failure}
  <properties>
    <property name="schedules" value="{schedules}"/>
    <property name="exhaustive" value="{exhaustive}"/>
  </properties></testcase>"""


def page(*cases):
    return f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>"


def case(schedules, exhaustive, failure=""):
    return CASE.format(name="a", schedules=schedules, exhaustive=exhaustive, failure=failure)


class Count(unittest.TestCase):
    def test_scenarios_add_up(self):
        total = count_schedules.count(page(case(3, 1), case(40, 0)))
        self.assertEqual(total, Total(43, 2, 1, 0, 1.0))

    def test_a_test_that_explores_nothing_is_no_scenario(self):
        total = count_schedules.count(page('<testcase name="a" time="1"/>'))
        self.assertEqual(total, Total())

    def test_a_failure_counts(self):
        total = count_schedules.count(page(case(3, 0, '<failure message="x"/>')))
        self.assertEqual(total.failed, 1)


ENOUGH = Total(
    count_schedules.LEAST_SCHEDULES, count_schedules.LEAST_SCENARIOS, count_schedules.LEAST_EXHAUSTIVE
)


class Shortfalls(unittest.TestCase):
    def test_what_is_promised_is_enough(self):
        self.assertEqual(count_schedules.shortfalls(ENOUGH), [])

    def test_each_number_can_be_too_low(self):
        for name in ("schedules", "scenarios", "exhaustive"):
            total = replace(ENOUGH, **{name: getattr(ENOUGH, name) - 1})
            self.assertEqual(len(count_schedules.shortfalls(total)), 1, total)
        self.assertEqual(len(count_schedules.shortfalls(replace(ENOUGH, failed=1))), 1)


if __name__ == "__main__":
    unittest.main()
