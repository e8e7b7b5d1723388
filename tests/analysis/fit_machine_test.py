#!/usr/bin/env python3
"""Tests of analysis/fit_machine.py, with a program instead of Rondo. Without SciPy they are skipped (exit code 77)."""

import contextlib
import io
import json
import math
import pathlib
import sys
import tempfile
import unittest
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analysis"))
try:
    import fit_machine
    import measured_table
    import numpy
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

COLUMNS = ["system", "archive", "test", "collective", "algorithm", "segment_bytes", "nodes", "tasks_per_node", "ranks",
           "gpu", "bytes", "block_bytes", "median_ns", "flags"]
# The program simulates a ring of p ranks with blocks of m bytes: (p-1) (latency + m / bandwidth). The latency and the
# bandwidth are those of the piece of the block.
PROGRAM = """#!/usr/bin/python3
import json, sys
for path in [word for word in sys.argv if word.endswith(".json")]:
    scenario = json.load(open(path))
    point = 0
    for machine in scenario["sweep"]["/machine"]:
        for size in scenario["sweep"]["/block"]:
            m = int(size[:-1])
            piece = next((each for each in machine.get("pieces", []) if m <= int(each["up_to"][:-1])), machine)
            round = 1e-6 * float(piece["latency"][:-2]) + m / (1e9 * float(piece["bandwidth"][:-4]))
            time = (scenario["collective"]["ranks"] - 1) * round
            point += 1
            print(json.dumps({"scenario": path, "point": point, "block_bytes": m, "time_s": time, "error": None}))
"""


def ring(ranks, block, factor=1.0, latency=2.5e-6, bandwidth=8e9):
    ns = 1e9 * factor * (ranks - 1) * (latency + block / bandwidth)
    return ["s", "a", "1", "allgather", "ring_over", "", str(ranks), "1", str(ranks), "no", str(ranks * block), str(block),
            str(ns), ""]


