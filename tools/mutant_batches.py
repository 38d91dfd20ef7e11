"""Many patches in one copy of the sources, one of which is chosen when a program starts.

Compiling takes longer than noticing.  So the old and the new code of a patch stand side by side, and
HOTSEAT_MUTANT, the number of a patch, selects the one that runs.  That works for whole statements,
conditions and expressions; a patch of another form is compiled separately.
"""

import re

CHOSEN = "::hotseat::chosen_mutant"
DECLARATION = "namespace hotseat {\nextern int chosen_mutant;\n}\n"
DEFINITION = """
namespace hotseat {
int chosen_mutant = [] {
  const char* const number = std::getenv("HOTSEAT_MUTANT");
  return number != nullptr ? std::atoi(number) : 0;
}();
}  // namespace hotseat
"""
DEFINED_IN = "src/platform/explored/machine.cpp"

HEAD = re.compile(r"^(\s*)(if|while) \((.*)\)( \[\[\w+\]\])? \{(\s*//.*)?\n$", re.DOTALL)
LOOP_END = re.compile(r"^(\s*\} while) \((.*)\);\n$", re.DOTALL)
ONE_VALUE = re.compile(r"^(return |\w+ = )([^;\n]*);(\s*//.*)?$")
DECLARES = re.compile(
    r"^\s*(const |auto|std::|platform::|int |bool |phase |line_waiter\* |waiter_queue |boost_spin_guard|transfer)[^;(]*\b\w+(\{| =\s)",
    re.MULTILINE,
)


def is_balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter in "({[") - (letter in ")}]")
        if depth < 0:
            return False
    return depth == 0


def code_of(text: str) -> str:
    return re.sub(r"\s*//[^\n]*", "", text)


def is_statements(text: str) -> bool:
    code = code_of(text).strip()
    return code == "" or (is_balanced(code) and code[-1] in ";}" and code[0] != "[")


def chosen_between(old: str, new: str, number: int, is_whole: bool = True) -> str | None:
    """Code that runs one or the other; None if the form is unknown.  `is_whole`: `old` starts at the
    start of a line."""
    is_chosen = f"{CHOSEN} == {number}"
    for form in (HEAD, LOOP_END, ONE_VALUE):
        before, after = form.match(old), form.match(new)
        if before and after and before[1] == after[1]:
            if form is ONE_VALUE:
                return f"{before[1]}({is_chosen} ? ({after[2]}) : ({before[2]}));"
            if form is LOOP_END:
                return f"{before[1]} ({is_chosen} ? ({after[2]}) : ({before[2]}));\n"
            if before[2] != after[2] or not is_balanced(before[3]) or not is_balanced(after[3]):
                return None
            return f"{before[1]}{before[2]} ({is_chosen} ? ({after[3]}) : ({before[3]})) {{\n"
    # Declarations in `new` stay in their own block.
    if is_whole and is_statements(old) and not DECLARES.search(old) and is_statements(new):
        return f"if ({is_chosen}) {{\n{new}\n}} else {{\n{old}\n}}\n"
    is_expression = not re.search(r"[;\n\[]|^(if|for|while) ", old + new)
    if is_expression and is_balanced(old) and is_balanced(new) and not old.startswith("return"):
        return f"({is_chosen} ? ({new}) : ({old}))"
    return None


def number_of(patch, numbered: dict) -> int | None:
    """The number of a patch that changes the sources in the same way."""
    for number, (first, *_) in numbered.items():
        if (first.file, first.old, first.new) == (patch.file, patch.old, patch.new):
            return number
    return None


def batches(patches, read) -> tuple[list[dict], list]:
    """Returns for each batch the texts to write, {file: text}, and its patches by number; and the
    patches that are left.  Patches of one batch replace different texts, or are the same for
    several models."""
    left = []
    made: list[dict] = []
    for patch in patches:
        for batch in made + [{"texts": {}, "patches": {}}]:
            same = number_of(patch, batch["patches"])
            if same is not None:
                batch["patches"][same].append(patch)
                break
            text = batch["texts"].get(patch.file) or read(patch.file)
            number = len(batch["patches"]) + 1
            is_whole = "\n" + patch.old in read(patch.file)
            both = chosen_between(patch.old, patch.new, number, is_whole)
            if both is None:
                left.append(patch)
                break
            if text.count(patch.old) != 1:
                continue
            batch["texts"][patch.file] = text.replace(patch.old, both)
            batch["patches"][number] = [patch]
            if number == 1:
                made.append(batch)
            break
        else:
            left.append(patch)
    for batch in made:
        for file, text in batch["texts"].items():
            first = text.index("#include")
            batch["texts"][file] = text[:first] + DECLARATION + text[first:]
        defining = batch["texts"].get(DEFINED_IN) or read(DEFINED_IN)
        batch["texts"][DEFINED_IN] = defining + DEFINITION
    return made, left
