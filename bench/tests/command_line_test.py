#!/usr/bin/env python3
"""hotseat-bench from outside: command_line_test.py PROGRAM."""

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "hotseat-bench"
COMPANIONS = {
    "simulate": ["--tasks", "20", "--iterations", "2", "--workers", "1,2", "--repetitions", "4"],
    "boost-fiber": ["--tasks", "20", "--iterations", "2", "--workers", "2", "--repetitions", "4"],
    "leveldb": ["--tasks", "2", "--handoffs", "exchange,dispatch", "--records", "1000", "--seconds", "0.02",
                "--repetitions", "1"],
    "java": ["--tasks", "20", "--workers", "1", "--section-ns", "0", "--run-ms", "1", "--warm-up-ms", "1",
             "--repetitions", "1"],
}
SMALL = ["--tasks", "50", "--iterations", "5", "--workers", "2", "--rivals", "none"]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          check=False)


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def refuses(self, text, *arguments):
        outcome = run(*arguments)
        self.assertEqual(outcome.returncode, 2, outcome)
        self.assertIn(text, outcome.stderr)
        self.assertEqual(outcome.stderr.count("\n"), 1, "an error is one line")
        self.assertEqual(outcome.stdout, "")

    def test_bad_input_is_one_line_and_exit_code_2(self):
        self.refuses("subcommand is required")
        self.refuses("--wurkers", "mutex", "--wurkers", 2)
        self.refuses("not in range", "mutex", "--workers", 0)
        self.refuses("not in range", "mutex", "--workers", 1000000)
        self.refuses("not in range", "mutex", "--tasks", 0)
        self.refuses("swap", "mutex", "--handoffs", "swap")
        self.refuses("4e9", "mutex", "--tasks", 10000000, "--iterations", 1000)
        self.refuses("cannot write", "mutex", "--output", self.folder / "no" / "file")
        self.refuses("--output is required", "all")
        self.refuses("cannot make the folder", "all", "--output", "/dev/null/results")
        self.refuses("swap", "all", "--output", self.folder, "--only", "swap")
        self.refuses("cannot read", "compare", self.folder / "a", self.folder / "b")
        self.refuses("not in range", "executor", "--tasks", 0)
        self.refuses("not in range", "executor", "--workers", 0)
        self.refuses("swap", "executor", "--workloads", "swap")
        self.refuses("--wurkers", "executor", "--wurkers", 2)
        self.refuses("cannot write", "executor", "--output", self.folder / "no" / "file")

    def test_a_report_of_nothing_is_refused(self):
        self.refuses("RESULTS is required", "report")
        self.refuses("not a folder", "report", self.folder / "no")
        self.refuses("no result", "report", self.folder, "--output", self.folder / "page.html")
        self.refuses("cannot write", "report", self.folder, "--output", self.folder / "no" / "page.html")
        self.refuses("not a folder", "report", self.folder, "--simulated", self.folder / "no")
        (self.folder / "broken.json").write_text("{")
        self.refuses("not JSON", "report", self.folder, "--output", self.folder / "page.html")
        (self.folder / "broken.json").write_text('{"benchmark": "mutex", "cells": [{"workers": 1}]}')
        self.refuses("not a whole result", "report", self.folder, "--output", self.folder / "page.html")
        self.assertFalse((self.folder / "page.html").exists())

    def test_companions_refuse_bad_input_or_are_named_as_absent(self):
        for name in COMPANIONS:
            self.refuses("not in range", name, "--repetitions", 0)
            self.refuses("not in range", name, "--tasks", 0)
            if self.is_present(name):
                self.refuses("--wurkers", name, "--wurkers", 2)
                self.refuses("cannot write", name, "--output", self.folder / "no" / "file")

    def test_a_companion_that_is_not_beside_the_program_is_one_line(self):
        alone = self.folder / "hotseat-bench"
        shutil.copy(PROGRAM, alone)
        for name in [*COMPANIONS, "report"]:
            arguments = [self.folder] if name == "report" else []
            outcome = subprocess.run([alone, name, *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(outcome.returncode, 2, name)
            self.assertIn("beside this program: it needs", outcome.stderr)
            self.assertEqual(outcome.stderr.count("\n"), 1)

    def is_present(self, name):
        return run(name, "--all-options").returncode == 0

    def test_companions_write_results_that_compare(self):
        for name, options in COMPANIONS.items():
            if not self.is_present(name):
                continue
            path = self.folder / f"{name}.json"
            outcome = run(name, *options, "--output", path)
            self.assertEqual(outcome.returncode, 0, outcome)
            report = json.loads(path.read_text())
            for fact in ("compiler", "flags", "commit", "governor", "load_before"):
                self.assertTrue(report["machine"][fact], (name, fact))
            self.assertIs(report["is_complete"], True)
            for cell in report["cells"]:
                self.assertTrue(cell["contender"])
                self.assertGreater(cell["runs"][0][report["score"]], 0)
            self.assertEqual(run("compare", path, path).returncode, 0, name)

    def test_help_is_no_error(self):
        for arguments in (["--help"], ["mutex", "--help"], ["compare", "--help"], ["executor", "--help"],
                          ["simulate", "--help"], ["report", "--help"]):
            outcome = run(*arguments)
            self.assertEqual(outcome.returncode, 0)
            self.assertIn("Usage", outcome.stdout)

    def measure(self, name, *more):
        path = self.folder / name
        outcome = run("mutex", *SMALL[:-2], *(more or SMALL[-2:]), "--repetitions", 4, "--output", path)
        self.assertEqual(outcome.returncode, 0, outcome)
        return path, json.loads(path.read_text()), outcome.stdout

    def test_a_result_says_what_was_measured_and_where(self):
        _, report, table = self.measure("a.json")
        self.assertEqual({cell["contender"] for cell in report["cells"]},
                         {"one thread, no lock", "exchange", "dispatch", "resume_inline"})
        for cell in report["cells"]:
            self.assertEqual(len(cell["runs"]), 4)
            self.assertIn(cell["contender"], table)
        for fact in ("cpu", "compiler", "flags", "commit", "governor", "load_before"):
            self.assertTrue(report["machine"][fact], fact)

    def test_threads_that_share_nothing_are_the_limit(self):
        limit = "threads that share nothing"
        _, report, table = self.measure("a.json", "--rivals", limit)
        shares = {cell["contender"]: cell.get("share_of_limit") for cell in report["cells"]}
        self.assertIsNone(shares[limit])
        self.assertGreater(shares["exchange"], 0)
        self.assertIn("of limit", table)

    def test_compare_finds_what_became_slower(self):
        path, report, _ = self.measure("a.json")
        self.assertEqual(run("compare", path, path).returncode, 0)
        for cell in report["cells"]:
            if cell["contender"] == "exchange":
                for run_of_cell in cell["runs"]:
                    run_of_cell["mops"] /= 100
        slower = self.folder / "slower.json"
        slower.write_text(json.dumps(report))
        outcome = run("compare", path, slower)
        self.assertEqual(outcome.returncode, 1)
        self.assertEqual(outcome.stdout.count("slower\n"), 1)
        self.assertEqual(run("compare", slower, path).returncode, 0)

    def test_compare_refuses_what_does_not_compare(self):
        path, report, _ = self.measure("a.json")
        other = self.folder / "other.json"
        report["benchmark"] = "another"
        other.write_text(json.dumps(report))
        self.refuses("not of one benchmark", "compare", path, other)
        del report["cells"][0]["runs"]
        report["benchmark"] = "mutex"
        other.write_text(json.dumps(report))
        self.refuses("not a whole result", "compare", path, other)
        other.write_text("no JSON")
        self.refuses("not a result", "compare", path, other)

    def test_trace_writes_files_and_a_picture(self):
        outcome = run("trace", "--section-ms", 0.5, "--output", self.folder / "trace")
        self.assertEqual(outcome.returncode, 0, outcome)
        for handoff in ("dispatch", "resume_inline", "exchange"):
            trace = json.loads((self.folder / "trace" / f"{handoff}.json").read_text())
            sections = [event for event in trace["traceEvents"]
                        if event.get("cat") == "section"]
            self.assertEqual(len(sections), 6, "three tasks, two sections each")
        picture = ElementTree.parse(self.folder / "trace" / "timelines.svg")
        self.assertGreater(len(picture.getroot()), 30)
        summary = json.loads((self.folder / "trace" / "timelines.json").read_text())
        self.assertEqual(len(summary["cells"]), 3)
        self.refuses("cannot make the folder", "trace", "--output", "/dev/null/trace")
        self.refuses("not in range", "trace", "--section-ms", 0)

    def test_contenders_in_other_languages_take_part_or_are_named_as_absent(self):
        for name, program in (("Go sync.Mutex", "contender_go"), ("Tokio Mutex", "contender_tokio")):
            sizes = [*SMALL[:-1], name]
            if (Path(PROGRAM).parent / program).exists():
                _, report, table = self.measure("rival.json", "--rivals", name)
                rivals = [cell for cell in report["cells"] if cell["contender"] == name]
                self.assertEqual(len(rivals), 1)
                self.assertGreater(rivals[0]["mops"]["min"], 0)
                self.assertGreater(rivals[0]["cpu_seconds"]["min"], 0)
                self.assertIn(name, table)
            else:
                self.refuses(name, "mutex", *sizes)
                self.assertIn(f"absent: {name}", run("mutex", *SMALL).stdout)

    def test_an_interrupt_keeps_what_has_been_measured(self):
        path = self.folder / "early.json"
        program = subprocess.Popen(
            [PROGRAM, "mutex", *SMALL, "--repetitions", "1000", "--output", str(path)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        program.stderr.readline()  # A tenth of it has been measured.
        program.send_signal(signal.SIGINT)
        output, _ = program.communicate()
        self.assertEqual(program.returncode, 130)
        self.assertIn("interrupted", output)
        report = json.loads(path.read_text())
        self.assertFalse(report["is_complete"])
        self.assertGreaterEqual(len(report["cells"][0]["runs"]), 1)


if __name__ == "__main__":
    unittest.main()
