#!/usr/bin/env python3
"""Tests of cmake/list_tests.py: an entry for each test in the sources, which runs all its instances."""

import sys
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "cmake"))

from list_tests import entries_of  # noqa: E402


def listing(*tests, file="../tests/unit/sync/mutex_test.cpp", is_typed=False):
    """What gtest lists, made from Suite.test."""
    suites = {}
    for test in tests:
        suite, _, name = test.partition(".")
        entry = {"name": name, "file": file, "line": 1} | ({"type_param": "T"} if is_typed else {})
        suites.setdefault(suite, []).append(entry)
    return {"testsuites": [{"name": name, "testsuite": each} for name, each in suites.items()]}


class Entries(unittest.TestCase):
    def assert_one_entry(self, name, *instances, is_typed=False):
        entries = entries_of(listing(*instances, is_typed=is_typed), "unit_sync")
        self.assertEqual(list(entries), [name])
        for instance in instances:
            self.assertTrue(fnmatchcase(instance, entries[name]), (instance, entries[name]))
        return entries[name]

    def test_a_test_is_an_entry_named_after_its_file(self):
        self.assert_one_entry("unit_sync/mutex/Mutex.locks", "Mutex.locks")

    def test_a_file_that_is_called_like_its_program_is_not_named_again(self):
        entries = entries_of(listing("Mutex.locks", file="mutex_model.cpp"), "mutex_model")
        self.assertEqual(list(entries), ["mutex_model/Mutex.locks"])

    def test_the_instances_of_a_parameterised_test_are_one_entry(self):
        chosen = self.assert_one_entry(
            "unit_sync/mutex/Mutex.locks", "Few/Mutex.locks/0", "Few/Mutex.locks/1", "Many/Mutex.locks/a_name"
        )
        self.assertFalse(fnmatchcase("Few/Mutex.locks_again/0", chosen))

    def test_the_types_of_a_typed_test_are_one_entry(self):
        chosen = self.assert_one_entry(
            "unit_sync/mutex/Mutex.locks", "Mutex/0.locks", "Mutex/a_name.locks", is_typed=True
        )
        self.assertFalse(fnmatchcase("Mutex/0.locks_again", chosen))

    def test_both_together_are_one_entry(self):
        self.assert_one_entry(
            "unit_sync/mutex/Mutex.locks", "All/Mutex/0.locks", "All/Mutex/1.locks", is_typed=True
        )

    def test_by_suite_the_tests_of_a_file_and_a_suite_are_one_entry(self):
        tests = ["Mutex.locks", "Mutex.unlocks", "Few/Pool.runs/0", "Few/Pool.runs/1"]
        self.assertEqual(
            entries_of(listing(*tests), "unit_sync", by_suite=True),
            {"unit_sync/mutex/Mutex": "Mutex.locks:Mutex.unlocks", "unit_sync/mutex/Pool": "*/Pool.runs/*"},
        )

    def test_nothing_but_its_own_instances_is_chosen(self):
        for is_typed, tests in (
            (False, ["Mutex.locks", "Few/Pool.runs/0", "Few/Pool.runs_on/0"]),
            (True, ["Mutex/exchange.locks", "Latch/exchange.locks", "Mutex/exchange.locks_again"]),
        ):
            entries = entries_of(listing(*tests, is_typed=is_typed), "unit_sync")
            for test in tests:
                self.assertEqual(sum(fnmatchcase(test, chosen) for chosen in entries.values()), 1, test)


if __name__ == "__main__":
    unittest.main()
