#!/usr/bin/env python3
"""Checks that the models notice when something is taken away from the library.

    mutants.py BUILD_DIR                 all mutants; writes docs/design/mutants.md
    mutants.py BUILD_DIR --short         the memory orders, within half a minute; writes nothing
    mutants.py BUILD_DIR --only REGEX    those whose name matches; writes nothing
    mutants.py BUILD_DIR --resume        skips what earlier runs, also those with --only, have
                                         found out about the same sources

BUILD_DIR holds the models of these sources, built by clang.

A mutant is the library without one thing: half of a memory order that is not relaxed, or a fence,
taken away at run time (HOTSEAT_WEAKEN); or a line that matters, changed in a copy of the sources
(mutant_patches.py).  The models that execute the place run until one fails.  mutants.py fails if no
model notices, unless the mutant is listed as one that nothing can notice, with the reason.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from mutant_batches import batches
from mutant_patches import EQUIVALENT, PATCHES, likely_tests

ROOT = Path(__file__).resolve().parent.parent
# The folders of the sources that can be weakened, of the models, and of the programs made of these.
SOURCES = ("include/hotseat", "src", "integrations/boost_fiber/include/hotseat")
MODELS = ("tests/model", "integrations/boost_fiber/model")
PROGRAMS = ("tests", "integrations/boost_fiber/model")
# What no model executes: the other machines, and recordings, which only the real one has.
OUTSIDE = ("trace/", "platform/real/", "platform/explored/", "platform/simulated/", "explore/")
MOST_SECONDS = 300
# Most mutants are noticed soon, by one of many tests.
SOON = {"HOTSEAT_EXPLORE_SCALE": "0.05", "HOTSEAT_EXPLORE_LIMIT": "20000"}
AT_ONCE = {"HOTSEAT_EXPLORE_SCALE": "0.001", "HOTSEAT_EXPLORE_LIMIT": "1000"}

ORDER = re.compile(r"memory_order(?:_|::)(relaxed|acquire|release|acq_rel|seq_cst)")
FENCE = re.compile(r"(?<![\w:]void )(?:platform::)(load_after_stores|heavy_fence)\(")
LETTER = re.compile(r"//\s*([A-Z](?:, [A-Z])*)\b")
FAILURE = re.compile(r"^explore: (\S+?): (.+?)(?::|$).*\n\s+after (\d+) schedules", re.MULTILINE)
FAILS = "test fails"  # rather than: the explorer found something
HALVES = {
    "acquire": ["acquire"],
    "release": ["release"],
    "acq_rel": ["acquire", "release"],
    "seq_cst": ["acquire", "release"],
    "relaxed": [],
}


@dataclass
class Mutant:
    file: str  # below one of SOURCES
    line: int  # where the call starts, as clang's std::source_location says
    part: str
    letter: str
    text: str  # the line of the order
    call: str = ""  # what is called
    tests: dict = field(default_factory=dict)  # by program that executes it

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line}:{self.part}"

    @property
    def key(self) -> tuple:
        """What stays the same when lines move."""
        return (self.file, self.text, self.part)


@dataclass
class Catch:
    test: str
    how: str
    schedules: int
    program: str = ""
    model: str = ""  # the state of the program's sources, besides the library


def call_of(text: str, position: int) -> int:
    """Where the innermost parenthesis around `position` opens; -1 if there is none."""
    depth = 0
    for i in range(position - 1, -1, -1):
        if text[i] == ")":
            depth += 1
        elif text[i] == "(":
            if depth == 0:
                return i
            depth -= 1
    return -1


BEFORE_CALL = re.compile(r"[\w.:>-]|\s(?=\s*(?:\.|->))")


def start_of(text: str, call: int) -> int:
    """Where the called expression starts: `f(x).y->z` of `f(x).y->z(`."""
    i = call
    while i > 0:
        if text[i - 1] == ")":
            i = call_of(text, i - 1)
        elif BEFORE_CALL.match(text, i - 1):
            i -= 1
        else:
            break
    return i


def without_comments(text: str) -> str:
    """The text with comments replaced by blanks, so that positions stay the same."""
    return re.sub(r"//[^\n]*", lambda match: " " * len(match.group()), text)


def orders_in(file: str, text: str) -> list[Mutant]:
    """Everything that can be weakened in one file."""
    lines = text.split("\n")
    code = without_comments(text)
    found = []
    last_call = -1
    for match in ORDER.finditer(code):
        call = call_of(code, match.start())
        is_failure = call == last_call
        last_call = call
        halves = HALVES[match.group(1)]
        number = text.count("\n", 0, match.start())
        letter = LETTER.search(lines[number])
        for part in ["failure"] if is_failure and halves else halves:
            found.append(
                Mutant(
                    file,
                    text.count("\n", 0, start_of(code, call)) + 1,
                    part,
                    letter.group(1) if letter else "",
                    lines[number].strip(),
                    " ".join(code[start_of(code, call) : call].split()),
                )
            )
    for match in FENCE.finditer(code):
        number = text.count("\n", 0, match.start())
        letter = LETTER.search(lines[number])
        for part in ["fence", "acquire"] if match.group(1) == "load_after_stores" else ["fence"]:
            found.append(
                Mutant(
                    file,
                    number + 1,
                    part,
                    letter.group(1) if letter else "",
                    lines[number].strip(),
                    match.group(1),
                )
            )
    return sorted(found, key=lambda mutant: (mutant.line, mutant.part))


def all_orders(root: Path) -> list[Mutant]:
    found = []
    for base in SOURCES:
        for path in sorted((root / base).rglob("*")):
            place = path.relative_to(root / base).as_posix()
            if path.suffix in (".hpp", ".cpp") and not place.startswith(OUTSIDE):
                found += orders_in(place, path.read_text(encoding="utf-8"))
    return found


def read_sites(text: str) -> dict[str, set[str]]:
    """Which tests execute each site, from the explorer's lists."""
    sites: dict[str, set[str]] = {}
    for line in text.splitlines():
        test, _, site = line.partition("\t")
        sites.setdefault(site, set()).add(test)
    return sites


