#!/usr/bin/env python3
"""Checks what the layers of the library may include, and the form of its files.

    check_layers.py [ROOT]

    platform <- core <- trace <- sched <- sync <- task <- { runtime, fiber }
    platform <- core <- explore
    runtime <- simulate

An arrow means "may be included by".  The rules are in CONTRIBUTING.md.
"""

import re
import sys
from pathlib import Path

BASE = ["platform", "core", "trace", "sched", "sync", "task"]
MAY_INCLUDE = {layer: set(BASE[: i + 1]) for i, layer in enumerate(BASE)}
MAY_INCLUDE["runtime"] = {*BASE, "runtime"}
MAY_INCLUDE["fiber"] = {*BASE, "fiber"}
MAY_INCLUDE["explore"] = {"platform", "core", "explore"}
MAY_INCLUDE["simulate"] = {*BASE, "runtime", "simulate"}

MAX_LINES = 300

# Only the platform layer may name these: everything else goes through its seam.
SEAM = re.compile(
    r"\bstd::(?:atomic\w*|j?thread|this_thread|condition_variable\w*|\w*mutex)\b"
    r"|\b(?:steady|system|high_resolution)_clock::now\b"
    r"|\batomic_(?:thread|signal)_fence\b|\bthread_local\b|\bpthread_\w+|\bsyscall\s*\("
)
COROUTINE = re.compile(r"\bco_(?:await|return|yield)\b|\bcoroutine_handle\b|<coroutine>")
CONDITIONAL = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif|else|endif)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
COMMENT_OR_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|(?<![\w])(?:u8|[uUL])?R"(\w*)\(.*?\)\1"'
    r'|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL,
)


def blank(match: re.Match) -> str:
    """Replaces a comment or a literal, but keeps line numbers."""
    return " " + "\n" * match.group().count("\n")


class File:
    """One header or source, by its path: ROOT/include/hotseat/<layer>/... or ROOT/src/<layer>/..."""

    def __init__(self, root: Path, path: Path):
        self.path = path.relative_to(root)
        self.text = path.read_text(encoding="utf-8")
        self.is_header = path.suffix == ".hpp"
        if self.path.parts[0] == "include":
            self.place = self.path.relative_to("include/hotseat")
        else:
            self.place = self.path.relative_to("src")
        self.layer = self.place.parts[0] if len(self.place.parts) > 1 else None
        self.is_detail = "detail" in self.place.parts

    @property
    def is_umbrella(self) -> bool:
        return self.path.as_posix() == "include/hotseat/hotseat.hpp"

    @property
    def may_be_conditional(self) -> bool:
        if self.path.parts[0] == "include":
            return self.layer == "platform"
        return self.path.name.endswith(("_linux.cpp", "_hwloc.cpp"))


def check_form(file: File):
    lines = file.text.splitlines()
    if len(lines) > MAX_LINES:
        yield MAX_LINES + 1, f"{len(lines)} lines; at most {MAX_LINES}: split it by question"
    first = lines[0] if lines else ""
    if not re.fullmatch(rf"// hotseat/{re.escape(file.place.as_posix())} — \S.*", first):
        yield 1, f"line 1 must be `// hotseat/{file.place.as_posix()} — <what it is>`"
    if file.is_header and "#pragma once" not in lines:
        yield 1, "no `#pragma once`"


def place_of(target: Path, root: Path) -> Path | None:
    """The path of one of our files below include/hotseat or src."""
    for top in (root / "include/hotseat", root / "src"):
        if target.is_file() and target.is_relative_to(top):
            return target.relative_to(top)
    return None


def included(file: File, root: Path):
    """Yields (line, path) for each of our includes."""
    for number, line in enumerate(file.text.splitlines(), 1):
        if not (match := INCLUDE.match(line)):
            continue
        name = match.group(1) or match.group(2)
        if name.startswith("hotseat/"):
            yield number, Path(name).relative_to("hotseat")
        elif match.group(2):
            targets = [(root / file.path.parent / name).resolve(), (root / "src" / name).resolve()]
            places = [place for target in targets if (place := place_of(target, root))]
            if places:
                yield number, places[0]


def check_includes(file: File, root: Path):
    for number, place in included(file, root):
        layer = place.parts[0] if len(place.parts) > 1 else None
        is_detail = "detail" in place.parts
        if file.is_umbrella:
            if is_detail:
                yield number, f"the umbrella includes what is not public: {place}"
        elif layer is None:
            yield number, f"a layer may not include the umbrella: {place}"
        elif layer not in MAY_INCLUDE[file.layer]:
            yield number, f"{file.layer} may not include {layer}: {place}"
        elif is_detail and layer not in (file.layer, "platform"):
            yield number, f"detail/ of another layer: {place}"


def check_words(file: File):
    code = COMMENT_OR_LITERAL.sub(blank, file.text)
    is_state = file.layer == "sync" and file.path.stem.endswith("_state") and (file.is_detail or not file.is_header)
    is_api = file.layer == "sync" and not file.is_detail and not is_state
    for number, line in enumerate(code.splitlines(), 1):
        if file.layer != "platform" and (match := SEAM.search(line)):
            yield number, f"`{match.group()}` outside platform/: use its seam"
        if not file.may_be_conditional and CONDITIONAL.match(line):
            yield number, "conditional compilation belongs in platform/config.hpp"
        if is_api and re.search(r"\bplatform::atomic", line):
            yield number, "an API file holds no atomics: put the state into detail/"
        if is_state and (match := COROUTINE.search(line)):
            yield number, f"a state file knows no coroutines: `{match.group()}`"


def check(root: Path) -> list[str]:
    root = root.resolve()
    problems = []
    for path in sorted([*root.glob("include/hotseat/**/*.hpp"), *root.glob("src/**/*.[ch]pp")]):
        file = File(root, path)
        found = [*check_form(file), *check_words(file)]
        if file.layer in MAY_INCLUDE or file.is_umbrella:
            found += check_includes(file, root)
        else:
            found.append((1, f"not in a layer: {', '.join(MAY_INCLUDE)}"))
        problems += [f"{file.path}:{number}: {message}" for number, message in sorted(found)]
    return problems


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check(root)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
