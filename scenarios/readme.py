#!/usr/bin/env python3
"""Writes scenarios/README.md from the scenario files: their titles, sources, points and claims. Run it when tests/docs
reports that the page is old:

    scenarios/readme.py [--check]

With --check it writes nothing, and fails if the page differs from the page that it would write.

The scenario file gives the verdict of each claim, which `rondo check` tests. A claim with a correction holds, and its
source states something else: its verdict is `corrected`. docs/reproduction/ compares the measurements of the papers
with the simulations.
"""

import json
import sys
from math import prod
from pathlib import Path

HERE = Path(__file__).resolve().parent

HEAD = """# Scenarios

Written by `scenarios/readme.py` from the scenario files. `rondo run FILE` simulates every point of a scenario,
`rondo check FILE` judges its claims; those of programs need `--allow-programs`. `quickstart.json` is the one of the
README at the top. `claims/` holds what must stay true, all judged in two and a half minutes on two cores; `workloads/` times several collectives
at once, as applications have them; `measured/` sets fitted machines
beside measured collectives ([docs/measured.md](../docs/measured.md)); the others are the figures and tables
of the papers, at the papers' numbers of processes, on the machines of `platforms/`, which take from seconds to minutes:
[docs/reproduction.md](../docs/reproduction.md) sets the papers' numbers beside ours, and says which gains appear
under which model. A sweep on a cluster: [docs/sweeps.md](../docs/sweeps.md).

A claim *holds*, or it is *corrected*: it holds, and its source says otherwise. The others are what a source states and what is
not so: it is *refuted* as wrong, what was measured is otherwise here and that is *explained*, or it is *unexplained*.
`rondo check` fails where it finds anything else.
"""


def escaped(text):
    """Text for a cell of a Markdown table."""
    return "".join("\\" + c if c in "|*_<`" else c for c in text)


def points(scenario):
    """The number of points of a sweep: the product of the lengths of its axes. An axis sweeps its pointers together."""
    sweep = scenario.get("sweep", {})
    if isinstance(sweep, dict):
        return prod(len(values) for values in sweep.values())
    return prod(max(len(values) for values in axis.values()) for axis in sweep)


def verdict(claim):
    return claim.get("verdict", "corrected" if "correction" in claim else "holds")


def overview(files):
    rows = [f"| [`{path.stem}`](#{path.stem}) | {escaped(scenario['title'])} | {points(scenario)} |" for path, scenario in files]
    return "\n".join(["| scenario | what it shows | points |", "|---|---|---|"] + rows)


def section(path, scenario):
    rows = [f"| {escaped(claim['claim'])} | {verdict(claim)} | {escaped(claim.get('correction', ''))} |" for claim in scenario["expect"]]
    return "\n".join([f"### {path.stem}", "", f"`{path.relative_to(HERE)}`: {escaped(scenario['title'])}", "",
                      escaped(scenario.get("source", "")), "", "| claim | verdict | correction |", "|---|---|---|"] + rows)


def scenarios(folder):
    return [(path, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.json"))]


def page():
    parts = [HEAD]
    for title, folder in (("Figures and tables of the papers", HERE), ("Claims", HERE / "claims"), ("Workloads", HERE / "workloads"), ("Measured machines", HERE / "measured")):
        files = scenarios(folder)
        parts.append(f"## {title}\n\n{overview(files)}\n")
        parts += [section(path, scenario) + "\n" for path, scenario in files]
    return "\n".join(parts)


def main():
    readme = HERE / "README.md"
    if sys.argv[1:] != ["--check"]:
        readme.write_text(page(), encoding="utf-8")
    elif readme.read_text(encoding="utf-8") != page():
        sys.exit("scenarios/README.md is old: run scenarios/readme.py")


if __name__ == "__main__":
    main()
