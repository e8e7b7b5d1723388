#!/usr/bin/env python3
"""Tests of analysis/predict.py, with a program instead of Rondo. Without pandas they are skipped (exit code 77)."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analysis"))
try:
    import measured_table
    import predict
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

COLUMNS = ["system", "archive", "test", "collective", "algorithm", "segment_bytes", "nodes", "tasks_per_node", "ranks",
           "gpu", "bytes", "block_bytes", "median_ns", "mean_ns", "flags"]
# The program takes 1 ns for each byte of the block as the simulated time, and refuses bcast.
PROGRAM = """#!/usr/bin/python3
import json, sys
paths = [word for word in sys.argv if word.endswith(".json")]
scenarios = [json.load(open(path)) for path in paths]
if any(scenario["collective"]["kind"] == "bcast" for scenario in scenarios):
    print("s.json: /algorithm: expected another one", file=sys.stderr)
    sys.exit(2)
for path, scenario in zip(paths, scenarios):
    for point, size in enumerate(scenario["sweep"]["/block"], 1):
        block = int(size[:-1])
        print(json.dumps({"scenario": path, "point": point, "block_bytes": block, "time_s": 1e-9 * block, "error": None}))
"""


def row(algorithm, bytes_, block, ns="", collective="allgather", nodes=8, ranks=8, gpu="no", system="leonardo"):
    values = dict(system=system, archive="2025_06_01", test="1", collective=collective, algorithm=algorithm, segment_bytes="",
                  nodes=nodes, tasks_per_node=ranks // nodes, ranks=ranks, gpu=gpu, bytes=bytes_, block_bytes=block,
                  median_ns=ns, mean_ns="", flags="")
    return [str(values[name]) for name in COLUMNS]


class Predicting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.rondo = self.folder / "rondo"
        self.rondo.write_text(PROGRAM)
        self.rondo.chmod(0o755)
        (self.folder / "platforms" / "measured").mkdir(parents=True)
        (self.folder / "analysis").mkdir()
        self.memory({})
        self.write("measured_costs", {"leonardo": {"round": 10.0, "byte": 1.0, "copy": 0.5}})
        self.write("measured_corrections", {"factors": {}, "intervals": {"leonardo": 1.5}})
        machine = {"source": "a test", "topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us", "bandwidth": "1GBps"}
        (self.folder / "platforms" / "measured" / "leonardo.json").write_text(json.dumps(machine))
        self.addCleanup(setattr, predict, "ROOT", predict.ROOT)
        predict.ROOT = self.folder

    def memory(self, costs):
        self.write("measured_memory", costs)

    def write(self, name, content):
        (self.folder / "analysis" / f"{name}.json").write_text(json.dumps(content))

    def simulated(self, rows, *words):
        return self.predicted(rows, "--engine", *words)

    def predicted(self, rows, *words):
        data, out = self.folder / "data.csv", self.folder / "out.csv"
        data.write_text("".join(",".join(cells) + "\n" for cells in [COLUMNS, *rows]))
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            predict.main([str(data), str(out), "--rondo", str(self.rondo), "--jobs", "1", *words])
        return measured_table.read(out, ("predicted_ns",)).to_dict("records"), said.getvalue()

    def test_each_known_row_gets_the_time_of_its_own_block(self):
        found, said = self.simulated([row("ring_over", 800, 100), row("ring_over", 1600, 200), row("k_bruck_over", 800, 100)])
        self.assertEqual([(each["algorithm"], each["bytes"], each["ns"]) for each in found],
                         [("ring_over", 800, 100), ("ring_over", 1600, 200), ("k_bruck_over", 800, 100)])
        self.assertIn("3 of 3 rows", said)

    def test_costs_inside_a_host_are_left_out_where_each_rank_has_its_own(self):
        # Rondo refuses keys that have no effect.
        machine = {"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us", "bandwidth": "1GBps", "intra_latency": "0.5us"}
        for ranks, kept in ((8, False), (32, True)):
            case = predict.Case("leonardo", 8, ranks, 1, "allgather", "{}", "ring")
            self.assertEqual("intra_latency" in predict.machine_for(machine, case), kept)

    def test_what_processes_do_beside_the_schedule_is_added(self):
        # Bruck's algorithm copies 2 n = 1600 B at 0.5 ns per byte. The ring copies nothing.
        self.memory({"leonardo": {"copy": "0.5ns/B", "message": "1000ns"}})
        found, _ = self.simulated([row("ring_over", 800, 100), row("k_bruck_over", 800, 100)])
        self.assertEqual([each["ns"] for each in found], [100, 100 + 0.5 * 1600])

    def test_rounds_are_paid_and_corrected_unless_this_is_not_wanted(self):
        # Ring: 7 rounds of 100 B. Bruck: 3 rounds of 100, 200 and 400 B, and copies of 1600 B.
        rows = [row("ring_over", 800, 100), row("k_bruck_over", 800, 100)]
        found, _ = self.predicted(rows)
        self.assertEqual([each["ns"] for each in found], [7 * 110, 30 + 700 + 800])
        self.assertEqual([(float(each["low_ns"]), float(each["high_ns"])) for each in found], [(513, 1155), (1020, 2295)])
        self.write("measured_corrections", {"factors": {"allgather ring_over": 2}, "intervals": {"leonardo": 1.5}})
        self.assertEqual([each["ns"] for each in self.predicted(rows)[0]], [2 * 7 * 110, 1530])
        self.assertEqual([each["ns"] for each in self.predicted(rows, "--uncorrected")[0]], [7 * 110, 1530])
        self.assertEqual([each["ns"] for each in self.simulated(rows)[0]], [100, 100])

    def test_rows_without_prices_are_named(self):
        found, said = self.predicted([row("ring_over", 800, 100), row("ring_over", 800, 100, system="elsewhere"), row("default_ompi", 800, 100)])
        self.assertEqual(len(found), 1)
        self.assertIn("predict: 1 rows of elsewhere, allgather ring_over: no prices of its machine in measured_costs.json\n", said)
        self.assertIn("predict: 1 rows of leonardo, allgather default_ompi: its schedule is not known\n", said)

    def test_rows_that_are_not_simulated_in_time_have_no_prediction(self):
        with self.assertRaisesRegex(measured_table.BadTable, "out.csv: expected at least one row"):
            self.simulated([row("ring_over", 800, 100), row("k_bruck_over", 800, 100)], "--limit", "0")
        self.assertEqual(len((self.folder / "out.csv").read_text().splitlines()), 1)

    def test_schedules_of_few_messages_are_simulated_first(self):
        rows = self.read([row("linear_ompi", 800, 100, collective="alltoall"), row("linear_ompi", 800, 100, collective="gather")])
        self.assertEqual([predict.messages_of(each, measured_table.Algorithms()) for each in rows], [7 * 8, 7])
        found, _ = predict.cases_of(rows)
        self.assertEqual([case.kind for case in predict.fewest_first(rows, found, measured_table.Algorithms())], ["gather", "alltoall"])

    def test_a_part_of_the_message_goes_through_each_port(self):
        (self.folder / "platforms" / "measured" / "leonardo-utofu.json").write_text(json.dumps(
            {"latency": "1us", "bandwidth": "1GBps", "flow": {"o_send": "0.1us", "o_recv": "0.2us"}}))
        found, _ = self.simulated([row("BINE-L-UTOFU-0-3", 800, 800, collective="allreduce")])
        self.assertEqual([each["ns"] for each in found], [267])
        machine = predict.machine_for({"flow": {"o_send": "0.1us", "o_recv": "0.2us"}},
                                      predict.Case("x-utofu", 8, 8, 3, "allreduce", "{}", "bine_latency"))
        self.assertEqual(machine["flow"], {"o_send": "0.3us", "o_recv": "0.6us"})

    def test_segments_may_depend_on_the_size(self):
        line = {"options": '{"radix": 4, "segment": [[1000, 0], [2000, 64], [null, 4096]]}'}
        self.assertEqual(json.loads(predict.options_for(line, 1000)), {"radix": 4})
        self.assertEqual(json.loads(predict.options_for(line, 1001)), {"radix": 4, "segment": "64B"})
        self.assertEqual(json.loads(predict.options_for(line, 3000)), {"radix": 4})  # one segment
        self.assertEqual(json.loads(predict.options_for(line, 8000)), {"radix": 4, "segment": "4096B"})

    def test_what_rondo_has_not_is_left_out(self):
        found, said = self.simulated([
            row("ring_over", 800, 100), row("default_ompi", 800, 100), row("ring_over", 800, 100, gpu="yes"),
            row("ring_over", 800, 100, system="elsewhere"), row("binomial_ompi", 64, 64, collective="bcast")])
        self.assertEqual(len(found), 1)
        self.assertIn("predict: no machine of elsewhere in platforms/measured/\n", said)
        self.assertIn("predict: s.json: /algorithm: expected another one\n", said)
        self.assertIn("predict: 1 rows of leonardo, allgather default_ompi: its schedule is not known\n", said)
        self.assertIn("predict: 1 rows of leonardo, allgather ring_over: buffers of GPUs\n", said)

    def read(self, rows):
        table = self.folder / "t.csv"
        table.write_text("".join(",".join(cells) + "\n" for cells in [COLUMNS, *rows]))
        return measured_table.read(table, ()).to_dict("records")

    def test_no_measured_time_enters_without_a_probe(self):
        rows = [row("ring_over", 800, 100, ns=ns) for ns in ("", "5", "nonsense")]
        self.assertEqual([each[0]["ns"] for each in (self.simulated([row])[0] for row in rows)], [100, 100, 100])

    def test_a_probe_that_no_row_has_is_refused(self):
        with self.assertRaisesRegex(measured_table.BadTable, "--probe: expected an algorithm that some row has a time of, got no_such"):
            self.simulated([row("ring_over", 800, 100, 5)], "--probe", "no_such")

    def test_a_probe_rescales_the_others_of_its_run_alone(self):
        # The ring takes 4 times the predicted time at each size. 0.7 of this logarithm multiplies all times of its run
        # by 4^0.7.
        rows = [row("ring_over", 800, 100, 400), row("ring_over", 8000, 1000, 4000), row("k_bruck_over", 800, 100, 1),
                row("k_bruck_over", 1600, 100, 1, nodes=16, ranks=16)]
        found, _ = self.simulated(rows, "--probe", "ring_over")
        factor = 4**0.7
        for each, expected in zip(found, [100 * factor, 1000 * factor, 100 * factor, 100]):
            self.assertAlmostEqual(each["ns"] / expected, 1, places=2)

    def test_the_machine_has_the_nodes_of_the_row_and_its_ranks_on_them(self):
        (case,), _ = predict.cases_of(self.read([row("ring_over", 3200, 100, nodes=8, ranks=32)]))
        scenario = predict.scenario(case, [100], [{"latency": "1us"}])
        self.assertEqual(scenario["machine"]["topology"]["hosts"], 8)
        self.assertEqual(scenario["machine"]["ranks_per_host"], 4)
        self.assertEqual(scenario["collective"], {"kind": "allgather", "ranks": 32})

    def test_a_torus_has_the_nodes_of_the_row_as_near_to_a_cube_as_can_be(self):
        (case,), _ = predict.cases_of(self.read([row("ring_over", 800, 100, nodes=8, ranks=8)]))
        machine = {"topology": {"kind": "torus", "dims": [4, 4, 4]}, "links": "shared"}
        self.assertEqual(predict.machine_for(machine, case)["topology"], {"kind": "torus", "dims": [2, 2, 2]})

    def test_a_name_may_stand_for_another_schedule_from_a_size_on(self):
        rows = self.read([row("recursive_doubling_mpich", size, size, collective="allreduce") for size in (2048, 2049)])
        self.assertEqual([measured_table.Algorithms().of(each)["algorithm"] for each in rows], ["recursive_doubling", "rabenseifner"])

    def test_whole_vectors_are_blocks_of_broadcasts_and_reductions(self):
        self.assertEqual(predict.block_of(dict(collective="bcast", bytes=800.0, block_bytes=100.0)), 800)
        self.assertEqual(predict.block_of(dict(collective="alltoall", bytes=800.0, block_bytes=100.0)), 100)


if __name__ == "__main__":
    unittest.main()
