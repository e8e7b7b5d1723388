#!/usr/bin/env python3
"""Tests of analysis/measured.py and its tables. Without pandas or SciPy they are skipped (exit code 77)."""

import contextlib
import io
import math
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analysis"))
try:
    import measured
    import measured_table
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

COLUMNS = ["system", "archive", "test", "collective", "algorithm", "segment_bytes", "nodes", "tasks_per_node", "ranks",
           "gpu", "bytes", "block_bytes", "flags"]


def row(algorithm, bytes_, ns, collective="allreduce", ranks=8, flags="", system="leonardo", **more):
    values = dict(system=system, archive="2025_06_01", test="1", collective=collective, algorithm=algorithm, segment_bytes="",
                  nodes=ranks, tasks_per_node=1, ranks=ranks, gpu="no", bytes=bytes_, block_bytes=bytes_, flags=flags)
    values.update(more)
    return [str(values[name]) for name in COLUMNS] + [str(ns)]


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, rows, time):
        path = pathlib.Path(self.folder.name, name)
        path.write_text("".join(",".join(cells) + "\n" for cells in [COLUMNS + [time], *rows]))
        return str(path)

    def table(self, rows, time="median_ns"):
        return measured_table.read(self.file("table.csv", rows, time), (time,))


class Judging(Folder):
    def judged(self, measured_rows, predicted_rows):
        data = self.table(measured_rows)
        table = measured.matched(data, measured_table.read(self.file("p.csv", predicted_rows, "predicted_ns"), ("predicted_ns",)))
        default = [measured_table.is_default(each) for each in table.to_dict("records")]
        kept = table[[not each for each in default]].reset_index(drop=True)
        return measured.judge(kept.assign(alpha_beta_ns=math.nan), table[default])

    def test_error_regret_orders_and_default_are_those_counted_by_hand(self):
        # Task 1 (1024 B): ring has the least predicted time, rabenseifner is fastest: regret 150/100. Task 2: the
        # fastest is chosen. Errors: |100/150-1| = 1/3, |120/100-1| = 1/5, |90/100-1| = 1/10, |330/300-1| = 1/10. Their
        # median is 3/20. The times of both pairs differ by more than 20 %, and one pair has the right order. The
        # default takes 120 and 150, which is 1.2 and 1.5 times the least time. The chosen algorithm takes 150/120 and
        # 100/150 of it.
        found = self.judged(
            [row("ring_over", 1024, 150), row("rabenseifner_over", 1024, 100), row("default_ompi", 1024, 120),
             row("ring_over", 2048, 100), row("rabenseifner_over", 2048, 300), row("default_ompi", 2048, 150)],
            [row("ring_over", 1024, 100), row("rabenseifner_over", 1024, 120), row("ring_over", 2048, 90),
             row("rabenseifner_over", 2048, 330)])
        self.assertEqual(found["rows"], "4/4")
        self.assertAlmostEqual(found["error"], 3 / 20)
        self.assertAlmostEqual(found["regret"], math.sqrt(1.5 * 1))
        self.assertAlmostEqual(found["orders"], 1 / 2)
        self.assertAlmostEqual(found["default"], math.sqrt(1.2 * 1.5))
        self.assertAlmostEqual(found["chosen/default"], math.sqrt(150 / 120 * 100 / 150))

    def test_what_was_not_predicted_is_counted_and_not_judged(self):
        found = self.judged([row("ring_over", 1024, 100), row("rabenseifner_over", 1024, 50)], [row("ring_over", 1024, 100)])
        self.assertEqual(found["rows"], "1/2")
        self.assertAlmostEqual(found["error"], 0)
        self.assertTrue(math.isnan(found["regret"]))

    def test_close_times_are_no_order_and_equal_predictions_no_right_one(self):
        close = [row("ring_over", 1024, 100), row("rabenseifner_over", 1024, 119)]
        self.assertTrue(math.isnan(self.judged(close, close)["orders"]))
        apart = [row("ring_over", 1024, 100), row("rabenseifner_over", 1024, 121)]
        equal = [row("ring_over", 1024, 110), row("rabenseifner_over", 1024, 110)]
        self.assertEqual(self.judged(apart, equal)["orders"], 0)

    def test_rows_whose_name_is_not_what_ran_are_left_out(self):
        table = self.table([row("ring_over", 1024, 100, flags="few;label"), row("ring_over", 2048, 100, flags="few"),
                            row("ring_over", 0, 100)])
        self.assertEqual(list(measured_table.usable(table)), [False, True, False])


class AlphaBeta(Folder):
    def test_finds_the_two_parameters_that_made_the_times_of_other_groups(self):
        # time = 2000 ns * rounds + 0.25 ns * sent. Ring: 2 (p-1) rounds of n/p bytes. Recursive doubling: log2 p rounds
        # of n bytes.
        def rows(ranks, factor=1):
            return [row(name, n, factor * (2000 * rounds + 0.25 * sent), ranks=ranks) for n in (2**10, 2**16, 2**22)
                    for name, rounds, sent in (("ring_over", 2 * (ranks - 1), 2 * (ranks - 1) * n / ranks),
                                               ("recursive_doubling_over", math.log2(ranks), math.log2(ranks) * n))]
        table = self.table(rows(8) + rows(16) + rows(32, factor=7))
        judged = (table["ranks"] == 8).to_numpy()
        clean = table[table["ranks"] != 32].reset_index(drop=True)
        predicted = measured.alpha_beta(clean, None)
        for own, true in zip(predicted, clean["ns"]):
            self.assertAlmostEqual(own / true, 1, places=5)
        # The group of 32 ranks takes 7 times as long. It is used in the fits for the other groups.
        spoiled = measured.alpha_beta(table, None)
        self.assertGreater(max(abs(spoiled[judged] / table["ns"][judged].to_numpy(dtype=float) - 1)), 0.01)

    def test_a_system_without_other_groups_gets_no_prediction(self):
        self.assertTrue(all(math.isnan(each) for each in measured.alpha_beta(self.table([row("ring_over", 1024, 5)]), None)))


