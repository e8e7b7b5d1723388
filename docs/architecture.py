#!/usr/bin/env python3
"""Draws docs/architecture.svg, the layers of src/ and their inclusions, from the #include lines. Run it when
tests/layers reports that the picture is old:

    docs/architecture.py

Every folder of src/ is a layer and has a box. Its subfolders, the wings, are drawn inside. The floor of a layer is one
above the highest floor of the layers that it includes. A line is drawn for each inclusion that does not follow from
other inclusions.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"/]+)/', re.MULTILINE)

WIDTH, BOX, ROW, CHIP, GAP = 1260, 44, 92, 22, 40
INK, LIGHT, FILL, CHIP_FILL = "#1a1a2e", "#c4c9d4", "#eef2f8", "#ffffff"
# The middle of each box, chosen so that no line runs behind another box. Layers without an entry are in the middle.
COLUMNS = {"cli": 1180, "run": 760, "python": 500, "engine": 575, "mpi": 285, "mpi_library": 200, "optimum": 622, "generate": 300, "scenario": 860, "theory": 1030,
           "problem": 495, "decomposition": 590, "platform": 860, "schedule": 300, "process": 1030, "fit": 1180, "foreign": 745, "json": 745, "topology": 590, "base": 590}


def layers():
    """The names of the layers, each with the names of its wings."""
    return {
        folder.name: sorted(wing.name for wing in folder.iterdir() if any(wing.glob("*.[ch]pp")))
        for folder in sorted(SRC.iterdir())
        if folder.is_dir()
    }


def inclusions(names):
    """For each layer, the set of the layers that it includes."""
    found = {name: set() for name in names}
    for name in names:
        for file in sorted((SRC / name).rglob("*.[ch]pp")):
            found[name] |= {other for other in INCLUDE.findall(file.read_text()) if other in names and other != name}
    return found


def reachable(found, name):
    """All layers that a layer includes, directly or indirectly."""
    below = set()
    for other in found[name]:
        below |= {other} | reachable(found, other)
    return below


def floors(found):
    """The floor of each layer, 0 at the bottom."""
    floor = {}

    def of(name):
        if name not in floor:
            floor[name] = 1 + max((of(other) for other in found[name]), default=-1)
        return floor[name]

    for name in found:
        of(name)
    return floor


def follows(found, name, other):
    """Whether `name` also includes `other` indirectly, through another layer."""
    return any(other in reachable(found, between) for between in found[name] - {other})


def rows_of(wings):
    """The wings in rows of at most five."""
    return [wings[i : i + 5] for i in range(0, len(wings), 5)]


def box_width(name, wings):
    widest = max((sum(14 + 7 * len(wing) + 6 for wing in row) for row in rows_of(wings)), default=0)
    return max(120, 24 + 9 * len(name), 12 + widest)


def place(floor, wings):
    """The left side, top and width of each box."""
    highest = max(floor.values())
    boxes = {}
    for name, level in floor.items():
        width = box_width(name, wings[name])
        boxes[name] = (COLUMNS.get(name, WIDTH / 2) - width / 2, 20 + (highest - level) * (ROW + GAP), width)
    return boxes


def height_of(wings):
    return BOX + (CHIP + 8) * len(rows_of(wings))


def edge(boxes, wings, name, other):
    x, y, width = boxes[name]
    to_x, to_y, to_width = boxes[other]
    start, end = x + width / 2, to_x + to_width / 2
    bottom = y + height_of(wings[name])
    bend = (to_y - bottom) / 2
    return (
        f'<path data-edge="{name} {other}" d="M{start:.0f} {bottom:.0f} C{start:.0f} {bottom + bend:.0f} '
        f'{end:.0f} {to_y - bend:.0f} {end:.0f} {to_y:.0f}" fill="none" stroke="{INK}" stroke-width="1.6" marker-end="url(#arrow)"/>'
    )


def box(boxes, wings, name):
    x, y, width = boxes[name]
    lines = [
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height_of(wings[name])}" rx="6" fill="{FILL}" '
        f'stroke="{INK}"/>',
        f'<text data-layer="{name}" x="{x + width / 2:.0f}" y="{y + 28:.0f}" font-size="16" text-anchor="middle" '
        f'fill="{INK}">{name}</text>',
    ]
    for number, row in enumerate(rows_of(wings[name])):
        left, top = x + 9, y + BOX + number * (CHIP + 8)
        for wing in row:
            chip_width = 14 + 7 * len(wing)
            lines.append(
                f'<rect x="{left:.0f}" y="{top:.0f}" width="{chip_width}" height="{CHIP}" rx="4" fill="{CHIP_FILL}" '
                f'stroke="{LIGHT}"/><text data-wing="{name}/{wing}" x="{left + chip_width / 2:.0f}" y="{top + 15:.0f}" '
                f'font-size="12" text-anchor="middle" fill="{INK}">{wing}</text>'
            )
            left += chip_width + 6
    return lines


def picture():
    wings = layers()
    found = inclusions(wings)
    boxes = place(floors(found), wings)
    height = max(y for _, y, _ in boxes.values()) + ROW
    edges = sorted((name, other) for name in found for other in found[name] if not follows(found, name, other))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" font-family="sans-serif">',
        "<title>The layers of src/ and what they include, drawn by docs/architecture.py</title>",
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>',
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0 L8 4 L0 8 z" fill="{INK}"/></marker></defs>',
    ]
    lines += [edge(boxes, wings, name, other) for name, other in edges]
    for name in wings:
        lines += box(boxes, wings, name)
    return "\n".join(lines + ["</svg>", ""])


if __name__ == "__main__":
    (ROOT / "docs/architecture.svg").write_text(picture())