def run(command, **environment) -> tuple[int, str]:
    """Its exit code and output.  A program that needs more than MOST_SECONDS of CPU time has found
    nothing: 0.  (Wall time would also count while the machine does something else.)"""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, **environment},
    )
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 10))
    output, errors = process.communicate()
    if process.returncode == -signal.SIGXCPU:
        return 0, f"took more than {MOST_SECONDS} s"
    return process.returncode, errors + output


def read_failure(status: int, output: str) -> Catch | None:
    """What a finished program reports; None if it has passed."""
    if status == 0:
        return None
    match = FAILURE.search(output)
    if match:
        return Catch(match.group(1), match.group(2), int(match.group(3)))
    failed = re.search(r"\[  FAILED  \] (\S+?)[,\s]", output)
    return Catch(failed.group(1) if failed else "", "crash" if status < 0 else FAILS, 0)


def programs_in(build: Path) -> list[Path]:
    return sorted(each for folder in PROGRAMS for each in (build / folder).glob("*_model"))


def find_tests(mutants: list[Mutant], programs: list[Path], jobs: int) -> None:
    """Fills in which tests execute each mutant's place; all tests if it is hardly ever executed."""

    def sites_of(program: Path) -> dict[str, set[str]]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "sites"
            # Tests that need more schedules than that may fail.
            run([program], HOTSEAT_SITES=str(file), **AT_ONCE)
            return read_sites(file.read_text()) if file.exists() else {}

    with ThreadPoolExecutor(jobs) as pool:
        for program, sites in zip(programs, pool.map(sites_of, programs)):
            for mutant in mutants:
                for site, tests in sites.items():
                    if site.endswith("/" + mutant.name):
                        mutant.tests.setdefault(program, set()).update(tests)
    for mutant in mutants:
        if not mutant.tests:
            mutant.tests = {program: {"*"} for program in programs}


