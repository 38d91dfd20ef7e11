#!/usr/bin/env python3
"""Tests of the checkers: what must pass, and what they must find."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent
COMPILE_FAIL = TOOLS.parent / "tests/compile_fail/check.py"


class Tree(unittest.TestCase):
    """A small project in a temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text=""):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def add(self, path, *lines, first=None, pragma=True):
        """A file of the library, in the form that the check requires."""
        place = path.removeprefix("include/hotseat/").removeprefix("src/")
        head = [first if first is not None else f"// hotseat/{place} — a test."]
        if pragma and path.endswith(".hpp"):
            head.append("#pragma once")
        self.write(path, "\n".join([*head, *lines]) + "\n")

    def run_check(self, tool):
        return subprocess.run(
            [sys.executable, TOOLS / tool, self.root], capture_output=True, text=True, check=False
        )


class Layers(Tree):
    def assert_passes(self):
        result = self.run_check("check_layers.py")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)

    def assert_finds(self, *messages):
        result = self.run_check("check_layers.py")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for message in messages:
            self.assertIn(message, result.stdout)
        self.assertEqual(len(result.stdout.splitlines()), len(messages), result.stdout)

    def test_an_empty_tree_passes(self):
        self.assert_passes()

    def test_a_layer_may_include_itself_and_lower_ones(self):
        self.add("include/hotseat/platform/atomic.hpp")
        self.add("include/hotseat/core/waiter.hpp", "#include <hotseat/platform/atomic.hpp>")
        self.add("include/hotseat/sync/detail/a_state.hpp", "#include <hotseat/core/waiter.hpp>")
        self.add(
            "include/hotseat/sync/mutex.hpp",
            "#include <hotseat/sync/detail/a_state.hpp>",
            "#include <vector>",
        )
        self.add("src/runtime/worker.cpp", "#include <hotseat/task/sleep.hpp>")
        self.assert_passes()

    def test_a_layer_may_not_include_higher_ones(self):
        self.add("include/hotseat/sync/mutex.hpp", "", "#include <hotseat/task/task.hpp>")
        self.add("src/core/waiter.cpp", '#include "hotseat/sched/executor.hpp"')
        self.assert_finds(
            "include/hotseat/sync/mutex.hpp:4: sync may not include task",
            "src/core/waiter.cpp:2: core may not include sched",
        )

    def test_siblings_at_the_top_do_not_know_each_other(self):
        self.add("include/hotseat/runtime/b.hpp", "#include <hotseat/fiber/a.hpp>")
        self.add("include/hotseat/fiber/a.hpp", "#include <hotseat/runtime/a.hpp>")
        self.assert_finds("fiber may not include runtime", "runtime may not include fiber")

    def test_detail_is_private_to_its_layer_but_for_platform(self):
        self.add("include/hotseat/sync/a.hpp", "#include <hotseat/platform/detail/b.hpp>")
        self.add("include/hotseat/task/a.hpp", "#include <hotseat/sync/detail/b.hpp>")
        self.assert_finds("include/hotseat/task/a.hpp:3: detail/ of another layer")

    def test_the_umbrella_may_include_all_that_is_public(self):
        self.add(
            "include/hotseat/hotseat.hpp",
            "#include <hotseat/runtime/thread_pool.hpp>",
            "#include <hotseat/sync/detail/lock_state.hpp>",
        )
        self.add("include/hotseat/core/a.hpp", "#include <hotseat/hotseat.hpp>")
        self.assert_finds(
            "core/a.hpp:3: a layer may not include the umbrella",
            "hotseat.hpp:4: the umbrella includes what is not public",
        )

    def test_private_headers_are_found_by_their_relative_name(self):
        self.add("src/runtime/worker.hpp")
        self.add("src/runtime/worker.cpp", '#include "worker.hpp"')
        self.assert_passes()
        self.add("src/sync/mutex.cpp", '#include "../runtime/worker.hpp"')
        self.add("src/task/task.cpp", '#include "runtime/worker.hpp"')
        self.assert_finds("sync may not include runtime", "task may not include runtime")

    def test_a_file_is_in_a_layer(self):
        self.add("include/hotseat/misc/a.hpp")
        self.add("include/hotseat/all.hpp")
        self.assert_finds("all.hpp:1: not in a layer", "misc/a.hpp:1: not in a layer")

    def test_only_platform_names_the_machine(self):
        words = [
            "std::atomic<int> a;",
            "std::atomic_ref<int> a{b};",
            "std::thread t;",
            "std::this_thread::yield();",
            "std::mutex m;",
            "std::shared_mutex m;",
            "std::condition_variable c;",
            "auto t = std::chrono::steady_clock::now();",
            "auto t = system_clock::now();",
            "std::atomic_thread_fence(order);",
            "thread_local int a;",
            "pthread_self();",
            "syscall(SYS_futex);",
        ]
        self.add("include/hotseat/platform/all.hpp", *words)
        self.add("src/platform/all_linux.cpp", *words)
        self.assert_passes()
        for word in words:
            self.add("src/runtime/a.cpp", word)
            self.assert_finds("src/runtime/a.cpp:2: `")

    def test_orders_comments_and_literals_are_no_use_of_the_machine(self):
        self.add(
            "include/hotseat/core/a.hpp",
            "// Like std::mutex, but ours.",
            "/* std::thread",
            "   thread_local */",
            'constexpr auto name = "std::mutex";',
            "constexpr int many = 1'000'000;  // std::atomic",
            "constexpr auto order = std::memory_order_acquire;",
            "using my_thread = hotseat::thread; using a = my::mutex;",
        )
        self.assert_passes()

    def test_what_follows_a_comment_is_seen_with_its_line(self):
        self.add("include/hotseat/core/a.hpp", "/* one", "two */ std::mutex m;")
        self.assert_finds("core/a.hpp:4: `std::mutex`")

    def test_conditional_compilation_stays_in_its_places(self):
        lines = ["#ifdef __linux__", "#endif"]
        self.add("include/hotseat/platform/config.hpp", *lines)
        self.add("include/hotseat/platform/real/atomic.hpp", *lines)
        self.add("src/runtime/topology_linux.cpp", *lines)
        self.add("src/runtime/topology_hwloc.cpp", *lines)
        self.assert_passes()
        self.add("src/runtime/worker.cpp", *lines)
        self.add("include/hotseat/core/a.hpp", "  #  if X", "#endif")
        self.assert_finds("a.hpp:3: ", "a.hpp:4: ", "worker.cpp:2: ", "worker.cpp:3: ")

    def test_api_files_hold_no_atomics(self):
        line = "platform::atomic<int> word;"
        self.add("include/hotseat/sync/detail/lock_state.hpp", line)
        self.assert_passes()
        self.add("include/hotseat/sync/mutex.hpp", line)
        self.assert_finds("sync/mutex.hpp:3: an API file holds no atomics")

    def test_state_files_hold_no_coroutines(self):
        self.add("include/hotseat/sync/detail/lock_state.hpp", "waiter* next_in_line;")
        self.add("include/hotseat/sync/mutex.hpp", "std::coroutine_handle<> self;")
        self.assert_passes()
        self.add("include/hotseat/sync/detail/a_state.hpp", "std::coroutine_handle<> self;")
        self.add("include/hotseat/sync/detail/b_state.hpp", "#include <coroutine>")
        self.assert_finds("a_state.hpp:3: a state file", "b_state.hpp:3: a state file")

    def test_line_one_names_the_file(self):
        self.add("include/hotseat/core/a.hpp", first="#include <vector>")
        self.add("include/hotseat/core/b.hpp", first="// hotseat/core/a.hpp — copied.")
        self.add("src/core/c.cpp", first="// hotseat/core/c.cpp — ")
        self.assert_finds("a.hpp:1: line 1 must", "b.hpp:1: line 1 must", "c.cpp:1: line 1 must")

    def test_a_header_is_guarded(self):
        self.add("include/hotseat/core/a.hpp", pragma=False)
        self.assert_finds("a.hpp:1: no `#pragma once`")

    def test_a_file_is_short(self):
        self.add("src/core/a.cpp", *["int x;"] * 299)
        self.assert_passes()
        self.add("src/core/a.cpp", *["int x;"] * 300)
        self.assert_finds("src/core/a.cpp:301: 301 lines; at most 300")


