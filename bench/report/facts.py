"""Where the results come from, and reasons not to trust them."""

from html import escape

import words
from results import ENOUGH_RUNS
from sources import commit_of

FACTS = [("cpu", "CPU"), ("cpus", "CPUs"), ("kernel", "kernel"), ("governor", "governor"),
         ("compiler", "compiler"), ("flags", "flags"), ("commit", "commit"), ("started", "started"),
         ("load_before", "load before"), ("load_after", "load after")]


def within_noise(file):
    """The number of comparisons with the rival, and how many mean nothing."""
    told = [cell["is_told_apart"] for cell in file.cells if "is_told_apart" in cell]
    return len(told), told.count(False)


def doubts_of(file):
    """All doubts about one file."""
    found = []
    if not file.content.get("is_complete", True):
        found.append("interrupted, some cells have fewer runs or none")
    if not file.content.get("is_quiet", True):
        share = words.number(100 * file.content.get("foreign_load", 0), 2)
        found.append(f"too noisy, other processes used {share} % of the machine; repeat it")
    runs = file.settings.get("repetitions", 0)
    if runs < ENOUGH_RUNS:
        found.append(f"{words.count(runs, 'repetition')} cannot tell contenders apart; {ENOUGH_RUNS} can")
    else:
        compared, alike = within_noise(file)
        if alike:
            found.append(f"{alike} of {compared} comparisons are within noise")
    if commit_of(file).endswith("-dirty"):
        found.append(f"measured with changes that are not in commit {commit_of(file)[:-len('-dirty')]}")
    return found


def warnings_of(files):
    """Files with the same doubt share a line."""
    names = {}
    for file in files:
        if not file.is_simulated:
            for each in doubts_of(file):
                names.setdefault(each, []).append(file.path.name)
    return [f"{', '.join(those)}: {doubt}" for doubt, those in names.items()]


def warnings_html(files):
    found = warnings_of(files)
    if not found:
        return ""
    items = "".join(f"<li>{escape(each)}</li>" for each in found)
    return f'<div class="warnings"><strong>To be read with care</strong><ul>{items}</ul></div>'


def table_html(files):
    """One column for each fact, one row for each file."""
    head = "".join(f"<th>{name}</th>" for _, name in FACTS)
    rows = []
    for file in files:
        cells = []
        for key, _ in FACTS:
            value = file.machine.get(key, commit_of(file) if key == "commit" else "")
            if key == "cpu" and file.is_simulated:
                value = "simulated: " + file.machine.get("simulated", "")
            cells.append(f"<td>{escape(str(value))}</td>")
        rows.append(f"<tr><th>{escape(file.path.name)}</th>{''.join(cells)}</tr>")
    return (f'<div class="scroll"><table><thead><tr><th>file</th>{head}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table></div>")
