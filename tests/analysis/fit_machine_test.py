#!/usr/bin/env python3
"""Tests of analysis/fit_machine.py, with a program in Rondo's place. Without SciPy: exit code 77, skipped."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analysis"))
try:
    import fit_machine
    import measured_table
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

COLUMNS = ["system", "archive", "test", "collective", "algorithm", "segment_bytes", "nodes", "tasks_per_node", "ranks",
           "gpu", "bytes", "block_bytes", "median_ns", "flags"]
# A ring of p ranks on a machine of latency and bandwidth: (p-1) (latency + m / bandwidth).
PROGRAM = """#!/usr/bin/python3
import json, sys
point = 0
scenario = json.load(open(sys.argv[-1]))
for machine in scenario["sweep"]["/machine"]:
    for size in scenario["sweep"]["/block"]:
        m = int(size[:-1])
        round = 1e-6 * float(machine["latency"][:-2]) + m / (1e9 * float(machine["bandwidth"][:-4]))
        time = (scenario["collective"]["ranks"] - 1) * round
        point += 1
        print(json.dumps({"point": point, "block_bytes": m, "time_s": time, "error": None}))
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
        # Blocks of 1000 to 1090 B alone: latency and bandwidth both make up the one time that is seen.
        rows = [ring(4, 1000 + 10 * i, factor=1 + 0.001 * (-1) ** i) for i in range(10)]
        self.assertTrue(any("cannot tell latency and bandwidth apart" in line for line in self.fitted(rows, self.MACHINE)["source"]))

    def test_no_piece_is_filled_with_more_than_the_machines_bandwidth(self):
        template = fit_machine.Template({"latency": "1us", "bandwidth": "fit 5GBps", "pieces": [{"bandwidth": "fit 7GBps"}]})
        self.assertEqual(template.filled(template.start())["pieces"][0]["bandwidth"], "5GBps")

    def test_bad_templates_are_refused(self):
        for machine, message in (({"latency": "1us"}, "expected values such as"), ({"latency": "fit us"}, "/latency: expected")):
            with self.assertRaisesRegex(measured_table.BadTable, message):
                fit_machine.Template(machine)


if __name__ == "__main__":
    unittest.main()