class Runner:
    """Runs models until one fails because of the mutant."""

    def __init__(self, originals: list[Path]):
        self.originals = {each.name: each for each in originals}  # without mutants
        self.impatient: dict[str, set[str]] = {}  # tests that fail without a mutant if cut short

    def soon(self, program: Path, tests: str, **mutant) -> Catch | None:
        """Like `at_last`, but with a few schedules of each test."""
        while True:
            without = ":".join(sorted(self.impatient.get(program.name, ())))
            caught = self.run(program, f"{tests}:-{without}" if without else tests, **mutant, **SOON)
            if not caught or caught.how != FAILS or caught.test in self.impatient.get(program.name, ()):
                return caught
            if not self.run(self.originals[program.name], caught.test, **SOON):
                return caught
            self.impatient.setdefault(program.name, set()).add(caught.test)

    def at_last(self, program: Path, tests: str, **mutant) -> Catch | None:
        return self.run(program, tests, **mutant)

    @staticmethod
    def run(program: Path, tests: str, **environment) -> Catch | None:
        command = [program, "--gtest_fail_fast", f"--gtest_filter={tests}"]
        caught = read_failure(*run(command, **environment))
        if caught:
            caught.program = program.name
        return caught


def catch(mutant: Mutant, runner: Runner, is_short: bool) -> Catch | None:
    # Programs that execute few places first: they are made for these, and small.
    programs = sorted(mutant.tests, key=lambda each: len(mutant.tests[each]))
    # A short run does not spend long on what nothing can notice.
    tries = [runner.soon] if is_short and is_equivalent(mutant) else [runner.soon, runner.at_last]
    for try_it in tries:
        for program in programs:
            tests = ":".join(sorted(mutant.tests[program]))
            if caught := try_it(program, tests, HOTSEAT_WEAKEN=mutant.name):
                return caught
    return None


def state_of(paths) -> str:
    """A hash of these files, or of the files in these folders."""
    digest = hashlib.sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                digest.update(file.as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def library_state() -> str:
    return state_of(ROOT / each for each in (*SOURCES, "tests/support", "integrations/boost_fiber/model"))


def model_state(program: str) -> str:
    return state_of(each for folder in MODELS for each in (ROOT / folder).glob(f"{program}.cpp"))


class Findings:
    """What is known about each mutant, kept in a file, so that a run can continue an earlier one.
    Valid only for the same sources."""

    def __init__(self, file: Path, state: str, resumes: bool):
        self.file = file
        self.found = {"state": state, "mutants": {}}
        if file.exists():
            former = json.loads(file.read_text(encoding="utf-8"))
            if former["state"] == state:
                self.found = former
        # A mutant that was not caught gets another chance.
        for name, result in list(self.found["mutants"].items()):
            if not result or result["model"] != model_state(result["program"]):
                del self.found["mutants"][name]
        self.knows = set(self.found["mutants"]) if resumes else set()

    def get(self, name: str) -> Catch | None:
        result = self.found["mutants"][name]
        return Catch(**result) if result else None

    def add(self, name: str, result: Catch | None) -> None:
        if result:
            result.model = model_state(result.program)
        self.found["mutants"][name] = asdict(result) if result else None
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.found, indent=1), encoding="utf-8")


