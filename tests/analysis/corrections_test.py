#!/usr/bin/env python3
"""Tests of analysis/corrections.py and fit_measured.py. Without SciPy: exit code 77, skipped."""

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
    import fit_measured
    import measured_rounds
    import measured_table
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ALGORITHMS = measured_table.Algorithms()
COLUMNS = ["system", "archive", "test", "collective", "algorithm", "segment_bytes", "nodes", "tasks_per_node", "ranks",
           "gpu", "bytes", "block_bytes", "median_ns", "mean_ns", "flags"]
SIZES = [2**exponent for exponent in range(6, 28, 3)]
PRICES = {"round": 2000.0, "byte": 0.1, "post": 300.0, "posted byte": 0.1, "copy": 0.05, "copy large": 0.05, "step 16384": 3000.0}


def row(algorithm="ring_over", nodes=8, bytes_=4096, factor=1.0, tasks=1, system="leonardo", archive="a", collective="allgather"):
    ranks = nodes * tasks
    each = dict(system=system, archive=archive, test="1", collective=collective, algorithm=algorithm, segment_bytes="", nodes=nodes,
                tasks_per_node=tasks, ranks=ranks, gpu="no", bytes=bytes_, block_bytes=bytes_ / ranks, mean_ns="", flags="")
    paid = measured_rounds.amounts(each, ALGORITHMS)
    each["median_ns"] = each["ns"] = factor * measured_rounds.time(paid, PRICES) if paid else 1.0
    return each


def keys(each):
    return [key for _, key, _ in corrections.effects(each)]


