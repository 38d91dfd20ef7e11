#!/usr/bin/env python3
"""Tests the page of `hotseat-bench report` in a browser: report_test.py PROGRAM.

Runs every benchmark at its smallest size, so that the page has all parts.  Tests that need a browser
are skipped if Chromium is not installed (Debian: chromium).
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "hotseat-bench"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--enable-logging=stderr", "--hide-scrollbars"]

SIZE = ["--repetitions", "1"]
SMALL = ["--tasks", "20", "--iterations", "3", "--workers", "1,2", *SIZE]
RUNS = {
    "mutex": SMALL,
    "section-length": [*SMALL, "--section-ns", "0,250", "--rivals", "none"],
    "shared-mutex": [*SMALL, "--writers", "6.25,50"],
    "queuing-delay": ["--tasks", "1,20", "--iterations", "10", "--workers", "2", *SIZE],
    "validation": ["--tasks", "20", "--iterations", "3", "--workers", "2", "--mutexes", "1,4", *SIZE],
    "executor": ["--tasks", "1000", "--iterations", "10", "--wake-ups", "2", "--workers", "1,2", *SIZE],
}
# These are separate programs, and may be absent.
COMPANIONS = {
    "simulate": ["--tasks", "20", "--iterations", "2", "--workers", "1,2"],
    "boost-fiber": [*SMALL, "--section-ns", "0,250"],
    "leveldb": ["--tasks", "1,2", "--records", "1000", "--seconds", "0.02", *SIZE],
    "java": ["--tasks", "20", "--workers", "1", "--section-ns", "0,1000", "--run-ms", "1",
             "--warm-up-ms", "1", *SIZE],
    "server": ["--loads", "get,20 us inside", "--forms", "with_lock,asio std::mutex", "--requests", "2000",
               "--clients", "2,5", "--pipeline", "1,4", "--workers", "1", "--heavy-workers", "1,2", *SIZE],
}


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)


def measure_all(folder):
    """Returns which companions there were."""
    present = []
    for name, options in RUNS.items():
        outcome = run(name, *options, "--output", folder / f"{name}.json")
        if outcome.returncode != 0:
            raise AssertionError(f"{name}: {outcome}")
    for name, options in COMPANIONS.items():
        outcome = run(name, *options, "--output", folder / f"{name}.json")
        if outcome.returncode == 0:
            present.append(name)
        elif "it needs" not in outcome.stderr:
            raise AssertionError(f"{name}: {outcome}")
    return present


class Page:
    """The page as the browser renders it."""

    def __init__(self, path, width=1200):
        with tempfile.TemporaryDirectory() as profile:
            outcome = subprocess.run(
                [BROWSER, *QUIET, f"--user-data-dir={profile}", f"--window-size={width},900", "--dump-dom",
                 path.as_uri()], capture_output=True, text=True, check=True)
        self.text = outcome.stdout
        self.console = [line for line in outcome.stderr.splitlines() if "CONSOLE" in line]
        found = re.search(r'<html[^>]*data-check="([^"]*)"', self.text)
        self.verdict = found.group(1) if found else "the page did not look at itself"


needs_browser = unittest.skipUnless(BROWSER, "Chromium is not installed (Debian: chromium)")


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.present = measure_all(cls.folder)
        cls.page = cls.folder / "report.html"
        cls.outcome = run("report", cls.folder, "--output", cls.page)

    def test_the_command_says_where_the_page_is_and_three_numbers(self):
        self.assertEqual(self.outcome.returncode, 0, self.outcome)
        lines = self.outcome.stdout.splitlines()
        self.assertEqual(lines[0], f"report: {self.page}")
        self.assertEqual(sum(line.startswith("  ") for line in lines), 3)

    @needs_browser
    def test_a_browser_finds_every_figure_and_no_error(self):
        for width in (1200, 500):
            page = Page(self.page, width)
            self.assertEqual(page.verdict, "ok")
            self.assertEqual(page.console, [])

    def test_what_was_measured_is_drawn_and_the_rest_is_named(self):
        text = self.page.read_text(encoding="utf-8")
        self.assertIn("mutex.json: median of 1", text)
        self.assertIn("not measured here", text, "what is simulated is called so")
        for name in ("boost-fiber", "leveldb", "java", "server"):
            missing = f"<code>hotseat-bench {name}</code> makes it"
            self.assertEqual(name in self.present, missing not in text, name)
        self.assertIn("1 repetition cannot tell contenders apart", text)

    def test_the_page_asks_nobody_for_anything(self):
        text = self.page.read_text(encoding="utf-8")
        self.assertEqual(re.findall(r'(?:src|href)="(?!#|data:)[^"]*"|@import|url\(|fetch\(', text), [])

    def test_a_folder_with_little_makes_a_page_that_names_the_rest(self):
        little = self.folder / "little"
        little.mkdir()
        shutil.copy(self.folder / "mutex.json", little)
        outcome = run("report", little, "--output", little / "report.html")
        self.assertEqual(outcome.returncode, 0, outcome)
        self.assertIn("without results:", outcome.stdout)
        self.assertIn("makes it", (little / "report.html").read_text(encoding="utf-8"))
        if not BROWSER:
            return
        page = Page(little / "report.html")
        self.assertEqual(page.verdict, "ok")
        self.assertEqual(page.console, [])

    def broken(self, old, new):
        text = self.page.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path = self.folder / "broken.html"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return Page(path)

    @needs_browser
    def test_a_page_that_is_broken_is_noticed(self):
        self.assertIn("no figure mutex", self.broken('id="mutex"', 'id="other"').verdict)
        self.assertIn("an empty chart in mutex", self.broken('<svg class="chart"', "<svg").verdict)
        wrong = self.broken("</script>\n</body>", "</script><script>missing();</script></body>")
        self.assertIn("script error", wrong.verdict)
        self.assertNotEqual(wrong.console, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)  # Lists skipped tests, and why.
