#!/usr/bin/env python3
"""Tests of count_schedules.py: what it reads, and what is not enough."""

import sys
import unittest
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


class Shortfalls(unittest.TestCase):
    def test_what_is_promised_is_enough(self):
        self.assertEqual(count_schedules.shortfalls(Total(10_000_000, 60, 15)), [])

    def test_each_number_can_be_too_low(self):
        for total in (
            Total(9_999_999, 60, 15),
            Total(10_000_000, 59, 15),
            Total(10_000_000, 60, 14),
            Total(10_000_000, 60, 15, failed=1),
        ):
            self.assertEqual(len(count_schedules.shortfalls(total)), 1, total)


if __name__ == "__main__":
    unittest.main()