class Correcting(unittest.TestCase):
    def test_an_effect_is_linear_between_sizes_and_level_beyond_them(self):
        self.assertEqual(corrections.hat(2**13), [0, 1, 0, 0])
        self.assertEqual(corrections.hat(2**20 // 2**7 * 2**3 * 2**0), corrections.hat(2**16))
        self.assertEqual([round(each, 6) for each in corrections.hat(2**16.5)], [0, 0.5, 0.5, 0])
        self.assertEqual(corrections.hat(1), [1, 0, 0, 0])
        self.assertEqual(corrections.hat(2**40), [0, 0, 0, 1])

    def test_no_effect_knows_the_run(self):
        self.assertEqual(keys(row(nodes=8, archive="a")), keys(row(nodes=32, archive="b")))
        self.assertEqual(keys(row()), ["name allgather ring_over", "own allgather ring_over on leonardo", "ranks allgather ring_over"])

    def test_nodes_with_several_processes_have_no_effects(self):
        self.assertEqual(keys(row(tasks=4)), [])
        self.assertEqual(corrections.Corrections({"name allgather ring_over": [1.0] * 4}).factor(row(tasks=4)), 1)

    def test_segments_and_ports_of_a_layered_name_are_no_part_of_its_key(self):
        each = row("BINE-L-UTOFU-0-3", system="fugaku", collective="allreduce")
        self.assertEqual(keys(each)[1:3], ["own allreduce BINE-L-UTOFU on fugaku-utofu", "ports allreduce BINE-L-UTOFU"])

    def test_effects_multiply_and_change_with_ranks_and_ports(self):
        level = [math.log(2)] * 4
        found = corrections.Corrections({"own allgather ring_over on leonardo": level, "name allgather ring_over": level})
        self.assertAlmostEqual(found.factor(row()), 4)
        self.assertAlmostEqual(found.factor(row(system="lumi")), 2)
        self.assertAlmostEqual(found.factor(row("k_bruck_over", system="lumi")), 1)
        found = corrections.Corrections({"ranks allgather ring_over": [1.0] * 4})
        for ranks, change in ((64, 0), (1024, 1), (4, -1), (2**14, 1.5)):  # 16 times 64 ranks change by 1, and no more than 1.5
            self.assertAlmostEqual(math.log(found.factor(row(nodes=ranks))), change)
        found = corrections.Corrections({"ports allreduce BINE-L-UTOFU": [2.6] * 4})
        for ports in (1, 2, 4):
            each = row(f"BINE-L-UTOFU-0-{ports}", system="fugaku", collective="allreduce")
            self.assertAlmostEqual(math.log(found.factor(each)), math.log2(ports))

    def test_an_unknown_machine_has_the_widest_interval(self):
        found = corrections.Corrections({}, {"leonardo": 1.4, "lumi": 1.2})
        self.assertEqual([found.interval(row()), found.interval(row(system="lumi")), found.interval(row(tasks=4))], [1.4, 1.2, 1.4])


class Fitting(unittest.TestCase):
    NAMES = ("ring_over", "k_bruck_over", "recursive_doubling_over", "sparbit_over")

    def rows(self, factor=lambda nodes: 1.0, **words):
        """Four algorithms in four groups; a ring takes factor(nodes) times the price of its rounds."""
        return [row(name, nodes, size, factor(nodes) if name == "ring_over" else 1.0, **words) for nodes in (8, 16, 32, 64)
                for name in self.NAMES for size in SIZES]

    def fitted(self, rows):
        sample = fit_measured.Sample(rows, ALGORITHMS)
        everything = numpy.ones(len(rows), bool)
        prices = fit_measured.priced(sample, everything)
        logs = fit_measured.times(sample, prices)
        values, _ = fit_measured.likeliest(sample, fit_measured.missed_by(sample, logs), everything)
        return sample, prices, logs, logs + sample.weights @ values

    def test_prices_give_back_the_times_that_they_made(self):
        sample, _, logs, _ = self.fitted(self.rows())
        self.assertLess(numpy.median(numpy.abs(logs - sample.logs)), 0.02)

    def test_what_all_groups_show_of_an_algorithm_is_learnt(self):
        rows = self.rows(lambda nodes: 1.5)
        sample, _, logs, corrected = self.fitted(rows)
        self.assertLess(numpy.abs(corrected - sample.logs).mean(), numpy.abs(logs - sample.logs).mean())
        ring = numpy.array([each["algorithm"] == "ring_over" for each in rows])
        self.assertLess(numpy.median(numpy.abs(corrected - sample.logs)[ring]), 0.08)

    def test_what_one_group_shows_is_mostly_its_own(self):
        sample = fit_measured.Sample(self.rows(), ALGORITHMS)
        for nodes, share in (((8,), (0, 0.5)), ((8, 16, 32, 64), (0.6, 1))):
            missed = numpy.array([0.4 * (each["algorithm"] == "ring_over" and each["nodes"] in nodes) for each in sample.rows], numpy.float32)
            values, _ = fit_measured.solved(sample, missed, numpy.ones(len(missed), bool), fit_measured.VARIANCES[0])
            found = (sample.weights @ values)[[each["algorithm"] == "ring_over" and each["nodes"] == 64 for each in sample.rows]].mean() / 0.4
            self.assertTrue(share[0] < found < share[1], (nodes, found))

    def test_ranks_that_share_a_node_cost_more_only_there(self):
        rows = self.rows() + self.rows(lambda nodes: 3.0, tasks=4)
        _, alone, _, _ = self.fitted(self.rows())
        _, both, _, _ = self.fitted(rows)
        chosen = ~fit_measured.shared
        self.assertTrue(numpy.allclose(alone["leonardo"][chosen], both["leonardo"][chosen]))
        self.assertFalse(numpy.allclose(alone["leonardo"][~chosen], both["leonardo"][~chosen]))

    def test_a_machine_without_shared_nodes_takes_the_prices_of_others(self):
        _, prices, _, _ = self.fitted(self.rows() + self.rows(tasks=4) + self.rows(system="lumi"))
        self.assertTrue(numpy.allclose(prices["lumi"][fit_measured.shared], prices["leonardo"][fit_measured.shared]))

    def test_a_fold_does_not_see_its_own_rows(self):
        # The times of one group change: the predictions of that group stay, those of others do not.
        key = lambda each: each["nodes"]
        changed = self.rows()
        for each in changed:
            if each["nodes"] == 16:
                each["ns"] *= 3
        results = []
        for rows in (self.rows(), changed):
            sample = fit_measured.Sample(rows, ALGORITHMS)
            known = fit_measured.priced(fit_measured.Sample(self.rows(), ALGORITHMS), numpy.ones(len(rows), bool))
            results.append(fit_measured.left_out(sample, fit_measured.folds_of(sample, key), known)[1])
        own = numpy.array([each["nodes"] == 16 for each in changed])
        self.assertTrue(numpy.allclose(results[0][own], results[1][own]))
        self.assertFalse(numpy.allclose(results[0][~own], results[1][~own], atol=0.05))

    def test_folds_keep_keys_whole_and_leave_each_row_out_once(self):
        sample = fit_measured.Sample(self.rows(), ALGORITHMS)
        folds = fit_measured.folds_of(sample, lambda each: each["nodes"], 3)
        self.assertTrue((sum(fold.astype(int) for fold in folds) == 1).all())
        for fold in folds:
            left_out = {each["nodes"] for each, out in zip(sample.rows, fold) if out}
            self.assertFalse(left_out & {each["nodes"] for each, out in zip(sample.rows, fold) if not out})

    def test_intervals_hold_four_of_five_errors(self):
        sample = fit_measured.Sample(self.rows(), ALGORITHMS)
        errors = numpy.linspace(-1, 1, len(sample.rows))
        widths = fit_measured.intervals(sample, sample.logs + errors, numpy.ones(len(errors), bool))
        self.assertAlmostEqual(widths["leonardo"], math.exp(0.8), places=1)

    def test_writes_what_predict_reads_and_judges(self):
        with tempfile.TemporaryDirectory() as folder:
            data, rows = pathlib.Path(folder, "data.csv"), self.rows(lambda nodes: 1.5)
            with open(data, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
                writer.writeheader()
                writer.writerows(rows)
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                fit_measured.main([str(data), "--folder", folder])
            self.assertIn(f"fit_measured: {len(rows)} rows, 1 machines with", said.getvalue())
            self.assertGreater(json.loads(pathlib.Path(folder, "measured_costs.json").read_text())["leonardo"]["round"], 1000)
            self.assertIn("name allgather ring_over", corrections.Corrections.read(pathlib.Path(folder, "measured_corrections.json")).values)
            with contextlib.redirect_stdout(said):
                fit_measured.main([str(data), "--judge", "--folder", folder])
            self.assertIn("groups left out", said.getvalue())

    def test_few_rows_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder, "data.csv")
            data.write_text(",".join(COLUMNS) + "\n" + ",".join(str(row()[name]) for name in COLUMNS) + "\n")
            with self.assertRaisesRegex(measured_table.BadTable, "expected at least 30 rows of known schedules with one process a node, got 1"):
                fit_measured.main([str(data)])


if __name__ == "__main__":
    unittest.main()
