#!/usr/bin/env python3
"""Tests of ablations.py: each one can be made in the sources as they are."""

import sys
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOOLS))

from ablations import ABLATIONS, constant  # noqa: E402


class Ablations(unittest.TestCase):
    def test_every_edit_fits_the_sources(self):
        for each in ABLATIONS:
            for file, old, new in each.edits:
                text = (TOOLS.parent / file).read_text(encoding="utf-8")
                self.assertEqual(text.count(old), 1, each.name)
                self.assertNotEqual(old, new, each.name)

    def test_a_constant_keeps_what_stands_around_it(self):
        (low, high) = constant("x", "a.hpp", "x = to_ticks(100)", "20", "500")
        self.assertEqual(low.name, "x: 20, not 100")
        self.assertEqual(low.edits, (("a.hpp", "x = to_ticks(100)", "x = to_ticks(20)"),))
        self.assertEqual(high.edits[0][2], "x = to_ticks(500)")


if __name__ == "__main__":
    unittest.main()
