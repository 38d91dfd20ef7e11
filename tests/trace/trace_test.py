#!/usr/bin/env python3
"""HOTSEAT_TRACE from outside: trace_test.py PROGRAM."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections import defaultdict
from pathlib import Path

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "traced_program"
SECTIONS = 40 * 5 + 1
WORKERS = 3
TINY = 0.0011  # Times are written to the nanosecond.


def run(*arguments, **environment):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


class Trace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "trace.json"

    def record(self, *arguments, **environment):
        outcome = run(*arguments, HOTSEAT_TRACE=str(self.path), **environment)
        self.assertEqual(outcome.returncode, 0, outcome)
        self.assertEqual(outcome.stderr, "")
        return json.loads(self.path.read_text())

    def sections(self, trace):
        """In the order of time; parts of a section that was suspended are one."""
        those = sorted((event for event in trace["traceEvents"] if event.get("cat") == "section"),
                       key=lambda event: event["ts"])
        return [event for event in those if "continued" not in event["args"]], those

    def test_slices_of_a_thread_nest(self):
        for mode in ([], ["delegate"]):
            threads = defaultdict(list)
            for event in self.record(*mode)["traceEvents"]:
                if event["ph"] == "X":
                    threads[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
            self.assertTrue(threads)
            for slices in threads.values():
                open_until = []
                for begin, end in sorted(slices, key=lambda each: (each[0], -each[1])):
                    while open_until and open_until[-1] <= begin + TINY:
                        open_until.pop()
                    if open_until:
                        self.assertLessEqual(end, open_until[-1] + TINY)
                    open_until.append(end)

    def test_every_section_is_there_and_no_two_at_once(self):
        for mode in ([], ["delegate"]):
            trace = self.record(*mode)
            self.assertEqual(trace["otherData"]["dropped"], 0)
            entered, parts = self.sections(trace)
            self.assertEqual(len(entered), SECTIONS)
            for before, after in zip(parts, parts[1:]):
                self.assertLessEqual(before["ts"] + before["dur"], after["ts"] + TINY)

    def test_a_section_that_was_handed_over_runs_on_the_worker_of_the_one_before(self):
        _, parts = self.sections(self.record())
        handed_over = 0
        for before, after in zip(parts, parts[1:]):
            if after["args"]["entered"] == "handed over" and "continued" not in after["args"]:
                self.assertEqual(after["tid"], before["tid"])
                handed_over += 1
        # All but tasks that had counted themselves as arrived but were not in line yet.
        self.assertGreaterEqual(handed_over, 40 - WORKERS)

    def test_delegated_sections_run_on_the_worker_that_has_the_lock(self):
        _, parts = self.sections(self.record("delegate"))
        delegated = 0
        for before, after in zip(parts, parts[1:]):
            if after["args"]["entered"] == "delegated":
                self.assertEqual(after["tid"], before["tid"])
                delegated += 1
        self.assertGreaterEqual(delegated, 40 - WORKERS)

    def test_workers_and_tasks_have_names(self):
        events = self.record()["traceEvents"]
        threads = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
        workers = {name for name in threads if name.startswith("worker")}
        self.assertTrue(workers)
        self.assertTrue(workers <= {f"worker {i}" for i in range(WORKERS)}, threads)
        self.assertIn("holder", {event["name"] for event in events})

    def test_arrows_go_from_a_section_to_the_next(self):
        events = self.record()["traceEvents"]
        begins = {event["id"]: event for event in events if event["ph"] == "s"}
        ends = {event["id"]: event for event in events if event["ph"] == "f"}
        self.assertEqual(begins.keys(), ends.keys())
        self.assertGreaterEqual(len(begins), 40 - WORKERS)
        for number, begin in begins.items():
            self.assertLessEqual(begin["ts"], ends[number]["ts"] + TINY)

    def test_what_finds_no_room_is_counted_in_the_file(self):
        trace = self.record(HOTSEAT_TRACE_EVENTS="100")
        self.assertLessEqual(trace["otherData"]["events"], 100)
        self.assertGreater(trace["otherData"]["dropped"], 0)
        dropped = sum(event["args"]["events"] for event in trace["traceEvents"]
                      if event.get("cat") == "dropped")
        self.assertEqual(dropped, trace["otherData"]["dropped"])

    def test_a_path_that_cannot_be_written_is_one_line_and_the_program_goes_on(self):
        outcome = run(HOTSEAT_TRACE="/no/such/folder/trace.json")
        self.assertEqual(outcome.returncode, 0)
        self.assertEqual(outcome.stdout, f"{SECTIONS} sections\n")
        self.assertEqual(outcome.stderr.count("\n"), 1)
        self.assertIn("/no/such/folder/trace.json: No such file or directory", outcome.stderr)

    def test_a_number_of_events_that_is_none_is_one_line_and_the_program_goes_on(self):
        for wrong in ("many", "-1", "0", "1e6", ""):
            outcome = run(HOTSEAT_TRACE=str(self.path), HOTSEAT_TRACE_EVENTS=wrong)
            self.assertEqual(outcome.returncode, 0)
            self.assertEqual(outcome.stderr.count("\n"), 1)
            self.assertIn("HOTSEAT_TRACE_EVENTS", outcome.stderr)
            self.assertFalse(self.path.exists())

    def test_without_it_nothing_is_written(self):
        outcome = run(HOTSEAT_TRACE="")
        self.assertEqual((outcome.returncode, outcome.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
