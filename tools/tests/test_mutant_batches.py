#!/usr/bin/env python3
"""Tests of mutant_batches.py: what can be chosen at run time, and what is compiled separately."""

import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from mutant_batches import DEFINED_IN, batches, chosen_between  # noqa: E402

CHOSEN = "::hotseat::chosen_mutant == 7"


def patch(name, old, new, file="a.hpp"):
    return SimpleNamespace(name=name, file=file, old=old, new=new)


class Forms(unittest.TestCase):
    def test_statements(self):
        self.assertEqual(
            chosen_between("  f();\n  g();\n", "  g();\n  f();\n", 7),
            f"if ({CHOSEN}) {{\n  g();\n  f();\n\n}} else {{\n  f();\n  g();\n\n}}\n",
        )

    def test_a_statement_that_is_left_out(self):
        self.assertEqual(
            chosen_between("  f();  // B\n", "", 7),
            f"if ({CHOSEN}) {{\n\n}} else {{\n  f();  // B\n\n}}\n",
        )

    def test_conditions(self):
        self.assertEqual(
            chosen_between("  if (a && b) {\n", "  if (a) {\n", 7),
            f"  if ({CHOSEN} ? (a) : (a && b)) {{\n",
        )
        self.assertEqual(
            chosen_between("  } while (!f());\n", "  } while (false);\n", 7),
            f"  }} while ({CHOSEN} ? (false) : (!f()));\n",
        )

    def test_expressions(self):
        self.assertEqual(chosen_between("f(++x)", "f(x)", 7), f"({CHOSEN} ? (f(x)) : (f(++x)))")

    def test_what_is_returned_or_assigned(self):
        self.assertEqual(chosen_between("return x;", "return y;", 7), f"return ({CHOSEN} ? (y) : (x));")
        self.assertEqual(chosen_between("a = x;  // B", "a = y;  // B", 7), f"a = ({CHOSEN} ? (y) : (x));")

    def test_the_end_of_a_line_is_no_statement(self):
        self.assertIsNone(chosen_between("f();", "g();", 7, is_whole=False))
        self.assertIsNotNone(chosen_between("f()", "g()", 7, is_whole=False))

    def test_what_is_declared_stays_declared(self):
        self.assertIsNone(chosen_between("  const int x = f();\n", "  const int x = 0;\n", 7))
        self.assertIsNone(chosen_between("  const T x =\n      f();\n", "", 7))

    def test_half_a_statement_is_no_form(self):
        self.assertIsNone(chosen_between("  f(a,\n", "  f(b,\n", 7))
        self.assertIsNone(chosen_between("  while (a) {\n", "  if (a) {\n", 7))


class Batches(unittest.TestCase):
    def read(self, file):
        return {
            "a.hpp": "#pragma once\n#include <x>\n  f();\n  if (a) {\n  }\n  int x = 1;\n",
            DEFINED_IN: "#include <cstdlib>\n",
        }[file]

    def test_patches_share_a_batch(self):
        one, other = patch("one", "  f();\n", ""), patch("other", "  if (a) {\n", "  if (b) {\n")
        made, left = batches([one, other], self.read)
        self.assertEqual([batch["patches"] for batch in made], [{1: [one], 2: [other]}])
        self.assertEqual(left, [])
        text = made[0]["texts"]["a.hpp"]
        self.assertIn("chosen_mutant == 1", text)
        self.assertIn("chosen_mutant == 2", text)
        self.assertLess(text.index("extern int chosen_mutant"), text.index("#include"))
        self.assertIn("HOTSEAT_MUTANT", made[0]["texts"][DEFINED_IN])

    def test_what_overlaps_goes_into_another_batch(self):
        one, other = patch("one", "  if (a) {\n", "  if (b) {\n"), patch("other", "  if (a) {\n", "  if (c) {\n")
        made, _ = batches([one, other], self.read)
        self.assertEqual([list(batch["patches"].values()) for batch in made], [[[one]], [[other]]])

    def test_what_is_the_same_for_several_models_is_compiled_once(self):
        one, other = patch("one", "  f();\n", ""), patch("other", "  f();\n", "")
        made, _ = batches([one, other], self.read)
        self.assertEqual([batch["patches"] for batch in made], [{1: [one, other]}])

    def test_other_forms_are_left(self):
        alone = patch("alone", "  int x = 1;\n", "  int x = 2;\n")
        self.assertEqual(batches([alone], self.read), ([], [alone]))


if __name__ == "__main__":
    unittest.main()
