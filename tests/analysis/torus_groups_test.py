#!/usr/bin/env python3
"""Schedules between two groups on tori: rondo proves them, and their rounds and blocks are those of the table in
docs/reproduction/intergroup-allgather.md.

    torus_groups_test.py RONDO
"""

import importlib.util
import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("torus_groups", ROOT / "analysis/torus_groups.py")
torus_groups = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(torus_groups)
RONDO = sys.argv.pop()

TORI = [([4, 4], 2), ([5, 3], 2), ([2, 2, 2], 1), ([3, 2, 5], 1), ([6, 4], 1), ([8, 4], 3), ([7], 4), ([4, 1, 3], 3)]


def counts(kind, extents, s):
    """Rounds and blocks on the critical path, by the formulas."""
    a, along, b = extents[0], sum(extent - 1 for extent in extents[1:]), math.prod(extents[1:])
    ring = (a - s) // 2 + 1 if s == 1 and (a - s) % 2 == 0 else s + (a - s + 1) // 2 - 1
    return {"broadcast": (ring + along, ring + s * (b - 1)), "both": (a - 1 + along, a - 1 + max(s, a - s) * (b - 1)),
            "gather": (s + along, s * b + b - 1), "scatter": (a - s + along, (a - s) * b + b - 1), "reduce": (s + along, s + along)}[kind]


def made(kind, extents, s):
    if kind in ("gather", "scatter"):
        return torus_groups.to_the_root(extents, s, kind)
    return torus_groups.reduce(extents, s) if kind == "reduce" else torus_groups.schedule(RONDO, extents, s, kind == "both")


class Schedules(unittest.TestCase):
    def test_are_proved_with_the_counts_of_the_page(self):
        for extents, s in TORI:
            for kind in ("broadcast", "both", "gather", "scatter", "reduce"):
                with self.subTest(kind=kind, extents=extents, senders=s):
                    self.check(kind, extents, s)

    def check(self, kind, extents, s):
        schedule = made(kind, extents, s)
        self.assertEqual(schedule["promises"], {"ports": 1, "links": "unit"})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(schedule, file)
            file.flush()
            proof = subprocess.run([RONDO, "prove", file.name], capture_output=True, text=True)
        self.assertEqual(proof.returncode, 0, proof.stdout + proof.stderr)
        longest = {}
        for program in schedule["programs"]:
            for number, one in enumerate(program["rounds"]):
                for send in one["sends"]:
                    longest[number] = max(longest.get(number, 0), len(send["places"]))
        self.assertEqual((len(longest), sum(longest.values())), counts(kind, extents, s))

    def test_that_come_with_rondo_are_those_of_the_script(self):
        for kind in ("broadcast", "both", "gather", "scatter", "reduce"):
            shipped = json.loads((ROOT / f"scenarios/schedules/torus-4x4x4-{kind}.json").read_text())
            self.assertEqual(shipped, json.loads(json.dumps(made(kind, [4, 4, 4], 2))), kind)


if __name__ == "__main__":
    unittest.main()
