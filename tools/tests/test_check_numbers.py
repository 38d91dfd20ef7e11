#!/usr/bin/env python3
"""Tests of check_numbers.py: numbers that match their file, and some that do not."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent / "check_numbers.py"
COMMIT = "0123456789ab"
STARTED = "2026-11-17 10:00:00 UTC"


def cell(contender, workers, mops, **more):
    return {"contender": contender, "workers": workers, "section_ns": 0,
            "mops": {"median": mops, "min": mops * 0.9, "max": mops * 1.1}, **more}


def mutex_report():
    return {
        "benchmark": "mutex", "is_quiet": True, "foreign_load": 0.01,
        "machine": {"cpu": "AMD EPYC", "cpus": 2, "compiler": "Clang 19.1.7", "commit": COMMIT,
                    "started": STARTED},
        "settings": {"tasks": 5000, "repetitions": 7},
        "cells": [cell("exchange", 1, 0.5, share_of_ideal=0.9),
                  cell("exchange", 2, 1.5, share_of_ideal=0.77), cell("dispatch", 2, 1.0),
                  cell("exchange", 4, 1.6, share_of_ideal=0.8)],
    }


def simulated_report():
    return {"benchmark": "simulate", "simulated": True, "settings": {"seed": 1},
            "machine": {"simulated": "2 sockets", "commit": COMMIT, "compiler": "Clang 19.1.7"},
            "cells": [{"contender": name, "workers": workers, "mops": mops} for name, workers, mops in
                      (("exchange", 64, 2.0), ("exchange", 256, 3.0), ("dispatch", 256, 0.1))]}


class Numbers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("docs/throughput.svg", f"<svg>commit {COMMIT}, {STARTED}</svg>")
        self.write("docs/results/mutex.json", json.dumps(mutex_report()))
        self.write("README.md", "before\n<!-- numbers from docs/results/mutex.json -->\n"
                                "<!-- end of numbers -->\nafter\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, TOOL, self.root, *arguments], capture_output=True,
                              text=True, check=False)

    def assert_passes(self, *arguments):
        result = self.run_tool(*arguments)
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)

    def assert_finds(self, message):
        result = self.run_tool()
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(message, result.stdout)

    def page(self):
        return (self.root / "README.md").read_text(encoding="utf-8")

    def test_update_writes_what_the_file_says_and_then_all_is_well(self):
        self.assert_finds("README.md:2: not what docs/results/mutex.json says")
        self.assert_passes("--update")
        self.assert_passes()
        words = " ".join(self.page().split())
        self.assertTrue(words.startswith("before") and words.endswith("after"))
        for fact in ("With 2 workers", "1.50 million", "77 % of the ideal",
                     "1.50 times that of `dispatch`", "17 November 2026", "commit 0123456"):
            self.assertIn(fact, words)

    def test_more_than_the_ideal_is_not_told(self):
        report = mutex_report()
        report["cells"][1]["share_of_ideal"] = 1.4
        self.write("docs/results/mutex.json", json.dumps(report))
        self.assert_passes("--update")
        self.assertNotIn("ideal", self.page())

    def test_a_number_changed_by_hand_is_found(self):
        self.assert_passes("--update")
        self.write("README.md", self.page().replace("1.50 million", "2.50 million"))
        self.assert_finds("not what docs/results/mutex.json says")

    def test_a_new_result_without_a_new_page_is_found(self):
        self.assert_passes("--update")
        report = mutex_report()
        report["cells"][1]["mops"]["median"] = 1.2
        self.write("docs/results/mutex.json", json.dumps(report))
        self.assert_finds("not what docs/results/mutex.json says")

    def test_a_picture_of_another_run_is_found(self):
        self.assert_passes("--update")
        self.write("docs/throughput.svg", "<svg>commit another, then</svg>")
        self.assert_finds("docs/throughput.svg: not drawn from docs/results/mutex.json")

    def test_what_is_simulated_is_called_so_in_the_text_and_in_the_picture(self):
        self.write("docs/simulated/throughput.json", json.dumps(simulated_report()))
        self.write("docs/simulated/throughput.svg", f"<svg><text>simulated</text>commit {COMMIT}</svg>")
        self.write("README.md", "<!-- numbers from docs/simulated/throughput.json -->\n"
                                "<!-- end of numbers -->\n")
        self.assert_passes("--update")
        words = " ".join(self.page().split())
        for fact in ("Simulated, not measured", "With 256 workers", "3.00 million",
                     "30 times that of `dispatch`"):
            self.assertIn(fact, words)
        self.write("docs/simulated/throughput.svg", f"<svg>commit {COMMIT}</svg>")
        self.assert_finds("docs/simulated/throughput.svg: not drawn from docs/simulated/throughput.json")

    def test_a_file_that_is_missing_or_no_result_is_found(self):
        (self.root / "docs/results/mutex.json").unlink()
        self.assert_finds("cannot read docs/results/mutex.json")
        self.write("docs/results/mutex.json", "{}")
        self.assert_finds("is not a result")
        self.write("docs/results/mutex.json", '{"benchmark": "another"}')
        self.assert_finds("no text for the benchmark another")

    def test_a_block_without_end_is_found(self):
        self.write("README.md", "<!-- numbers from docs/results/mutex.json -->\n1.5\n")
        self.assert_finds("README.md:1: no <!-- end of numbers --> follows")

    def test_a_page_without_numbers_is_found(self):
        self.write("README.md", "1.5 million, promised\n")
        self.assert_finds("README.md: has no numbers from a file of results")

    def test_noise_is_told(self):
        report = mutex_report()
        report["is_quiet"], report["foreign_load"] = False, 0.2
        self.write("docs/results/mutex.json", json.dumps(report))
        self.assert_passes("--update")
        self.assertIn("Other processes used 20 % of the machine", " ".join(self.page().split()))


if __name__ == "__main__":
    unittest.main()
