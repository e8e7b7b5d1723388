#!/usr/bin/env python3
"""Draws the pictures of docs/model.md: model_pictures.py RONDO writes them into docs/. With --check it writes nothing,
names the pictures that differ, and exits with 1 if there are any.

A picture shows from when to when each message of a few small scenarios is transferred, as RONDO simulates it.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"]
ROW, LEFT, WIDTH, HEAD = 22, 150, 470, 30


def machine(kind="fully_connected", hosts=4, **more):
    return {"topology": {"kind": kind, "hosts": hosts}, "latency": "1us", "bandwidth": "1GBps", **more}


def steps(offsets, ranks=4):
    return {"kind": "isomorphic_alltoall", "torus": [ranks], "neighborhood": {"kind": "offsets", "offsets": offsets}}


NINE_POINTS = {"kind": "isomorphic_alltoall", "torus": [3, 3], "neighborhood": {"kind": "moore", "radius": 1}}

# For each picture and each caption in it: machine, collective, algorithm, and the rank whose sends are shown.
PICTURES = {
    "model-ports.svg": {
        "one port: the sends of rank 0 take turns":
            (machine(ports=1), steps([[1], [2], [3]]), "posted", 0),
        "two ports: two sends at a time":
            (machine(ports=2), steps([[1], [2], [3]]), "posted", 0),
    },
    "model-rounds.svg": {
        "in rounds: a round begins when the sends and receives before it are done":
            (machine(hosts=9, ports=2), NINE_POINTS, "torus", 0),
        "posted: all at once, as far as there are ports":
            (machine(hosts=9, ports=2), NINE_POINTS, "posted", 0),
    },
    "model-links.svg": {
        "unshared links: each message has the bandwidth for itself":
            (machine("ring", 8, ports=3), steps([[1], [2], [3]], 8), "posted", 0),
        "shared links: messages that meet on a link share it":
            (machine("ring", 8, ports=3, links="shared"), steps([[1], [2], [3]], 8), "posted", 0),
    },
}


def messages(rondo, scenario):
    """The messages of the simulated run as (round, source, target, start, end). Times are in microseconds."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "s.json")
        file.write_text(json.dumps(scenario), encoding="utf-8")
        page = subprocess.run([rondo, "show", "--format", "html", file], check=True, capture_output=True, text=True).stdout
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL).group(1))
    return [(m[0], m[1], m[2], m[6] * 1e6, m[7] * 1e6) for m in data["messages"]]


def lines_of_part(caption, sent, longest, top):
    """The SVG lines of a caption, and of a bar and the end time for each message."""
    lines = [f'<text x="0" y="{top + 14}" font-weight="600">{caption}</text>']
    for i, (_, source, target, start, end) in enumerate(sent):
        y = top + HEAD + ROW * i
        x, width = LEFT + WIDTH * start / longest, WIDTH * (end - start) / longest
        colour = COLOURS[i % len(COLOURS)]
        lines += [f'<text x="{LEFT - 10}" y="{y + 12}" text-anchor="end">rank {source} to {target}</text>',
                  f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{ROW - 6}" fill="{colour}"/>',
                  f'<text x="{x + width + 5:.2f}" y="{y + 12}">{end:.6g} us</text>']
    return lines


def picture(rondo, parts):
    shown = []
    for caption, (on, collective, algorithm, rank) in parts.items():
        scenario = {"machine": on, "collective": collective, "algorithm": algorithm, "block": "1000B", "engine": "native"}
        shown.append((caption, [m for m in messages(rondo, scenario) if m[1] == rank]))
    longest = max(end for _, sent in shown for *_, end in sent)
    lines, top = [], 0
    for caption, sent in shown:
        lines += lines_of_part(caption, sent, longest, top)
        top += HEAD + ROW * len(sent) + 16
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 {LEFT + WIDTH + 80} {top}" '
            'font-family="system-ui, sans-serif" font-size="13">')
    paper = f'<rect x="-8" y="0" width="{LEFT + WIDTH + 80}" height="{top}" fill="#ffffff"/>'
    return "\n".join([head, paper, *lines, "</svg>"]) + "\n"


def main():
    if not sys.argv[1:]:
        sys.exit(f"{sys.argv[0]}: expected the program rondo as first argument, got nothing")
    rondo, check = sys.argv[1], "--check" in sys.argv
    differ = []
    for name, parts in PICTURES.items():
        drawn, file = picture(rondo, parts), DOCS / name
        if not check:
            file.write_text(drawn, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != drawn:
            differ.append(name)
    if differ:
        print(f"docs: {', '.join(differ)} differ; run docs/model_pictures.py RONDO", file=sys.stderr)
    return 1 if differ else 0


sys.exit(main())
