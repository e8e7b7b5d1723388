#!/usr/bin/env python3
"""Tests of analysis/corrections.py and fit_corrections.py. Without SciPy: exit code 77, skipped."""

import contextlib
import csv
import io
import json
import math
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analysis"))
try:
    import numpy

    import corrections
    import fit_corrections
    import measured_table
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

COLUMNS = ["system", "archive", "test", "collective", "algorithm", "segment_bytes", "nodes", "tasks_per_node", "ranks",
           "gpu", "bytes", "block_bytes", "median_ns", "mean_ns", "flags"]
SIZES = [2**exponent for exponent in range(6, 28, 3)]


def row(algorithm="ring_over", nodes=8, bytes_=4096, ns=1000.0, tasks=1, system="leonardo", archive="a", collective="allgather"):
    ranks = nodes * tasks
    return dict(system=system, archive=archive, test="1", collective=collective, algorithm=algorithm, segment_bytes="", nodes=nodes,
                tasks_per_node=tasks, ranks=ranks, gpu="no", bytes=bytes_, block_bytes=bytes_ / ranks, median_ns=ns, mean_ns="",
                flags="", ns=ns, predicted_ns=1000.0)


def keys(each):
    return [key for _, key, _ in corrections.effects(each, measured_table.Algorithms())]


class Correcting(unittest.TestCase):
    def test_an_effect_is_linear_between_sizes_and_level_beyond_them(self):
        self.assertEqual(corrections.hat(2**10), [0, 1, 0, 0, 0])
        self.assertEqual(corrections.hat(2**13), [0, 0.5, 0.5, 0, 0])
        self.assertEqual(corrections.hat(1), [1, 0, 0, 0, 0])
        self.assertEqual(corrections.hat(2**40), [0, 0, 0, 0, 1])

    def test_no_effect_knows_the_run(self):
        self.assertEqual(keys(row(nodes=8, archive="a")), keys(row(nodes=64, archive="b")))
        self.assertEqual(keys(row()), ["message leonardo", "collective leonardo allgather", "name allgather ring_over",
                                       "own leonardo allgather ring_over"])

    def test_segments_and_ports_of_a_layered_name_are_no_part_of_its_key(self):
        each = row("BINE-L-UTOFU-0-3", system="fugaku", collective="allreduce")
        self.assertEqual(keys(each)[3], "own fugaku-utofu allreduce BINE-L-UTOFU")

    def test_effects_multiply_and_change_with_ranks_and_with_sharing(self):
        level = [math.log(2)] * 5
        found = corrections.Corrections({"message leonardo": level + [0.0] * 10, "name allgather ring_over": level + [0.0] * 10})
        self.assertAlmostEqual(found.factor(row(), measured_table.Algorithms()), 4)
        self.assertAlmostEqual(found.factor(row(system="lumi"), measured_table.Algorithms()), 2)
        self.assertAlmostEqual(found.factor(row("k_bruck_over", system="lumi"), measured_table.Algorithms()), 1)
        found = corrections.Corrections({"message leonardo": [0.0] * 5 + [1.0] * 5 + [0.0] * 5})
        for ranks, change in ((64, 0), (1024, 1), (4, -1), (2**14, 1.5)):  # 16 times 64 ranks change by 1, and no more than 1.5
            self.assertAlmostEqual(math.log(found.factor(row(nodes=ranks), measured_table.Algorithms())), change)
        found = corrections.Corrections({"message leonardo": [0.0] * 10 + [2.6] * 5})
        for tasks, change in ((1, 0), (2, 1), (4, 2), (64, 2.6 * 1.5)):
            self.assertAlmostEqual(math.log(found.factor(row(tasks=tasks), measured_table.Algorithms())), change)


class Fitting(unittest.TestCase):
    def rows(self, factor):
        """Rings and Bruck's algorithm in four groups; a ring takes factor(nodes) times what is predicted, Bruck's what is."""
        return [row(name, nodes, size, 1000 * (factor(nodes) if name == "ring_over" else 1.0)) for nodes in (8, 16, 32, 64)
                for name in ("ring_over", "k_bruck_over") for size in SIZES]

    def sample(self, rows):
        return fit_corrections.Sample(rows, measured_table.Algorithms()), numpy.log([each["ns"] / 1000 for each in rows])

    def factors(self, rows):
        sample, residuals = self.sample(rows)
        found = corrections.Corrections(sample.effects(residuals))
        return [found.factor(row(name, 128), measured_table.Algorithms()) for name in ("ring_over", "k_bruck_over")]

    def test_what_all_groups_show_of_an_algorithm_is_learnt(self):
        ring, bruck = self.factors(self.rows(lambda nodes: 1.5))
        self.assertTrue(1.35 < ring < 1.5, ring)  # shrunken
        self.assertTrue(0.95 < bruck < 1.05, bruck)

    def test_what_one_group_shows_is_mostly_its_own(self):
        ring, _ = self.factors(self.rows(lambda nodes: 1.5 if nodes == 8 else 1.0))
        self.assertTrue(0.9 < ring < 1.15, ring)

    def test_many_rows_of_one_group_are_one_observation_of_an_algorithm(self):
        # However many rows say so, a part of what one group shows of a name is put down to the name in that group.
        rows = 16 * [each for each in self.rows(lambda nodes: 1.5) if each["nodes"] == 8]
        sample, residuals = self.sample(rows)
        found = corrections.Corrections(sample.effects(residuals))
        ring, bruck = (found.factor(row(name, 8), measured_table.Algorithms()) for name in ("ring_over", "k_bruck_over"))
        self.assertTrue(0.5 < math.log(ring / bruck) / math.log(1.5) < 0.9, (ring, bruck))

    def test_leaving_a_group_out_is_a_fit_without_it(self):
        rows = self.rows(lambda nodes: 1 + 4 / nodes)
        sample, residuals = self.sample(rows)
        expected = sample.left_out(residuals)
        kept, others = self.sample([each for each in rows if each["nodes"] != 16])
        found = corrections.Corrections(kept.effects(others))
        for each, logarithm in zip(rows, expected):
            if each["nodes"] == 16:
                self.assertAlmostEqual(math.log(found.factor(each, measured_table.Algorithms())), logarithm, places=3)

    def test_writes_effects_and_predicts_each_group_by_the_others(self):
        with tempfile.TemporaryDirectory() as folder:
            data, predicted, out, judged = (pathlib.Path(folder, name) for name in ("data.csv", "p.csv", "out.json", "cv.csv"))
            rows = self.rows(lambda nodes: 1.5)
            for path, columns in ((data, COLUMNS), (predicted, [*COLUMNS, "predicted_ns"])):
                with open(path, "w", newline="", encoding="utf-8") as file:
                    writer = csv.DictWriter(file, columns, extrasaction="ignore")
                    writer.writeheader()
                    writer.writerows(rows)
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                fit_corrections.main([str(data), str(predicted), str(out), "--cross-validate", str(judged)])
            self.assertIn(f"half of {len(rows)} rows within", said.getvalue())
            self.assertIn("own leonardo allgather ring_over", json.loads(out.read_text())["effects"])
            times = measured_table.read(judged, ("predicted_ns",)).to_dict("records")
            self.assertEqual(len(times), len(rows))
            for each in times:
                ring = each["algorithm"] == "ring_over"
                self.assertTrue((1200 if ring else 900) < each["ns"] < (1500 if ring else 1100), each)


if __name__ == "__main__":
    unittest.main()
