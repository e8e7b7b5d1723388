#!/usr/bin/env python3
"""Tests of analysis/corrections.py and fit_measured.py. Without SciPy they are skipped (exit code 77)."""

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


class Correcting(unittest.TestCase):
    def test_a_factor_knows_neither_machine_nor_run_nor_size(self):
        names = {corrections.name_of(each) for each in (row(), row(nodes=32, archive="b"), row(system="lumi"), row(bytes_=1 << 20))}
        self.assertEqual(names, {"allgather ring_over"})

    def test_segments_and_ports_of_a_layered_name_are_no_part_of_it(self):
        each = row("BINE-L-UTOFU-0-3", system="fugaku", collective="allreduce")
        self.assertEqual(corrections.name_of(each), "allreduce BINE-L-UTOFU")

    def test_nodes_with_several_processes_have_no_factor(self):
        found = corrections.Corrections({"allgather ring_over": 2.0})
        self.assertEqual([found.factor(row()), found.factor(row(tasks=4)), found.factor(row("k_bruck_over"))], [2, 1, 1])

    def test_an_unknown_machine_has_the_widest_interval(self):
        found = corrections.Corrections({}, {"leonardo": 1.4, "lumi": 1.2})
        self.assertEqual([found.interval(row()), found.interval(row(system="lumi")), found.interval(row(tasks=4))], [1.4, 1.2, 1.4])


class Fitting(unittest.TestCase):
    INSIDE = measured_rounds.COSTS.index("inside")
    NAMES = ("ring_over", "k_bruck_over", "recursive_doubling_over", "sparbit_over")

    def rows(self, factor=lambda nodes: 1.0, **words):
        """Rows of four algorithms in four groups. A ring takes factor(nodes) times the price of its rounds."""
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
        for cost, price in zip(measured_rounds.COSTS, alone["leonardo"]):
            if cost not in ("inside", "inside byte", "node byte", "shared memory"):
                self.assertAlmostEqual(price, both["leonardo"][measured_rounds.COSTS.index(cost)], msg=cost)
        self.assertNotEqual(alone["leonardo"][self.INSIDE], both["leonardo"][self.INSIDE])

    def test_a_machine_takes_prices_that_it_does_not_pay_from_others(self):
        _, prices, _, _ = self.fitted(self.rows() + self.rows(tasks=4) + self.rows(system="lumi"))
        self.assertEqual(prices["lumi"][self.INSIDE], prices["leonardo"][self.INSIDE])
        self.assertEqual(prices["lumi"][measured_rounds.COSTS.index("peer")], 0)  # this price may vanish

    def test_a_price_that_only_left_out_rows_pay_is_not_known(self):
        sample = fit_measured.Sample(self.rows() + self.rows(tasks=4), ALGORITHMS)
        known = fit_measured.priced(sample, numpy.ones(len(sample.rows), bool))
        again = fit_measured.priced(sample, sample.alone, known)
        self.assertEqual(again["leonardo"][self.INSIDE], fit_measured.starts[self.INSIDE])

    def test_a_fold_does_not_see_its_own_rows(self):
        # The times of one group change. The predictions of this group stay the same, and those of other groups change.
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
        self.assertFalse(all((one == other).all() for one, other in zip(folds, fit_measured.folds_of(sample, lambda each: each["nodes"], 3, 2))))
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
            self.assertGreater(corrections.Corrections.read(pathlib.Path(folder, "measured_corrections.json")).factor(row()), 1)
            with contextlib.redirect_stdout(said):
                fit_measured.main([str(data), "--judge", "--folder", folder, "--shuffle", "2"])
            self.assertIn("groups left out", said.getvalue())

    def test_few_rows_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder, "data.csv")
            data.write_text(",".join(COLUMNS) + "\n" + ",".join(str(row()[name]) for name in COLUMNS) + "\n")
            with self.assertRaisesRegex(measured_table.BadTable, "expected at least 30 rows of known schedules with one process a node, got 1"):
                fit_measured.main([str(data)])


if __name__ == "__main__":
    unittest.main()
