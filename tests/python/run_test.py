#!/usr/bin/env python3
"""Tests that scenarios that run from Python have the records of the command line."""

import concurrent.futures
import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import rondo

try:
    import distributed  # Dask's
except ImportError:
    distributed = None

SCENARIOS = os.path.join(os.environ["RONDO_SOURCE"], "scenarios")
QUICKSTART = os.path.join(SCENARIOS, "quickstart.json")
SWEEP = {"schema_version": 1, "block": "1B", "engine": "native", "algorithm": "ring",
         "machine": {"topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
         "collective": {"kind": "allgather", "ranks": 8},
         "sweep": {"/algorithm": ["ring", "bruck"], "/block": ["1B", "1kB", "1MB"]}}


def processes():
    return concurrent.futures.ProcessPoolExecutor(2)


def threads():
    return concurrent.futures.ThreadPoolExecutor(2)


@contextlib.contextmanager
def dask():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client.get_executor()


def executors():
    return [processes, threads] + ([dask] if distributed else [])


def by_command_line(file, *words):
    ran = subprocess.run([os.environ["RONDO_BINARY"], "run", "--quiet", "--format", "jsonl", *words, file],
                         capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


OWN = ("wall_s", "setup_wall_s", "version")  # differ between runs, and between builds


def timeless(records):
    return [{key: value for key, value in record.items() if key not in OWN} for record in records]


class Sweeps(unittest.TestCase):
    def test_give_the_records_of_the_command_line(self):
        for words, options in (([], {}), (["--engine", "native"], {"engine": "native", "jobs": 2}),
                               (["--set", "/seed=4"], {"changes": {"/seed": 4}})):
            with self.subTest(words=words):
                self.assertEqual(timeless(rondo.run(QUICKSTART, **options)),
                                 timeless(by_command_line(QUICKSTART, *words)))

    def test_of_a_dict_are_those_of_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "scenario")
            with open(file, "w", encoding="utf-8") as out:
                json.dump(SWEEP, out)
            expected = timeless(by_command_line(file))
        for record in expected:
            record["scenario"] = "scenario"
        self.assertEqual(timeless(rondo.run(SWEEP)), expected)

    def test_name_machines_and_graphs_in_files(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "m.json"), "w", encoding="utf-8") as out:
                json.dump(SWEEP["machine"], out)
            scenario = {**SWEEP, "machine": os.path.join(folder, "m.json")}
            with self.assertRaisesRegex(rondo.InputError, "--allow-path"):
                rondo.run(scenario)
            self.assertEqual(len(rondo.run(scenario, allow_path=[folder])), 6)

    def test_are_run_by_any_executor(self):
        expected = timeless(rondo.run(SWEEP))
        for make in executors():
            for tasks in (1, 4, 64):
                with self.subTest(executor=make.__name__, tasks=tasks), make() as executor:
                    self.assertEqual(timeless(rondo.run(SWEEP, executor=executor, tasks=tasks)), expected)

    @unittest.skipUnless(shutil.which("mpiexec.openmpi") and importlib.util.find_spec("mpi4py"), "mpi4py is not installed")
    def test_are_run_by_processes_of_mpi(self):
        script = ("import json, sys\nfrom mpi4py.futures import MPIPoolExecutor\nfrom run_test import SWEEP, rondo, timeless\n"
                  "if __name__ == '__main__':\n    with MPIPoolExecutor() as executor:\n"
                  "        records = rondo.run(SWEEP, executor=executor, tasks=5)\n    print(json.dumps(timeless(records)))\n")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "by_mpi.py"), "w", encoding="utf-8") as out:
                out.write(script)
            paths = os.pathsep.join([os.environ["RONDO_PYTHON"], os.path.dirname(os.path.abspath(__file__))])
            ran = subprocess.run(["mpiexec.openmpi", "--oversubscribe", "-n", "3", sys.executable, "-B", "-m", "mpi4py.futures",
                                  os.path.join(folder, "by_mpi.py")], capture_output=True, text=True, cwd=folder,
                                 env={**os.environ, "PYTHONPATH": paths, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                      "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(json.loads(ran.stdout), timeless(rondo.run(SWEEP)))

    def test_of_an_executor_raise_what_their_scenario_raises(self):
        with concurrent.futures.ProcessPoolExecutor(2) as executor:
            with self.assertRaisesRegex(rondo.InputError, "/block"):
                rondo.run({**SWEEP, "sweep": {"/block": ["1B", "1 apple"]}}, executor=executor)
            with self.assertRaisesRegex(rondo.InputError, "tasks: expected an integer from 1 to"):
                rondo.run(SWEEP, executor=executor, tasks=0)

    def test_leave_what_fails_to_the_records(self):
        records = rondo.run({**SWEEP, "machine": {**SWEEP["machine"], "topology": {"kind": "ring", "hosts": 8},
                                                  "neighbors_only": True}})
        self.assertEqual([record["error"] is None for record in records], [True] * 3 + [False] * 3)
        self.assertEqual(len(records.errors), 3)
        self.assertTrue(records.errors[0].startswith("point 4: invalid schedule, not simulated: "))

    def test_compare_own_schedules_with_those_that_are_built_in(self):
        mine = rondo.generate({"collective": SWEEP["collective"], "algorithm": "bruck"})
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "mine.json")
            mine.save(file)
            collective = {"kind": "custom", "schedules": {"mine": file}, "promise": SWEEP["collective"]}
            records = rondo.run({**SWEEP, "collective": collective, "sweep": {"/algorithm": ["mine", "bruck"]}},
                                allow_path=[folder])
        self.assertEqual(records[0]["time_s"], records[1]["time_s"])

    def test_take_files_of_tasks_as_schedules_and_name_the_rank_of_what_is_wrong(self):
        notes = "num_ranks 2\n//@ buffers send 1 receive 1 scratch 1 block 1\n"
        sends = "rank 0 {\na: calc 0 //@ receive[0] = send[0]\nb: send 1b to 1 //@ send[0]\n}\n"
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "mine.goal")
            collective = {"kind": "custom", "schedule": file, "promise": {"kind": "bcast", "ranks": 2}}
            scenario = {**SWEEP, "collective": collective, "algorithm": "custom", "block": "1kB"}
            del scenario["sweep"]
            with open(file, "w", encoding="utf-8") as goal:
                goal.write(notes + sends + "rank 1 {\nc: recv 1b from 0 //@ receive[0]\n}\n")
            timing = rondo.simulate(scenario, allow_path=[folder])
            self.assertAlmostEqual(timing.makespan, 2e-6, delta=1e-14)  # 1 us + 1 kB / 1 GB/s
            with open(file, "w", encoding="utf-8") as goal:
                goal.write(notes + sends + "rank 1 {\nc: recv 1b from 0 //@ scratch[0]\n}\n")
            with self.assertRaises(rondo.ProofError) as refused:
                rondo.simulate(scenario, allow_path=[folder])
        self.assertEqual({each.rank for each in refused.exception.verdict.violations}, {1})

    def test_are_a_data_frame_where_pandas_is_installed(self):
        try:
            import pandas
        except ImportError as why:
            self.skipTest(f"Debian's python3-pandas is missing: {why}")
        frame = rondo.run(SWEEP).frame()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(list(frame["theory.rounds"]), [7, 7, 7, 3, 3, 3])
        self.assertEqual(frame["expanded"][4]["block"], "1kB")

    def test_need_no_pandas(self):
        ran = subprocess.run(["/usr/bin/env", "python3", "-B", "-c", "import sys, rondo; print('pandas' in sys.modules)"],
                             env={**os.environ, "PYTHONPATH": os.environ["RONDO_PYTHON"]}, capture_output=True, text=True,
                             check=True)
        self.assertEqual(ran.stdout, "False\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