class Fitting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "rondo").write_text(PROGRAM)
        (self.folder / "rondo").chmod(0o755)
        # The tests have few rows. The default weight would draw the results towards the start of the template.
        self.addCleanup(setattr, fit_machine, "PRIOR", fit_machine.PRIOR)
        fit_machine.PRIOR = 0.01

    def fitted(self, rows, machine, *words):
        data, template, out = (self.folder / name for name in ("data.csv", "template.json", "out.json"))
        data.write_text("".join(",".join(cells) + "\n" for cells in [COLUMNS, *rows]))
        template.write_text(json.dumps(machine))
        with contextlib.redirect_stdout(io.StringIO()):
            fit_machine.main([str(data), "s", str(template), str(out), "--rondo", str(self.folder / "rondo"), *words])
        return json.loads(out.read_text())

    MACHINE = {"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "fit 1us", "bandwidth": "fit 1GBps"}
    ROWS = [ring(ranks, 4**exponent) for ranks in (4, 8) for exponent in range(12)]

    def test_finds_the_machine_that_made_the_times(self):
        machine = self.fitted(self.ROWS, self.MACHINE)
        self.assertAlmostEqual(float(machine["latency"].removesuffix("us")), 2.5, places=2)
        self.assertAlmostEqual(float(machine["bandwidth"].removesuffix("GBps")), 8, places=2)
        self.assertIn("24 rows of data.csv", machine["source"][0])

    def test_finds_what_copies_cost_beside_the_schedule(self):
        # Bruck's allgather copies 2 n bytes, here at 0.5 ns per byte. The program simulates it as a ring.
        rows = list(self.ROWS)
        for cells in [ring(4, 4**exponent) for exponent in range(12)]:
            n = int(cells[COLUMNS.index("bytes")])
            rows.append([*cells[:4], "k_bruck_over", *cells[5:-2], str(float(cells[-2]) + 2 * n * 0.5), ""])
        memory = self.folder / "memory.json"
        machine = self.fitted(rows, {**self.MACHINE, "memory": {"copy": "fit 0.1ns/B"}}, "--memory", str(memory))
        self.assertNotIn("memory", machine)
        self.assertAlmostEqual(float(json.loads(memory.read_text())["s"]["copy"].removesuffix("ns/B")), 0.5, places=2)
        self.assertAlmostEqual(float(machine["latency"].removesuffix("us")), 2.5, places=2)

    def test_each_group_is_predicted_by_a_machine_fitted_to_the_others(self):
        # Rings of 16 ranks take 9 times as long as the machine of the others. Their own prediction must not contain
        # this.
        rows = [*self.ROWS, *(ring(16, 4**exponent, factor=9) for exponent in range(12))]
        predicted = self.folder / "predicted.csv"
        self.fitted(rows, self.MACHINE, "--cross-validate", str(predicted), "--folds", "3")
        table = measured_table.read(predicted, ("predicted_ns",)).to_dict("records")
        self.assertEqual(len(table), len(rows))
        for row in table:
            if row["ranks"] == 16:
                expected = float(ring(16, int(row["block_bytes"]))[-2])
                self.assertAlmostEqual(row["ns"] / expected, 1, delta=0.03)

    def test_is_hardly_moved_by_a_wild_row_or_by_what_is_left_out(self):
        wild = [*self.ROWS, ring(4, 16, factor=20)]
        self.assertAlmostEqual(float(self.fitted(wild, self.MACHINE)["latency"].removesuffix("us")), 2.5, delta=0.1)
        other = [*self.ROWS, *(ring(16, 4**exponent, factor=9) for exponent in range(12))]
        machine = self.fitted(other, self.MACHINE, "--leave-out", "s/16.0/1.0/allgather")
        self.assertAlmostEqual(float(machine["latency"].removesuffix("us")), 2.5, places=2)

    def test_what_the_rows_do_not_determine_is_said_and_nothing_is_written(self):
        machine = {**self.MACHINE, "hop_latency": "fit 1us"}
        with self.assertRaisesRegex(measured_table.BadTable, "do not determine hop_latency; nothing is written"):
            self.fitted(self.ROWS, machine)
        self.assertFalse((self.folder / "out.json").exists())

    def test_what_the_rows_cannot_tell_apart_is_named(self):
        # All blocks have 1000 to 1090 B. The rows then show only the sum of latency and bytes over bandwidth.
        rows = [ring(4, 1000 + 10 * i, factor=1 + 0.001 * (-1) ** i) for i in range(10)]
        self.assertTrue(any("cannot tell latency and bandwidth apart" in line for line in self.fitted(rows, self.MACHINE)["source"]))

    PIECES = {**MACHINE, "pieces": [{"up_to": "256B", "latency": "fit 1us", "bandwidth": "fit 1GBps"},
                                    {"up_to": "65536B", "latency": "fit 2us", "bandwidth": "fit 2GBps"}], "latency": "fit 3us"}

    def assert_no_falls(self, machine):
        """One byte more than a piece has takes longer, in exact fractions. No piece has more bandwidth than the
        machine."""
        pieces = [*machine.get("pieces", []), machine]
        for piece, following in zip(pieces, pieces[1:]):
            size = int(piece["up_to"].removesuffix("B"))
            time, behind = ((Fraction(each["latency"].removesuffix("us")) + Fraction(n) / (1000 * Fraction(each["bandwidth"].removesuffix("GBps"))))
                            for each, n in ((piece, size), (following, size + 1)))
            self.assertGreater(behind, time, machine)
            self.assertLessEqual(float(piece["bandwidth"].removesuffix("GBps")), float(machine["bandwidth"].removesuffix("GBps")))

    def test_no_parameters_let_a_byte_more_take_less_time(self):
        template = fit_machine.Template(self.PIECES)
        draws = numpy.random.default_rng(1)
        for _ in range(300):
            values = numpy.exp(draws.normal(0, 3, len(template.parameters)))
            values[template.may_vanish() & (draws.random(len(values)) < 0.3)] = 0
            for digits in (12, 4, 2):
                self.assert_no_falls(template.filled(values, digits))

    def piecewise(self, pieces):
        """Rows of rings. A piece is (largest block, latency, bandwidth)."""
        def row(ranks, block):
            _, latency, bandwidth = next(piece for piece in pieces if block <= piece[0])
            return ring(ranks, block, latency=latency, bandwidth=bandwidth)
        return [row(ranks, 2**exponent) for ranks in (4, 8) for exponent in range(24)]

    def test_finds_the_pieces_that_made_the_times(self):
        machine = self.fitted(self.piecewise([(256, 1.5e-6, 2e9), (65536, 2.5e-6, 5e9), (math.inf, 12e-6, 12e9)]), self.PIECES)
        self.assertEqual([piece["up_to"] for piece in machine["pieces"]], ["256B", "65536B"])
        for piece, latency, bandwidth in zip([*machine["pieces"], machine], (1.5, 2.5, 12), (2, 5, 12)):
            self.assertAlmostEqual(float(piece["latency"].removesuffix("us")) / latency, 1, delta=0.02)
            self.assertAlmostEqual(float(piece["bandwidth"].removesuffix("GBps")) / bandwidth, 1, delta=0.05)
        self.assert_no_falls(machine)

    def test_a_boundary_that_the_rows_do_not_ask_for_vanishes(self):
        machine = self.fitted(self.piecewise([(256, 2e-6, 5e9), (math.inf, 6e-6, 5e9)]), self.PIECES)
        for piece in [*machine["pieces"][1:], machine]:
            self.assertAlmostEqual(float(piece["latency"].removesuffix("us")), 6, delta=0.01)
            self.assertAlmostEqual(float(piece["bandwidth"].removesuffix("GBps")), 5, delta=0.02)

    def test_pieces_that_are_alike_are_joined(self):
        def piece(latency, **more):
            return {"latency": latency, "bandwidth": "5GBps", **more}
        machine = piece("6us", pieces=[piece("2us", up_to="1B"), piece("2us", up_to="2B"), piece("6us", up_to="3B")])
        self.assertEqual(fit_machine.joined(machine)["pieces"], [piece("2us", up_to="2B")])
        self.assertNotIn("pieces", fit_machine.joined(piece("6us", pieces=[piece("6us", up_to="3B")])))

    def test_times_that_fall_are_met_without_a_fall(self):
        machine = self.fitted(self.piecewise([(65536, 2.5e-6, 5e9), (math.inf, 5e-6, 15e9)]), self.PIECES)
        self.assert_no_falls(machine)

    def test_is_drawn_to_the_start_where_rows_say_little(self):
        fit_machine.PRIOR = 3.0
        self.assertLess(float(self.fitted(self.ROWS, self.MACHINE)["latency"].removesuffix("us")), 2.4)  # starts at 1 us

    def test_bad_templates_are_refused(self):
        for machine, message in (({"latency": "1us"}, "expected values such as"), ({"latency": "fit us"}, "/latency: expected")):
            with self.assertRaisesRegex(measured_table.BadTable, message):
                fit_machine.Template(machine)


if __name__ == "__main__":
    unittest.main()