class Scratch:
    """A copy of the sources, with its own build folder."""

    def __init__(self, root: Path, runner: Runner, jobs: int):
        self.root = root
        self.runner = runner
        self.jobs = jobs
        for name in ("include", "src", "tests", "cmake", "integrations/boost_fiber"):
            copy_what_differs(ROOT / name, root / name)
        copy_what_differs(ROOT / "CMakeLists.txt", root / "CMakeLists.txt")
        status, output = run(
            ["cmake", "-S", root, "-B", root / "build", "-G", "Ninja"]
            + ["-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_BUILD_TYPE=Release"]
            + ["-DHOTSEAT_BUILD_TESTS=ON", "-DHOTSEAT_WITH_EXPLORER=ON"]
            + ["-DHOTSEAT_INSTALL=OFF", "-DHOTSEAT_WITH_BOOST_FIBER=OFF", "-DHOTSEAT_WITH_ASIO=OFF"]
            + ["-DHOTSEAT_UNIT_TESTS=model", "-DHOTSEAT_EXPLORED_FLAGS=-O1"]
        )
        if status != 0:
            sys.exit(output)

    def build(self, models: list[str]) -> tuple[int, str]:
        command = ["cmake", "--build", self.root / "build", "--target", *models]
        return run([*command, "--parallel", str(self.jobs)])

    def write(self, texts: dict[str, str]) -> None:
        for file, text in texts.items():
            (self.root / file).write_text(text, encoding="utf-8")

    def try_patches(self, texts: dict[str, str], patches: dict):
        """Yields (patch, what has noticed it) for each; a message if that is unknown.  `patches` are
        those in the texts, by the number that selects them."""
        originals = {file: (self.root / file).read_text(encoding="utf-8") for file in texts}
        try:
            self.write(texts)
            numbered = [(number, each) for number, same in patches.items() for each in same]
            models = sorted({model for _, patch in numbered for model in patch.models})
            status, output = self.build(models)
            for number, patch in numbered:
                if status != 0:
                    yield patch, "does not compile" + output[-2000:]
                    output = ""
                else:
                    yield patch, self.catch(patch, number)
        finally:
            self.write(originals)

    def catch(self, patch, number: int) -> Catch | None:
        programs = [each for each in programs_in(self.root / "build") if each.name in patch.models]
        likely = likely_tests(patch)
        for try_it, tests in ((self.runner.soon, likely), (self.runner.soon, "*"), (self.runner.at_last, "*")):
            for program in programs:
                if caught := try_it(program, tests, HOTSEAT_MUTANT=str(number)):
                    return caught
        return None


def copy_what_differs(source: Path, target: Path) -> None:
    """Unchanged files keep their time, so that they are not compiled again; changed files get a new
    one, even if they are older than their object files, which may be those of a mutant."""
    if source.is_file():
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
        return
    target.mkdir(parents=True, exist_ok=True)
    for each in target.iterdir():
        if not (source / each.name).exists():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    for each in source.iterdir():
        copy_what_differs(each, target / each.name)


def try_all(patches, folder: Path, runner: Runner, jobs: int):
    """Yields (patch, what has noticed it, or a message if that is unknown), in some order."""
    if not patches:
        return
    scratch = Scratch(folder, runner, jobs)
    lost = [each for each in patches if patched(read_source(each.file), each) is None]
    for patch in lost:
        yield patch, "the text to replace is not there exactly once"
    made, left = batches([each for each in patches if each not in lost], read_source)
    for batch in made:
        yield from scratch.try_patches(batch["texts"], batch["patches"])
    for each in left:
        texts = {each.file: patched(read_source(each.file), each)}
        yield from scratch.try_patches(texts, {0: [each]})


