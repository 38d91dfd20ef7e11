#!/usr/bin/env python3
"""Tests of mutants.py: what it finds in sources, and what it reads from the models."""

import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

TOOLS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOOLS))

import mutants  # noqa: E402


def names(text):
    return [mutant.name for mutant in mutants.orders_in("a.hpp", text)]


class Orders(unittest.TestCase):
    def test_relaxed_is_no_mutant(self):
        self.assertEqual(names("x.load(std::memory_order_relaxed);\n"), [])

    def test_each_half_is_one(self):
        self.assertEqual(names("\nx.load(std::memory_order_acquire);\n"), ["a.hpp:2:acquire"])
        self.assertEqual(
            names("x.exchange(1, std::memory_order_acq_rel);\n"),
            ["a.hpp:1:acquire", "a.hpp:1:release"],
        )

    def test_the_line_is_that_of_the_call(self):
        text = "if (x.compare_exchange_weak(seen, f(1),\n    std::memory_order_release,  // E\n    std::memory_order_relaxed)) {\n"
        found = mutants.orders_in("a.hpp", text)
        self.assertEqual([mutant.name for mutant in found], ["a.hpp:1:release"])
        self.assertEqual(found[0].letter, "E")
        self.assertEqual(found[0].call, "x.compare_exchange_weak")
        self.assertEqual(found[0].text, "std::memory_order_release,  // E")

    def test_a_call_begins_with_what_is_called(self):
        text = "x = 1 +\n  place_after(a, b(\n    c))\n    .store(&w, std::memory_order_release);\n"
        self.assertEqual(names(text), ["a.hpp:2:release"])
        self.assertEqual(names("if (\n  a.b->c\n  ->load(std::memory_order_acquire))"), ["a.hpp:2:acquire"])

    def test_the_second_order_of_an_exchange_is_that_of_its_failure(self):
        text = "x.compare_exchange_strong(s, 1, std::memory_order_relaxed, std::memory_order_acquire);\n"
        self.assertEqual(names(text), ["a.hpp:1:failure"])

    def test_two_calls_on_a_line_are_two(self):
        text = "x.store(y.load(std::memory_order_acquire), std::memory_order_release);\n"
        self.assertEqual(names(text), ["a.hpp:1:acquire", "a.hpp:1:release"])

    def test_comments_are_none(self):
        self.assertEqual(names("// x.load(std::memory_order_acquire), platform::heavy_fence()\n"), [])

    def test_fences_are_mutants(self):
        self.assertEqual(names("platform::heavy_fence();\n"), ["a.hpp:1:fence"])
        self.assertEqual(
            names("return platform::load_after_stores(word_);\n"),
            ["a.hpp:1:acquire", "a.hpp:1:fence"],
        )

    def test_every_order_of_the_library_has_a_name_of_its_own(self):
        found = [mutant.name for mutant in mutants.all_orders(mutants.ROOT)]
        self.assertGreater(len(found), 40)
        self.assertEqual(len(found), len(set(found)))
        self.assertFalse([name for name in found if name.startswith("platform/real")])


class Results(unittest.TestCase):
    def test_sites_are_read_by_test(self):
        text = "A.b\t/x/src/a.cpp:1:acquire\nC.d\t/x/src/a.cpp:1:acquire\n"
        self.assertEqual(mutants.read_sites(text), {"/x/src/a.cpp:1:acquire": {"A.b", "C.d"}})

    def test_a_program_that_passes_has_caught_nothing(self):
        self.assertIsNone(mutants.read_failure(0, "explore: A.b: race: x\n  after 1 schedules"))

    def test_the_first_failure_counts(self):
        output = "explore: A/0.b: race: thread 1 reads\n  after 12 schedules; to see\n"
        self.assertEqual(
            mutants.read_failure(1, output), mutants.Catch("A/0.b", "race", 12)
        )

    def test_a_test_may_fail_without_the_explorer(self):
        output = "[  FAILED  ] A.b (3 ms)\n"
        self.assertEqual(mutants.read_failure(1, output), mutants.Catch("A.b", "test fails", 0))
        self.assertEqual(mutants.read_failure(-11, "").how, "crash")

    def test_the_table_counts(self):
        mutant = mutants.Mutant("a.hpp", 1, "acquire", "A", "x", "y.load")
        patch = SimpleNamespace(name="no line", file="src/a.cpp")
        caught = mutants.Catch("A.b", "race", 12)
        page = mutants.table([(mutant, caught), (mutant, None)], [(patch, caught)])
        self.assertIn("3 mutants, 2 caught, 1 that nothing can notice", page)
        self.assertIn("| `a.hpp`: `y.load` | A | acquire | A.b | race | 12 |", page)
        self.assertIn("| no line | `src/a.cpp` | A.b | race | 12 |", page)


class Finding(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "found.json"
        self.caught = mutants.Catch("A.b", "race", 12, "mutex_model")
        known = mutants.Findings(self.file, "one state", resumes=False)
        known.add("a", self.caught)
        known.add("b", None)

    def test_a_run_goes_on_where_another_one_ended(self):
        known = mutants.Findings(self.file, "one state", resumes=True)
        self.assertEqual(known.knows, {"a"}, "who was not caught gets another chance")
        self.assertEqual(known.get("a"), self.caught)

    def test_a_run_that_does_not_resume_knows_nothing_but_forgets_nothing(self):
        known = mutants.Findings(self.file, "one state", resumes=False)
        self.assertEqual(known.knows, set())
        known.add("c", self.caught)
        self.assertEqual(mutants.Findings(self.file, "one state", resumes=True).knows, {"a", "c"})

    def test_what_a_model_has_found_is_forgotten_when_it_changes(self):
        self.file.write_text(self.file.read_text().replace(mutants.model_state("mutex_model"), "old"))
        self.assertEqual(mutants.Findings(self.file, "one state", resumes=True).knows, set())

    def test_of_other_sources_nothing_is_known(self):
        self.assertEqual(mutants.Findings(self.file, "another", resumes=True).knows, set())

    def test_a_patch_with_another_text_is_another_one(self):
        patch = SimpleNamespace(name="p", file="f", old="a", new="b", models=("m",))
        other = SimpleNamespace(name="p", file="f", old="a", new="c", models=("m",))
        self.assertNotEqual(mutants.name_of(patch), mutants.name_of(other))


class Patches(unittest.TestCase):
    def test_a_text_must_stand_there_once(self):
        patch = SimpleNamespace(old="b", new="c")
        self.assertEqual(mutants.patched("abd", patch), "acd")
        self.assertIsNone(mutants.patched("abb", patch))
        self.assertIsNone(mutants.patched("a", patch))

    def test_every_patch_fits_the_sources(self):
        for patch in mutants.PATCHES:
            text = (mutants.ROOT / patch.file).read_text(encoding="utf-8")
            self.assertIsNotNone(mutants.patched(text, patch), patch.name)
            for model in patch.models:
                found = [mutants.ROOT / folder / f"{model}.cpp" for folder in mutants.MODELS]
                self.assertTrue(any(each.is_file() for each in found), model)

    def test_what_is_listed_as_equivalent_exists(self):
        keys = {mutant.key for mutant in mutants.all_orders(mutants.ROOT)}
        for key in mutants.EQUIVALENT:
            self.assertIn(key, keys)


if __name__ == "__main__":
    unittest.main()