class Mirrors(Tree):
    def test_each_header_has_a_test(self):
        self.write("include/hotseat/hotseat.hpp", "void all();")
        self.write("include/hotseat/sync/mutex.hpp", "void lock();")
        self.write("include/hotseat/sync/detail/lock_state.hpp", "void release();")
        self.write("include/hotseat/platform/atomic.hpp", "void load();")
        self.write("include/hotseat/platform/real/atomic.hpp", "void load();")
        self.write("tests/unit/sync/mutex_test.cpp",
                   "#include <hotseat/sync/detail/lock_state.hpp>\n#include <hotseat/sync/mutex.hpp>\n")
        self.write("tests/unit/platform/atomic_test.cpp", "#include <hotseat/platform/atomic.hpp>\n")
        result = self.run_check("check_mirrors.py")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)

    def test_a_header_without_a_test_is_found(self):
        self.write("include/hotseat/sync/mutex.hpp", "void lock();")
        self.write("include/hotseat/sync/detail/lock_state.hpp", "bool is_free() { return true; }")
        self.write("tests/unit/task/mutex_test.cpp", "#include <hotseat/sync/mutex.hpp>\n")
        result = self.run_check("check_mirrors.py")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stdout.splitlines(),
            [
                "include/hotseat/sync/detail/lock_state.hpp: no file of tests/unit/sync/ includes it",
                "include/hotseat/sync/mutex.hpp: no file of tests/unit/sync/ includes it",
            ],
        )

    def test_a_header_without_functions_needs_no_test(self):
        self.write(
            "include/hotseat/runtime/queue_order.hpp",
            "// Not even (this) is a function.\nenum class queue_order { fifo, lifo };\n",
        )
        self.write("include/hotseat/platform/seam.hpp", "#include HOTSEAT_MACHINE_HEADER(seam.hpp)")
        result = self.run_check("check_mirrors.py")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)


