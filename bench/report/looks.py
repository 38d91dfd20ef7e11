"""Colour, marker and dash of each contender, the same in all figures.

Colours are classes of style.css, after Okabe and Ito; markers and dashes tell lines apart
without them.
"""

FIXED = {
    "exchange": (0, "circle", ""),
    "exchange, p99": (0, "diamond", "1 3"),
    "dispatch": (1, "square", "7 4"),
    "dispatch, p99": (1, "down", "1 3"),
    "resume_inline": (2, "triangle", "2 3"),
    "stock": (3, "diamond", "8 3 2 3"),
    "combining": (4, "down", "4 2"),
    "shfllock": (5, "cross", "1 3"),
    "ideal": (6, "none", "1 4"),
}
MARKERS = ["circle", "square", "triangle", "diamond", "down", "cross", "plus"]
DASHES = ["", "7 4", "2 3", "8 3 2 3", "4 2", "1 3", "10 3 2 3 2 3"]
COLOURS = 8


def looks_of(lines):
    """A look for each line of a chart: its fixed one, or the first free one."""
    taken = {FIXED[line.look or line.name][0] for line in lines if (line.look or line.name) in FIXED}
    free = [i for i in range(COLOURS) if i not in taken]
    free += list(range(3, COLOURS))  # The three hand-offs have their own colours.
    looks, given = [], 0
    for line in lines:
        fixed = FIXED.get(line.look or line.name)
        if fixed is None:
            colour = free[given % len(free)]
            # Lines that share a colour differ in marker and dash.
            turn = given + len(taken) if given + len(taken) >= COLOURS else colour
            fixed = (colour, MARKERS[turn % len(MARKERS)], DASHES[turn % len(DASHES)])
            given += 1
        looks.append(fixed)
    return looks


def marker(kind, x, y, size=4):
    """The path of a marker."""
    s = size
    shapes = {
        "circle": f"M{x - s:.1f} {y:.1f}a{s} {s} 0 1 0 {2 * s} 0a{s} {s} 0 1 0 {-2 * s} 0z",
        "square": f"M{x - s:.1f} {y - s:.1f}h{2 * s}v{2 * s}h{-2 * s}z",
        "triangle": f"M{x:.1f} {y - 1.2 * s:.1f}l{1.2 * s:.1f} {2.2 * s:.1f}h{-2.4 * s:.1f}z",
        "diamond": f"M{x:.1f} {y - 1.3 * s:.1f}l{1.3 * s:.1f} {1.3 * s:.1f}"
                   f"l{-1.3 * s:.1f} {1.3 * s:.1f}l{-1.3 * s:.1f} {-1.3 * s:.1f}z",
        "down": f"M{x:.1f} {y + 1.2 * s:.1f}l{1.2 * s:.1f} {-2.2 * s:.1f}h{-2.4 * s:.1f}z",
        "cross": f"M{x - s:.1f} {y - s:.1f}l{2 * s} {2 * s}m0 {-2 * s}l{-2 * s} {2 * s}",
        "plus": f"M{x - s:.1f} {y:.1f}h{2 * s}m{-s} {-s}v{2 * s}",
    }
    return shapes[kind]


def star(x, y, size=8):
    """Five rays: numbers from the paper."""
    from math import cos, pi, sin

    corners = []
    for i in range(10):
        r = size if i % 2 == 0 else 0.42 * size
        corners.append(f"{x + r * sin(i * pi / 5):.1f} {y - r * cos(i * pi / 5):.1f}")
    return "M" + "L".join(corners) + "z"
