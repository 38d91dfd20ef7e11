#!/usr/bin/env python3
"""The report's statements must follow from the results: report_parts_test.py REPORT_FOLDER."""

import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

REPORT = sys.argv.pop(1) if len(sys.argv) > 1 else str(Path(__file__).parent.parent / "report")
sys.path.insert(0, REPORT)

import chart  # noqa: E402  (its folder is named on the command line)
import facts  # noqa: E402
import paper  # noqa: E402
import scales  # noqa: E402
import words  # noqa: E402
from figures import ALL, mutex  # noqa: E402
from model import Chart, Line, Point  # noqa: E402
from picture import LABEL_GAP, picture_of, spread  # noqa: E402
from results import Failure, Results, are_told_apart, chance_of_one_source  # noqa: E402


def summary(values):
    return {"median": sorted(values)[len(values) // 2], "min": min(values), "max": max(values),
            "runs": values}


def cell(contender, workers, values):
    return {"contender": contender, "workers": workers, "section_ns": 0, "mops": summary(values)}


def mutex_result(exchange, dispatch):
    return {"benchmark": "mutex", "machine": {"cpu": "C", "cpus": 2, "compiler": "c++", "commit": "abc", "started": "1"},
            "settings": {"repetitions": len(exchange), "range": "large", "tasks": 9, "iterations": 5}, "axes": ["workers", "section_ns"],
            "score": "mops", "is_quiet": False, "foreign_load": 0.5, "is_complete": True,
            "cells": [cell("exchange", 2, exchange), cell("dispatch", 2, dispatch),
                      cell("exchange", 8, dispatch), cell("dispatch", 8, exchange)]}


def no_simulation(_):
    return None


class Sentences(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def results(self, *contents):
        for i, content in enumerate(contents):
            (self.folder / f"{i}.json").write_text(json.dumps(content), encoding="utf-8")
        return Results(self.folder)

    def test_a_difference_is_told_for_the_workers_that_have_a_cpu(self):
        figure = mutex.make(self.results(mutex_result([6, 6.1, 6.2, 6], [3, 3.1, 3, 3])), no_simulation)
        self.assertIn("exchange does 2.03 times as much as dispatch", figure.sentences[0])
        self.assertIn("2 workers", figure.sentences[0])

    def test_noise_is_called_noise(self):
        figure = mutex.make(self.results(mutex_result([1, 2, 3, 4], [1.1, 2.1, 2.9, 3.9])), no_simulation)
        self.assertIn("cannot be told apart", figure.sentences[0])
        self.assertIn("within noise", figure.rows[2].measured)

    def test_what_was_not_measured_has_no_number(self):
        for module in ALL:
            figure = module.make(self.results(), no_simulation)
            self.assertGreaterEqual(len(figure.sentences), 2, figure.name)
            self.assertIn("not measured", figure.sentences[0])
            for row in figure.rows:
                self.assertEqual((row.measured, row.simulated), ("", ""))

    def test_a_noisy_result_is_a_warning(self):
        warnings = facts.warnings_of(self.results(mutex_result([1] * 4, [2] * 4)).files)
        self.assertIn("too noisy, other processes used 50 % of the machine", warnings[0])

    def test_a_file_that_is_no_result_does_not_matter_and_one_that_is_no_json_does(self):
        (self.folder / "other.json").write_text("[]")
        self.assertEqual(Results(self.folder).files, [])
        (self.folder / "broken.json").write_text("{")
        with self.assertRaises(Failure):
            Results(self.folder)


class Plots(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "result.json"

    def plot(self, content):
        self.file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        outcome = subprocess.run([sys.executable, Path(REPORT).parent / "plot.py", self.file],
                                 capture_output=True, text=True, check=False)
        return outcome, {path.name: path.read_text(encoding="utf-8")
                         for path in sorted(self.file.parent.glob("*.svg"))}

    def test_a_result_becomes_a_picture_that_says_where_it_is_from(self):
        outcome, pictures = self.plot(mutex_result([6, 6, 6, 6], [3, 3, 3, 3]))
        self.assertEqual(outcome.returncode, 0, outcome)
        self.assertEqual(list(pictures), ["throughput.svg"])
        self.assertIn("commit abc, 1", pictures["throughput.svg"])
        self.assertIn("9 tasks × 5 iterations", pictures["throughput.svg"])
        self.assertNotIn("simulated", pictures["throughput.svg"])

    def test_several_lengths_of_the_section_make_a_speed_up(self):
        result = mutex_result([6, 6, 6, 6], [3, 3, 3, 3])
        result["cells"] += [{**each, "section_ns": 250} for each in result["cells"]]
        _, pictures = self.plot(result)
        self.assertEqual(list(pictures), ["speedup.svg", "throughput-0ns.svg", "throughput-250ns.svg"])

    def test_a_simulated_result_is_called_so(self):
        cells = [{"contender": name, "workers": workers, "mops": workers, "tasks": 1, "writers": -1,
                  "section_ns": 100} for name in ("exchange", "dispatch") for workers in (1, 256)]
        outcome, pictures = self.plot({"benchmark": "simulate", "simulated": True, "cells": cells,
                                       "machine": {"simulated": "big", "compiler": "c++", "commit": "abc"},
                                       "settings": {"parallel_ns": 20000, "seed": 1}})
        self.assertEqual(outcome.returncode, 0, outcome)
        self.assertIn(">simulated<", pictures["result.svg"])

    def test_what_cannot_be_drawn_is_one_line(self):
        for content, text in (("{", "not JSON"), ("[]", "not a result"),
                              ({"benchmark": "executor", "cells": [{}]}, "no picture for executor"),
                              ({"benchmark": "mutex", "cells": [{}]}, "nothing to draw"),
                              ({"benchmark": "mutex", "cells": [{"section_ns": 0}]}, "not a whole result")):
            outcome, pictures = self.plot(content)
            self.assertEqual((outcome.returncode, outcome.stdout, pictures), (2, "", {}))
            self.assertIn(text, outcome.stderr)
            self.assertEqual(outcome.stderr.count("\n"), 1)


class Parts(unittest.TestCase):
    def test_the_verdict_is_that_of_mann_and_whitney(self):
        self.assertAlmostEqual(chance_of_one_source([1, 2, 3, 4], [5, 6, 7, 8]), 2 / 70)
        self.assertAlmostEqual(chance_of_one_source([1, 2, 3], [4, 5, 6]), 2 / 20)
        self.assertTrue(are_told_apart([1, 2, 3, 4], [5, 6, 7, 8]))
        self.assertFalse(are_told_apart([1, 2, 3], [4, 5, 6]), "three runs never tell")
        self.assertFalse(are_told_apart([], [1]))

    def test_numbers_are_short(self):
        self.assertEqual(words.number(0.12399), "0.124")
        self.assertEqual(words.number(123456), "123000")
        self.assertEqual(words.number(0.0000123), "0.000012")
        self.assertEqual(words.duration(35500), "35.5 µs")
        self.assertEqual(words.count(1, "worker"), "1 worker")
        self.assertEqual(words.listed(["a", "b", "c"]), "a, b and c")

    def test_ticks_cover_what_is_drawn(self):
        self.assertEqual(scales.linear_ticks(0, 10), [0, 2, 4, 6, 8, 10])
        axis = scales.log_y([3, 2000])
        self.assertEqual(axis.ticks, [1, 10, 100, 1000, 10000])
        self.assertLess(axis.place(3), axis.place(2000))

    def test_each_claim_has_its_place_and_is_shown(self):
        with tempfile.TemporaryDirectory() as empty:
            nothing = Results(Path(empty))
        shown = {row.claim["id"] for module in ALL
                 for row in module.make(nothing, no_simulation).rows}
        self.assertEqual(shown, set(paper.CLAIMS))
        for claim in paper.PAPER["claims"]:
            self.assertRegex(claim["place"], r"^\d\.\d, ")

    def test_a_chart_draws_each_point_and_its_table_has_it(self):
        what = Chart("x", "y", [Line("exchange", [Point(1, 2, 1, 3), Point(2, 4)])])
        self.assertEqual(chart.svg_of(what, "t").count('class="point'), 2)
        self.assertIn(">4</td>", chart.table_of(what).replace(" </td>", "</td>"))

    def test_a_picture_stands_alone_and_names_each_line_once(self):
        what = Chart("workers", "y", [Line("exchange", [Point(1, 2, 1, 3), Point(2, 4)]),
                                      Line("OS threads with std::mutex", [Point(1, 2), Point(2, 3.9)])])
        drawn = picture_of(what, "A & B", "over workers", ["commit abc, then"], is_simulated=True)
        root = ElementTree.fromstring(drawn)
        texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
        for wanted in ("A & B", "simulated", "exchange 4", "threads with std::mutex 3.9", "commit abc, then"):
            self.assertEqual(texts.count(wanted), 1, texts)
        self.assertNotIn("simulated", picture_of(what, "A", "b", []))

    def test_labels_keep_apart_and_inside(self):
        places = spread({"a": 10, "b": 11, "c": 12, "d": 200}, 0, 200)
        ordered = [places[name] for name in "abcd"]
        self.assertEqual(ordered, sorted(ordered))
        self.assertTrue(all(b - a >= LABEL_GAP for a, b in zip(ordered, ordered[1:])))
        self.assertLessEqual(max(spread({"a": 199, "b": 200}, 0, 200).values()), 200)


if __name__ == "__main__":
    unittest.main()