class Snippets(Tree):
    EXAMPLE = "int main() {\n  f();\n  g();\n}\n"

    def page(self, *block, mark="<!-- from examples/a.cpp -->", fence="```cpp", path="README.md"):
        self.write("examples/a.cpp", self.EXAMPLE)
        self.write(path, "\n".join(["# Page", mark, fence, *block, "```", "text"]) + "\n")

    def assert_passes(self):
        result = self.run_check("check_snippets.py")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)

    def assert_finds(self, message):
        result = self.run_check("check_snippets.py")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(result.stdout, message + "\n")

    def test_a_slice_of_the_example_passes(self):
        self.assert_passes()  # nothing to check
        self.page("  f();", "  g();")
        self.assert_passes()
        self.page(*self.EXAMPLE.splitlines())
        self.assert_passes()

    def test_a_block_without_a_mark_is_free(self):
        self.page("h();", mark="")
        self.assert_passes()

    def test_a_changed_line_is_found(self):
        self.page("  f();", "  h();")
        self.assert_finds("README.md:2: not in examples/a.cpp, or not in this form")
        self.page("f();")
        self.assert_finds("README.md:2: not in examples/a.cpp, or not in this form")

    def test_a_gap_is_found(self):
        self.page("int main() {", "  g();")
        self.assert_finds("README.md:2: not in examples/a.cpp, or not in this form")

    def test_the_guide_is_checked(self):
        self.page("h();", path="docs/guide/a.md")
        self.assert_finds("docs/guide/a.md:2: not in examples/a.cpp, or not in this form")

    def test_a_missing_example_is_found(self):
        self.page("f();", mark="<!-- from examples/b.cpp -->")
        self.assert_finds("README.md:2: there is no examples/b.cpp")

    def test_a_mark_without_a_block_is_found(self):
        self.page("  f();", fence="```sh")
        self.assert_finds("README.md:2: no ```cpp follows")

    def test_an_empty_block_is_found(self):
        self.page()
        self.assert_finds("README.md:2: the block is empty")

    def test_a_block_without_an_end_is_found(self):
        self.page("  f();")
        self.write("README.md", "<!-- from examples/a.cpp -->\n```cpp\n  f();\n")
        self.assert_finds("README.md:1: the block does not end")


class CompileFail(Tree):
    def run_check(self, *lines):
        source = self.write("a.cpp", "\n".join(lines) + "\n")
        return subprocess.run(
            [sys.executable, COMPILE_FAIL, source, "--", "g++", "-std=c++20", "-Wall", "-Werror"],
            capture_output=True,
            text=True,
            check=False,
        )

    def test_the_expected_error_passes(self):
        result = self.run_check("// EXPECT-ERROR: 'missing'.*declared", "int a = missing;")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_another_error_is_found(self):
        result = self.run_check("// EXPECT-ERROR: deleted function", "int a = missing;")
        self.assertEqual(result.returncode, 1)
        self.assertIn("without a message like: deleted function", result.stderr)

    def test_a_file_that_compiles_is_found(self):
        result = self.run_check("// EXPECT-ERROR: .", "int a = 1;")
        self.assertEqual(result.returncode, 1)
        self.assertIn("compiles, but must not", result.stderr)

    def test_a_file_without_an_expectation_is_found(self):
        result = self.run_check("int a = missing;")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no line `// EXPECT-ERROR: regex`", result.stderr)


if __name__ == "__main__":
    unittest.main()
