#!/usr/bin/env python3
"""Tests of exceptions. Bad input raises an exception with the text of the command line. A failure in a child process
raises an exception too, and the interpreter continues."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from support import rondo

MACHINE = {"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"}
SCENARIO = {"schema_version": 1, "machine": MACHINE, "collective": {"kind": "allgather", "ranks": 4},
            "algorithm": "ring", "block": "64B", "engine": "native"}


def said_by_command_line(scenario, *words):
    """The line of the command line for a wrong scenario, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "scenario"), "w", encoding="utf-8") as out:
            json.dump(scenario, out)
        ran = subprocess.run([os.environ["RONDO_BINARY"], "run", "--quiet", "scenario", *words], cwd=folder,
                             capture_output=True, text=True, check=False)
    return ran.stderr.strip(), ran.returncode


class Scenarios(unittest.TestCase):
    def refused(self, scenario, text):
        line, code = said_by_command_line(scenario)
        self.assertEqual(code, 2)
        self.assertIn(text, line)
        for ask in (rondo.run, rondo.simulate, rondo.generate):
            with self.assertRaises(rondo.InputError) as caught:
                ask(scenario)
            self.assertEqual(str(caught.exception), line)

    def test_with_an_unknown_algorithm(self):
        self.refused({**SCENARIO, "algorithm": "rign"}, 'did you mean "ring"?')

    def test_with_a_misspelt_key_of_the_machine(self):
        self.refused({**SCENARIO, "machine": {**MACHINE, "latancy": "1us"}}, '"latancy"; did you mean "latency"?')

    def test_with_a_wrong_unit(self):
        self.refused({**SCENARIO, "block": "64 blocks"}, "scenario: /block: expected")

    def test_with_too_few_hosts(self):
        self.refused({**SCENARIO, "collective": {"kind": "allgather", "ranks": 5}}, "expected at most 4 ranks")

    def test_that_are_no_json(self):
        with self.assertRaisesRegex(rondo.InputError, "expected a number below 2|NaN|nan|invalid literal"):
            rondo.run({**SCENARIO, "seed": float("nan")})
        with self.assertRaisesRegex(rondo.InputError, "^scenario: expected what JSON can hold: object has no JSON"):
            rondo.run({**SCENARIO, "seed": object()})

    def test_in_no_file(self):
        with self.assertRaisesRegex(rondo.InputError, "^nowhere.json: "):
            rondo.run("nowhere.json")

    def test_of_programs_that_nobody_allowed(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(rondo.InputError, "--allow-programs"):
                rondo.run(program_in(folder, "int main(void) { return 0; }"))

    def test_with_changes_that_match_nothing(self):
        with self.assertRaisesRegex(rondo.InputError, "^--set: .*/blok"):
            rondo.run(SCENARIO, changes={"/blok": "1B"})

    def test_at_a_point_that_is_none(self):
        with self.assertRaisesRegex(rondo.InputError, "--point: expected a number from 1 to 1, got 2"):
            rondo.simulate(SCENARIO, point=2)


class Schedules(unittest.TestCase):
    def refused(self, text, act):
        s = rondo.Schedule(4, promise={"kind": "allgather", "ranks": 4}, slots={"receive": 4})
        with self.assertRaises(rondo.InputError) as caught:
            with s.round():
                act(s)
        self.assertEqual(str(caught.exception), text)

    def test_with_wrong_ranks(self):
        place = ("send", 0), ("receive", 0)
        self.refused("schedule: round 1, rank 0: expected a target, a rank from 0 to 3, got 4",
                     lambda s: s.send(0, 4, *place))
        self.refused("schedule: round 1: expected a source, a rank from 0 to 3, got -1",
                     lambda s: s.send(-1, 0, *place))
        self.refused("schedule: round 1, rank 2: expected another rank as the target, got the rank itself; a copy stays "
                     "within it", lambda s: s.send(2, 2, *place))
        self.refused("schedule: round 1: expected a rank, from 0 to 3, got 9", lambda s: s.copy(9, *place))
        self.refused("schedule: round 1, rank 0: expected a target, a rank from 0 to 3, got 4",
                     lambda s: s.sends([1, 0], [0, 4], ("send", 0), ("receive", 0)))
        for ranks in (0, -3, 1 << 30, "8"):
            with self.assertRaisesRegex(rondo.InputError, "^schedule: /ranks: expected an integer from 1 to 16777216, got"):
                rondo.Schedule(ranks)

    def test_with_a_place_outside_of_its_buffer(self):
        self.refused("schedule: round 1, rank 1: expected a slot from 0 to 3 of the receive buffer, got 4",
                     lambda s: s.send(0, 1, ("send", 0), ("receive", 4)))
        self.refused("schedule: round 1, rank 0: expected a slot from 0 to 1073741823 of the send buffer, got -1",
                     lambda s: s.send(0, 1, ("send", -1), ("receive", 0)))
        self.refused('schedule: round 1, rank 0: expected a place, a slot of "send", "receive" or "intermediate" such as '
                     "(\"receive\", 0), got ('recieve', 0)", lambda s: s.send(0, 1, ("recieve", 0)))
        self.refused("schedule: round 1, rank 0: expected as many places at the target as the 1 of the source, got 2",
                     lambda s: s.send(0, 1, ("send", 0), [("receive", 0), ("receive", 1)]))

    def test_with_a_join_that_is_none(self):
        self.refused("schedule: round 1, rank 0: expected join to be None, \"before\" or \"after\", got 'sum'",
                     lambda s: s.send(0, 1, ("send", 0), ("receive", 0), join="sum"))

    def test_without_a_round(self):
        s = rondo.Schedule(4)
        with self.assertRaisesRegex(rondo.InputError, "expected a round around what is sent"):
            s.send(0, 1, ("send", 0), ("receive", 0))
        self.refused("schedule: round 1: expected the end of the round before the next one",
                     lambda s: s.round().__enter__())

    def test_without_a_promise(self):
        for ask in (rondo.Schedule(4).verify, rondo.Schedule(4).simulate, rondo.Schedule(4).predict):
            with self.assertRaisesRegex(rondo.InputError, "^schedule: expected a promise"):
                ask()

    def test_with_a_promise_that_is_wrong(self):
        s = rondo.Schedule(4)
        with self.assertRaisesRegex(rondo.InputError, "^schedule: /ranks: expected 5, those of the promise, got 4$"):
            s.verify({"kind": "allgather", "ranks": 5})
        with self.assertRaisesRegex(rondo.InputError, "^schedule: /promise/kind: expected one of .*alltoall"):
            s.verify({"kind": "alltoal", "ranks": 4})

    def test_with_a_block_that_is_no_size(self):
        with self.assertRaisesRegex(rondo.InputError, "^schedule: /block: expected"):
            rondo.Schedule(4, block="much").measure()


def program_in(folder, text):
    """A scenario whose two ranks run a C program."""
    with open(os.path.join(folder, "p.c"), "w", encoding="utf-8") as out:
        out.write(text)
    scenario = os.path.join(folder, "s.json")
    with open(scenario, "w", encoding="utf-8") as out:
        json.dump({"schema_version": 1, "machine": {**MACHINE, "topology": {"kind": "fully_connected", "hosts": 2}},
                   "collective": {"kind": "program", "source": "p.c", "ranks": 2}, "engine": "smpi"}, out)
    return scenario


class Simulations(unittest.TestCase):
    DEADLOCK = {"format": "rondo-schedule", "ranks": 2, "promise": {"kind": "allgather", "ranks": 2},
                "programs": [{"ranks": [r], "buffers": {"send": {"slots": 1}, "receive": {"slots": 2}},
                              "rounds": [{"receives": [{"rank": 1 - r, "places": [["receive", 1 - r]]}]},
                                         {"sends": [{"rank": 1 - r, "places": [["send", 0]]}]}]} for r in (0, 1)]}

    def test_that_deadlock_are_exceptions_on_both_engines(self):
        s = rondo.parse(self.DEADLOCK)
        machine = {**MACHINE, "topology": {"kind": "fully_connected", "hosts": 2}}
        for engine in ("native", "smpi"):
            with self.assertRaisesRegex(rondo.SimulationError, "^deadlock") as caught:
                s.simulate(machine, engine=engine, verify=False)
            self.assertEqual(caught.exception.failure, "deadlock")
        with self.assertRaisesRegex(rondo.ProofError, "circular wait"):
            s.simulate(machine)

    def test_that_exit_or_abort_are_told_apart(self):
        for call, told in (("exit(4)", "rank 1 returned 4"), ("MPI_Abort(MPI_COMM_WORLD, 5)", "rank 1 called MPI_Abort with code 5")):
            text = ("#include <mpi.h>\n#include <stdlib.h>\nint main(int c, char** v) { int r; MPI_Init(&c, &v); "
                    f"MPI_Comm_rank(MPI_COMM_WORLD, &r); if (r == 1) {call}; MPI_Finalize(); return 0; }}")
            with tempfile.TemporaryDirectory() as folder:
                with self.assertRaisesRegex(rondo.SimulationError, told):
                    rondo.simulate(program_in(folder, text), allow_programs=True)

    def test_that_crash_are_exceptions_and_leave_the_interpreter_alone(self):
        text = "#include <stdlib.h>\nint main(void) { abort(); }"
        with tempfile.TemporaryDirectory() as folder:
            scenario = program_in(folder, text)
            with self.assertRaisesRegex(rondo.SimulationError, "crash") as caught:
                rondo.simulate(scenario, allow_programs=True)
            self.assertEqual(caught.exception.failure, "crash")
            records = rondo.run(scenario, allow_programs=True)
            self.assertRegex(records[0]["error"], "crash")
            with self.assertRaisesRegex(rondo.SimulationError, "^point 1: crash"):
                records.expect()

    def test_that_take_too_long_are_exceptions(self):
        with tempfile.TemporaryDirectory() as folder:
            scenario = program_in(folder, "int main(void) { for (volatile int i = 0;; i++) { } }")
            with self.assertRaises(rondo.SimulationError) as caught:
                rondo.simulate(scenario, allow_programs=True, timeout=2)
            self.assertEqual(caught.exception.failure, "timeout")


def child(text, **options):
    """Starts a new Python, which has imported rondo."""
    head = f"import sys; sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r}); from support import rondo\n"
    return subprocess.Popen([sys.executable, "-c", head + text], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **options)


class Interpreters(unittest.TestCase):
    def test_keep_their_standard_output(self):
        text = f"""
print("before", end=" ")
for engine in ("native", "smpi"):
    rondo.simulate({SCENARIO!r}, engine=engine)
    rondo.run({SCENARIO!r}, engine=engine, jobs=2)
    print(engine)
print("behind")
"""
        out, err = child(text).communicate(timeout=120)
        self.assertEqual((out, err), ("before native\nsmpi\nbehind\n", ""))

    def test_are_interrupted_by_ctrl_c(self):
        # A terminal sends the signal to all processes of its group, and a notebook only to its kernel.
        for ask, tell in (("run(scenario, jobs=2, allow_programs=True)", os.killpg),
                          ("run(scenario, allow_programs=True)", os.kill),
                          ("simulate(scenario, allow_programs=True)", os.kill)):
            with self.subTest(ask=ask), tempfile.TemporaryDirectory() as folder:
                running = os.path.join(folder, "running")
                endless = program_in(folder, "#include <stdio.h>\nint main(void) { fclose(fopen(\"" + running +
                                     "\", \"w\")); for (volatile int i = 0;; i++) { } }")
                process = child(f"""
import os
scenario = {endless!r}
print("ready", flush=True)
try:
    rondo.{ask}
    print("ended")
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)
""", start_new_session=True)
                self.assertEqual(process.stdout.readline(), "ready\n")
                while not os.path.exists(running) and process.poll() is None:
                    time.sleep(0.01)
                tell(process.pid, signal.SIGINT)
                out, err = process.communicate(timeout=60)
                self.assertEqual((out, err), ("interrupted\n", ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
