#!/usr/bin/env python3
"""Tests hotseat-bench from outside: command_line_test.py PROGRAM.

Passes whether or not Go, Tokio, a JDK and LevelDB are installed.  Companions that were not built are
skipped, by name.
"""

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
SERVER = ["--loads", "incr,5 us inside", "--forms", "exchange,asio strand,redis-server", "--requests", "2000",
          "--clients", "5", "--pipeline", "2", "--workers", "1", "--heavy-workers", "2", "--repetitions", "1"]
CAMPAIGNS = ["mutex", "section-length", "fiber", "tight-loop", "shared-mutex", "semaphore", "channel",
             "queuing-delay", "validation", "executor"]
SMALL = ["--tasks", "50", "--iterations", "5", "--workers", "2", "--rivals", "none"]


def run(*arguments, program=PROGRAM):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)


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
        self.refuses("--output is required", "all")
        self.refuses("cannot make the folder", "all", "--output", "/dev/null/results")
        self.refuses("swap", "all", "--output", self.folder, "--only", "swap")
        self.refuses("cannot read", "compare", self.folder / "a", self.folder / "b")
        self.refuses("not in range", "executor", "--tasks", 0)
        self.refuses("not in range", "executor", "--workers", 0)
        self.refuses("swap", "executor", "--workloads", "swap")
        self.refuses("--wurkers", "executor", "--wurkers", 2)

    def test_a_file_that_cannot_be_written_is_refused_before_anything_is_printed(self):
        for name in CAMPAIGNS:
            self.refuses("cannot write", name, "--output", self.folder / "no" / "file")
        # Which folders are writable depends on the user; /proc never is.
        self.refuses("cannot write /proc/", "all", "--output", "/proc")
        self.refuses("cannot write /proc/", "trace", "--output", "/proc")
        self.refuses("cannot make the folder", "trace", "--output", "/dev/null/trace")
        self.assertEqual(list(self.folder.iterdir()), [])

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

    def test_companions_refuse_bad_input(self):
        for name in COMPANIONS:
            with self.subTest(name):
                self.refuses("not in range", name, "--repetitions", 0)
                self.refuses("not in range", name, "--tasks", 0)
                self.require(name)
                self.refuses("--wurkers", name, "--wurkers", 2)
                self.refuses("cannot write", name, "--output", self.folder / "no" / "file")

    def test_a_server_is_measured(self):
        self.refuses("not in range", "server", "--clients", 0)
        self.refuses("fly", "server", "--loads", "fly")
        self.refuses("cannot write", "server", "--output", self.folder / "no" / "file")
        outcome = run("server", *SERVER)
        if "it needs" in outcome.stderr:
            self.skipTest(outcome.stderr.strip())
        self.writes_a_result_that_compares("server", SERVER)

    def test_a_companion_that_is_not_beside_the_program_is_one_line(self):
        alone = self.copy_of_program()
        for name in [*COMPANIONS, "server", "report"]:
            arguments = [self.folder] if name == "report" else []
            outcome = run(name, *arguments, program=alone)
            self.assertEqual(outcome.returncode, 2, name)
            self.assertIn("beside this program: it needs", outcome.stderr)
            self.assertEqual(outcome.stderr.count("\n"), 1)

    def copy_of_program(self):
        """In a separate folder, with nothing beside it."""
        folder = self.folder / "alone"
        folder.mkdir()
        return shutil.copy(PROGRAM, folder)

    def require(self, companion):
        outcome = run(companion, "--all-options")
        if outcome.returncode != 0:
            self.skipTest(outcome.stderr.strip() or f"{companion} does not start")

    def test_companions_write_results_that_compare(self):
        for name, options in COMPANIONS.items():
            with self.subTest(name):
                self.require(name)
                self.writes_a_result_that_compares(name, options)

    def writes_a_result_that_compares(self, name, options):
        path = self.folder / f"{name}.json"
        outcome = run(name, *options, "--output", path)
        self.assertEqual(outcome.returncode, 0, outcome)
        report = json.loads(path.read_text())
        for fact in ("compiler", "flags", "commit", "governor", "load_before"):
            self.assertTrue(report["machine"][fact], fact)
        self.assertIs(report["is_complete"], True)
        for cell in report["cells"]:
            self.assertTrue(cell["contender"])
            score = cell[report["score"]]
            self.assertGreater(score["median"] if isinstance(score, dict) else score, 0)
        self.assertEqual(run("compare", path, path).returncode, 0)

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
            self.assertEqual(len(cell["mops"]["runs"]), 4)
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
                cell["mops"]["runs"] = [mops / 100 for mops in cell["mops"]["runs"]]
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
        del report["cells"][0]["mops"]
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
        self.refuses("not in range", "trace", "--section-ms", 0)

    def test_a_contender_in_another_language_that_is_not_there_is_named_as_absent(self):
        alone = self.copy_of_program()
        for name in ("Go sync.Mutex", "Tokio Mutex"):
            outcome = run("mutex", *SMALL[:-1], name, program=alone)
            self.assertEqual(outcome.returncode, 2)
            self.assertIn(name, outcome.stderr)
            self.assertIn(f"absent: {name}, built without", run("mutex", *SMALL, program=alone).stdout)

    def test_a_contender_in_another_language_takes_part(self):
        alone = self.copy_of_program()
        fake = Path(alone).parent / "contender_go"
        fake.write_text("#!/bin/sh\necho seconds=0.5 sections=250 jain_first=1 jain_half=0.75\n")
        fake.chmod(0o755)
        path = self.folder / "rival.json"
        outcome = run("mutex", *SMALL[:-1], "Go sync.Mutex", "--repetitions", 2, "--output", path, program=alone)
        self.assertEqual(outcome.returncode, 0, outcome)
        self.assertNotIn("absent: Go", outcome.stdout)
        rival, = [cell for cell in json.loads(path.read_text())["cells"]
                  if cell["contender"] == "Go sync.Mutex"]
        self.assertAlmostEqual(rival["mops"]["median"], 250 / 0.5 * 1e-6)
        self.assertEqual(rival["jain_half"]["runs"], [0.75, 0.75])

    def test_the_contenders_in_other_languages_that_were_built_do_the_work(self):
        for name, program in (("Go sync.Mutex", "contender_go"), ("Tokio Mutex", "contender_tokio")):
            with self.subTest(name):
                if not (Path(PROGRAM).parent / program).exists():
                    self.skipTest(f"{program} was not built: its language is not installed")
                _, report, table = self.measure("rival.json", "--rivals", name)
                rival, = [cell for cell in report["cells"] if cell["contender"] == name]
                self.assertGreater(rival["mops"]["min"], 0)
                self.assertGreater(rival["cpu_seconds"]["min"], 0)
                self.assertIn(name, table)

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
        self.assertGreaterEqual(len(report["cells"][0]["mops"]["runs"]), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # Lists skipped tests, and why.