def read_source(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def patched(text: str, patch) -> str | None:
    return text.replace(patch.old, patch.new) if text.count(patch.old) == 1 else None


def describe(caught: Catch) -> str:
    return f"{caught.test} | {caught.how} | {caught.schedules or '-'}"


def place_of(mutant: Mutant) -> str:
    """Without the line number, which changes."""
    return f"`{mutant.file}`: `{mutant.call}`"


def table(orders, patches) -> str:
    """The page, from [(mutant, catch or None)] and [(patch, catch or None)]."""
    caught = sum(result is not None for _, result in [*orders, *patches])
    equal = sum(result is None for _, result in [*orders, *patches])
    lines = [
        "# Mutants",
        "",
        "What happens when one thing is taken away from the library? Written by `make mutants`",
        f"(`tools/mutants.py`): {len(orders) + len(patches)} mutants, {caught} caught, "
        f"{equal} that nothing can notice here.",
        "",
        "Each test is given a few schedules first, and all of them only if no test has noticed.",
        "",
        "## Memory orders",
        "",
        "Each order that is not relaxed loses one half, and each fence is left out, at run time. A",
        "number of schedules is that of the one test that failed.",
        "",
        "| of | letter | taken away | caught by | how | schedules |",
        "|---|---|---|---|---|---|",
    ]
    for mutant, result in orders:
        if result:
            lines.append(f"| {place_of(mutant)} | {mutant.letter} | {mutant.part} | {describe(result)} |")
    lines += ["", "## Lines", "", "| mutant | file | caught by | how | schedules |", "|---|---|---|---|---|"]
    for patch, result in patches:
        if result:
            lines.append(f"| {patch.name} | `{patch.file}` | {describe(result)} |")
    if equal:
        lines += ["", "## Equivalent", "", "| mutant | why nothing can notice |", "|---|---|"]
        for mutant, result in orders:
            if result is None:
                why = EQUIVALENT.get(mutant.key, "?")
                lines.append(f"| {place_of(mutant)}: {mutant.letter} {mutant.part} | {why} |")
    return "\n".join(lines) + "\n"


def name_of(patch) -> str:
    """A name for this version of the patch: with other code it is another patch."""
    text = repr((patch.name, patch.file, patch.old, patch.new, patch.models))
    return f"{patch.name} ({hashlib.sha256(text.encode()).hexdigest()[:8]})"


def is_equivalent(mutant) -> bool:
    return isinstance(mutant, Mutant) and mutant.key in EQUIVALENT


def sentence(mutant, result: Catch | None) -> str:
    """The line to print about an order or a patch."""
    if result and is_equivalent(mutant):
        return f"LISTED    {mutant.name}: as equivalent, but {result.test} notices: {result.how}"
    if result:
        return f"caught    {mutant.name}: {result.test}: {result.how}"
    if is_equivalent(mutant):
        return f"equal     {mutant.name}"
    return f"SURVIVED  {mutant.name}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", type=re.compile)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    build = arguments.build.resolve()

    orders = all_orders(ROOT)
    patches = list(PATCHES)
    programs = programs_in(build)
    if arguments.short:
        patches = []
    if arguments.only:
        orders = [each for each in orders if arguments.only.search(each.name)]
        patches = [each for each in patches if arguments.only.search(each.name)]
    if not programs:
        sys.exit(f"{build}: no models")

    known = Findings(build / "mutants.json", library_state(), arguments.resume)
    runner = Runner(programs)
    untried = [each for each in orders if each.name not in known.knows]
    if untried:
        find_tests(untried, programs, arguments.jobs)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for mutant, result in zip(untried, pool.map(lambda each: catch(each, runner, arguments.short), untried)):
            known.add(mutant.name, result)
            print(sentence(mutant, result), flush=True)
    untried = [each for each in patches if name_of(each) not in known.knows]
    problems = 0
    for patch, result in try_all(untried, build / "mutants", runner, arguments.jobs):
        if isinstance(result, str):
            problems += 1
            print(f"BROKEN    {patch.name}: {result}", flush=True)
        else:
            known.add(name_of(patch), result)
            print(sentence(patch, result), flush=True)
    if problems:
        return 1

    results = [(each, known.get(each.name)) for each in orders]
    patch_results = [(each, known.get(name_of(each))) for each in patches]
    for mutant, result in [*results, *patch_results]:
        if (result is None) != is_equivalent(mutant):
            problems += 1
            print(sentence(mutant, result))
    print(f"{len(results) + len(patch_results)} mutants, {problems} problems")
    if not arguments.short and not arguments.only and problems == 0:
        (ROOT / "docs/design/mutants.md").write_text(table(results, patch_results), encoding="utf-8")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