class ClosedForms(Folder):
    def form(self, *words, **more):
        return measured_table.Algorithms().closed_form(self.table([row(*words, **more)]).to_dict("records")[0])

    def test_are_those_of_the_algorithms_descriptions(self):
        for words, expected in [
            (("ring_over", 800, 1, "allgather", 8), (7, 7 * 100)),
            (("k_bruck_over", 500, 1, "allgather", 5), (3, 4 * 100)),
            (("neighbor_ompi", 600, 1, "allgather", 6), (3, 5 * 100)),
            (("rabenseifner_over", 800, 1, "allreduce", 8), (6, 2 * 800 * 7 / 8)),
            (("rabenseifner_over", 500, 1, "allreduce", 5), (4 + 3, 2 * 500 * 3 / 4 + 2 * 500)),
            (("modified_bruck_ompi", 600, 1, "alltoall", 6), (3, 7 * 100)),  # blocks 1 to 5 have 1+1+2+1+2 bits
            (("recursive_halving_ompi", 600, 1, "reduce_scatter", 6), (4, 600 * 3 / 4 + 600 + 100)),
            (("binary_ompi", 64, 1, "bcast", 8), (3, 6 * 64)),
            (("knomial_ompi", 64, 1, "bcast", 17), (3, 9 * 64)),
        ]:
            ranks, total = words[4], words[1]
            block = total / ranks if words[3] not in ("allreduce", "bcast") else total
            self.assertEqual(self.form(*words, block_bytes=block), expected, words)

    def test_are_only_for_numbers_of_ranks_that_the_algorithm_knows(self):
        self.assertIsNone(self.form("recursive_doubling_over", 600, 1, "allgather", 6, block_bytes=100))
        self.assertIsNone(self.form("neighbor_ompi", 500, 1, "allgather", 5, block_bytes=100))
        self.assertIsNone(self.form("default_ompi", 500, 1, "allgather", 5, block_bytes=100))

    def test_follow_the_day_on_which_an_algorithm_became_another(self):
        words = ("bine_block_by_block_over_any_even", 600, 1, "allgather", 6)
        self.assertEqual(self.form(*words, block_bytes=100, archive="2025_04_06"), (5, 500))
        self.assertEqual(self.form(*words, block_bytes=100, archive="2025_06_04"), (3, 500))


class BadTables(Folder):
    def expect(self, message, rows, time="median_ns"):
        path = self.file("bad.csv", rows, time)
        with self.assertRaises(measured_table.BadTable) as caught:
            measured_table.read(path, ("median_ns",))
        self.assertEqual(str(caught.exception), f"{path}:{message}")

    def test_are_refused_in_one_line_with_line_and_column(self):
        good = row("ring_over", 1024, 5)
        self.expect('3: column median_ns: expected a number of at least 0, got "-5"', [good, row("ring_over", 1024, -5)])
        self.expect('2: column median_ns: expected a number of at least 0, got "nan"', [row("ring_over", 1024, "nan")])
        self.expect("2: column median_ns: expected a time of more than 0, got 0", [row("ring_over", 1024, 0)])
        self.expect('2: column bytes: expected a number of at least 0, got "1KiB"', [row("ring_over", "1KiB", 5)])
        self.expect('2: column bytes: expected a number of at least 0, got ""', [row("ring_over", "", 5)])
        self.expect('2: column bytes: expected a number of at least 0, got "1_024"', [row("ring_over", "1_024", 5)])
        self.expect('2: column bytes: expected a whole number from 0 to 1e+15, got "0.5"', [row("ring_over", 0.5, 5)])
        self.expect('2: column bytes: expected a whole number from 0 to 1e+15, got "1e+30"', [row("ring_over", 1e30, 5)])
        self.expect("3: expected 14 cells as in the first line", [good, good[:-1]])
        self.expect(" expected at least one row after the first line", [])
        self.expect("1: expected a column median_ns, got " + ", ".join(COLUMNS + ["time"]), [good], "time")

    def test_what_is_predicted_twice_is_refused(self):
        data = self.table([row("ring_over", 1024, 5)])
        twice = measured_table.read(self.file("p.csv", [row("ring_over", 1024, 5)] * 2, "predicted_ns"), ("predicted_ns",))
        with self.assertRaisesRegex(measured_table.BadTable, "row 3: predicted twice"):
            measured.matched(data, twice)


class Output(Folder):
    def test_has_a_line_for_each_class_system_and_collective(self):
        rows = [row("ring_over", 1024, 5), row("rabenseifner_over", 1024, 6)]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            measured.main([self.file("d.csv", rows, "median_ns"), self.file("p.csv", rows, "predicted_ns")])
        lines = [line.split()[:4] for line in said.getvalue().splitlines()]
        self.assertEqual(lines[1:], [["MPI,", "one", "process", "a"], ["leonardo", "2/2", "0.000", "1.000"],
                                     ["allreduce", "2/2", "0.000", "1.000"]])


if __name__ == "__main__":
    unittest.main()
