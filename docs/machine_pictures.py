#!/usr/bin/env python3
"""Draws the picture of topologies in docs/machines.md: machine_pictures.py RONDO writes it into docs/. With --check it
writes nothing, and exits with 1 if the picture differs.

The program RONDO exports each machine as SimGrid XML. The routers, their links and their hosts are read from this XML.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent
NAME = "machines-topologies.svg"
SIDE, GAP, HEAD = 300, 16, 26
LINK, BETWEEN, HOST = "#7a8793", "#D55E00", "#0072B2"

# For each caption the topology, and the layout of its routers.
TOPOLOGIES = {
    "ring: 8 hosts": ({"kind": "ring", "hosts": 8}, "circle"),
    "torus: dims [3, 4]": ({"kind": "torus", "dims": [3, 4]}, "grid"),
    "mesh: dims [3, 4]": ({"kind": "mesh", "dims": [3, 4]}, "grid"),
    "hyperx: dims [3, 4]": ({"kind": "hyperx", "dims": [3, 4]}, "grid"),
    "fat_tree: down [2, 2, 2], up [1, 2, 1]": ({"kind": "fat_tree", "down": [2, 2, 2], "up": [1, 2, 1]}, "levels"),
    "dragonfly: 3 groups, 2 chassis, 2 routers":
        ({"kind": "dragonfly", "groups": 3, "chassis": 2, "routers": 2, "hosts_per_router": 2}, "groups"),
    "dragonfly_plus: 3 groups, 2 leaves, 2 spines":
        ({"kind": "dragonfly_plus", "groups": 3, "leaves": 2, "spines": 2, "hosts_per_leaf": 2}, "leaves"),
    "slim_fly: q 3": ({"kind": "slim_fly", "q": 3}, "halves"),
    "graph: 5 hosts, 2 switches":
        ({"kind": "graph", "hosts": 5, "switches": 2,
          "links": [[0, 5, 1], [1, 5, 1], [2, 6, 1], [3, 6, 1], [4, 6, 1], [5, 6, 2], [0, 4, 1]]}, "circle"),
}


def wiring(rondo, topology):
    """The number of routers, the router of each host, and the pairs of routers with a link."""
    machine = {"topology": topology, "latency": "1us", "bandwidth": "1GBps"}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "machine.json")
        file.write_text(json.dumps(machine), encoding="utf-8")
        xml = subprocess.run([rondo, "export", "--format", "platform", file], check=True, capture_output=True, text=True).stdout
    routers = len(re.findall(r'<router id="r\d+"', xml))
    hosts = {int(host): int(router) for host, router in re.findall(r'<route src="h(\d+)" dst="r(\d+)">', xml)}
    links = [(int(a), int(b)) for a, b in re.findall(r'<route src="r(\d+)" dst="r(\d+)"', xml)]
    return routers, [hosts[i] for i in range(len(hosts))], links


def around(count, radius, turn=0.0, centre=(SIDE / 2, SIDE / 2)):
    """Places on a circle, the first at the top, each with the direction outwards."""
    result = []
    for i in range(count):
        angle = 2 * math.pi * i / count - math.pi / 2 + turn
        way = (math.cos(angle), math.sin(angle))
        result.append((centre[0] + radius * way[0], centre[1] + radius * way[1], way))
    return result


def grid(dims):
    rows, columns = dims
    across, down = SIDE / columns, SIDE / rows
    return [((i % columns + 0.4) * across, (i // columns + 0.4) * down, (0.7, 0.7)) for i in range(rows * columns)]


def levels(routers, topology):
    """The places of the switches of a fat tree. The switches of the hosts are at the bottom, each level above the
    last."""
    down, up = topology["down"], topology["up"]
    counts = [math.prod(down[level + 1:]) * math.prod(up[:level + 1]) for level in range(len(down))]
    assert sum(counts) == routers
    places, step = [], SIDE / (len(counts) + 0.6)
    for level, count in enumerate(counts):
        y = SIDE - (level + 0.9) * step
        places += [((i + 0.5) * SIDE / count, y, (0.0, 1.0)) for i in range(count)]
    return places


def clusters(routers, groups, leaves=None, row=None):
    """The places of the routers in groups around the middle.

    The routers of a dragonfly group are on a circle, row by row, every second row in reverse. A Dragonfly+ group has
    its leaves outside and its spines inside.
    """
    size, places = routers // groups, []
    for x, y, way in around(groups, 92):
        if leaves is None:
            turn = math.atan2(way[1], way[0]) + math.pi / 2 + math.pi / size
            circle = around(size, 32, turn, (x, y))
            for first in range(0, size, row):
                there = circle[first:first + row]
                places += there if first // row % 2 == 0 else there[::-1]
            continue
        aside = (-way[1], way[0])
        for i in range(size):
            away, place, of = (10, i, leaves) if i < leaves else (-44, i - leaves, size - leaves)
            shift = 58 * (place - (of - 1) / 2)
            places.append((x + away * way[0] + shift * aside[0], y + away * way[1] + shift * aside[1], way))
    return places


def layout(kind, routers, topology):
    if kind == "grid":
        return grid(topology["dims"])
    if kind == "levels":
        return levels(routers, topology)
    if kind == "groups":
        return clusters(routers, topology["groups"], row=topology["routers"])
    if kind == "leaves":
        return clusters(routers, topology["groups"], topology["leaves"])
    if kind == "halves":
        half = routers // 2
        return around(half, 120) + [(x, y, (-way[0], -way[1])) for x, y, way in around(half, 68, math.pi / half)]
    return around(routers, 100)


def is_between(a, b, topology):
    """Whether the link joins two groups of a dragonfly or Dragonfly+."""
    if "groups" not in topology:
        return False
    size = topology["chassis"] * topology["routers"] if "chassis" in topology else topology["leaves"] + topology["spines"]
    return a // size != b // size


def bend(a, b, places, kind):
    """How far a link is bent. A link of a grid is bent if it would pass another router."""
    (x1, y1, _), (x2, y2, _) = places[a], places[b]
    length = math.hypot(x2 - x1, y2 - y1)
    passes = kind == "grid" and any(
        c not in (a, b) and math.hypot(x - x1, y - y1) + math.hypot(x2 - x, y2 - y) < length + 1
        for c, (x, y, _) in enumerate(places))
    return -0.2 * length if passes else 0.0


def line(a, b, places, kind, colour):
    (x1, y1, _), (x2, y2, _) = places[a], places[b]
    length, shift = math.hypot(x2 - x1, y2 - y1), bend(a, b, places, kind)
    x = (x1 + x2) / 2 - shift * (y2 - y1) / length
    y = (y1 + y2) / 2 + shift * (x2 - x1) / length
    return (f'<path d="M{x1:.1f} {y1:.1f}Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}" fill="none" stroke="{colour}" '
            'stroke-width="1.2"/>')


def panel(rondo, caption, topology, kind):
    routers, hosts, links = wiring(rondo, topology)
    places = layout(kind, routers, topology)
    lines = [f'<text x="{SIDE / 2}" y="-8" text-anchor="middle" font-weight="600">{caption}</text>']
    for a, b in links:
        lines.append(line(a, b, places, kind, BETWEEN if is_between(a, b, topology) else LINK))
    for router, (x, y, way) in enumerate(places):
        mine = [host for host, its in enumerate(hosts) if its == router]
        for i, host in enumerate(mine):
            shift = 19 * (i - (len(mine) - 1) / 2)
            aside = (1.0, 0.0) if kind == "levels" else (-way[1], way[0])
            hx, hy = x + 25 * way[0] + shift * aside[0], y + 25 * way[1] + shift * aside[1]
            lines += [f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{hx:.1f}" y2="{hy:.1f}" stroke="{HOST}"/>',
                      f'<rect x="{hx - 9:.1f}" y="{hy - 8:.1f}" width="18" height="16" rx="3" fill="{HOST}"/>',
                      f'<text x="{hx:.1f}" y="{hy + 4:.1f}" text-anchor="middle" font-size="11" fill="#ffffff">{host}</text>']
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#24292f"/>')
    return lines


def picture(rondo):
    lines, columns = [], 3
    for i, (caption, (topology, kind)) in enumerate(TOPOLOGIES.items()):
        x, y = (i % columns) * (SIDE + GAP), (i // columns) * (SIDE + GAP + HEAD) + HEAD
        lines += [f'<g transform="translate({x} {y})">', *panel(rondo, caption, topology, kind), "</g>"]
    rows = math.ceil(len(TOPOLOGIES) / columns)
    width, height = columns * (SIDE + GAP), rows * (SIDE + GAP + HEAD)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="system-ui, sans-serif" font-size="13">')
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *lines, "</svg>"]) + "\n"


def main():
    if not sys.argv[1:]:
        sys.exit(f"{sys.argv[0]}: expected the program rondo as first argument, got nothing")
    drawn, file = picture(sys.argv[1]), DOCS / NAME
    if "--check" not in sys.argv:
        file.write_text(drawn, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != drawn:
        print(f"docs: {NAME} differs; run docs/machine_pictures.py RONDO", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
