#!/usr/bin/env python3
"""Writes scenarios/README.md from the scenario files: their titles, sources, points and claims. Run it when tests/docs
says that the page is old:

    scenarios/readme.py

The verdict of a claim is what its file says that `rondo check` finds; where a claim holds and its source says otherwise,
it is corrected. What the papers measured beside what is simulated stands in docs/reproduction/.
"""

import json
from math import prod
from pathlib import Path

HERE = Path(__file__).resolve().parent

HEAD = """# Scenarios

Written by `scenarios/readme.py` from the scenario files. `rondo run FILE` simulates every point of a scenario,
`rondo check FILE` judges its claims; those of programs need `--allow-programs`. `quickstart.json` is the one of the
README at the top. `claims/` holds what must stay true, all judged in about half a minute; the others are the figures and tables
of the papers, at the papers' numbers of processes, on the machines of `platforms/`, which take from seconds to minutes:
[docs/reproduction.md](../docs/reproduction.md) sets the papers' numbers beside ours. A sweep on a cluster:
[docs/sweeps.md](../docs/sweeps.md).

A claim *holds*, or it is *corrected*: it holds, and its source says otherwise. The others are what a source states and what is
not so: it is *refuted* as wrong, what was measured is otherwise here and that is *explained*, or it is *unexplained*.
`rondo check` fails where it finds anything else.

## Which measured gains appear under which model

A time depends on the machine's `timing` and on the order of `posting`. What the papers measured, and what comes out:

| measured | linear, the neighbors' order | linear, a random order | flow | flow that searches queues (`match` 30 ns) |
|---|---|---|---|---|
| [Mirsadeghi17] Figure 4, 43 to 67 % saved: Moore (2,2), (2,3), (3,1), (3,2) | 12, 25, -12, 20 % | 37, 51, 22, 52 % | 17, 35, 0, 31 % | 41, 59, 32, 69 % |
| [Traeff16] Figure 2(a) to (d), combining faster than the library by about 2, 4.3, 10, 24 times | 2.1, 4.3, 13, 24 | 2.1, 4.3, 13, 25 | 0.54, 1.1, 3.4, 6.6 | 0.58, 1.2, 3.5, 6.8 |
| [Kang19] Figure 4(d) to (f), 5.3, 5.1, 4.4 times | 3.0, 2.7, 3.7 | the same | 3.0, 2.7, 3.7 | 3.0, 2.7, 3.7 |

- [Mirsadeghi17]: only where each message searches what is queued does a message cost more the more are posted, which is what combining saves
  beyond messages: the measured gains come out. Without it combining saves at most what it saves of the messages (`common-neighbors-figure-4-flow`
  and `-no-match`). Under linear timing the gain is one of the order of posting: a random order takes one port about one and a half times as long as the
  neighbors' own, which has no conflicts, and combining repairs that (`common-neighbors-figure-4-posting`).
- [Traeff16]: the gain is one of start-ups, s against 2d. It comes out where a rank's messages follow one another: on one port, in every order
  (`isomorphic-figure-2-posting`), or round by round under flow timing too, 2.0, 4.3, 12 and 24 times. Under flow timing what is posted
  at once overlaps its start-ups and pays CPUs alone: what a library so posts is faster than combining for 8 neighbors, and the gain
  grows with the neighbors all the same (`isomorphic-figure-2-flow`).
- [Kang19]: blocks of 4 MiB, one message at a time: neither CPUs nor orders matter, volume does, and Table I allows 4. The measured 5 is in no
  model (`kang-figure-4def-flow`).
"""


def escaped(text):
    """Text for a cell of a Markdown table."""
    return "".join("\\" + c if c in "|*_<`" else c for c in text)


def points(scenario):
    """How many points the sweep of a scenario has: the product of its axes, whose pointers are swept in step."""
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
    return [(path, json.loads(path.read_text())) for path in sorted(folder.glob("*.json"))]


def page():
    parts = [HEAD]
    for title, folder in (("Figures and tables of the papers", HERE), ("Claims", HERE / "claims")):
        files = scenarios(folder)
        parts.append(f"## {title}\n\n{overview(files)}\n")
        parts += [section(path, scenario) + "\n" for path, scenario in files]
    return "\n".join(parts)


if __name__ == "__main__":
    (HERE / "README.md").write_text(page())
