#!/usr/bin/env python3
"""Every argument of every function gets values of wrong types. Each must raise InputError, with one line that names the
argument. Right values must work, also numbers of NumPy."""

import decimal
import os
import tempfile
import unittest

import numpy

from support import rondo

MACHINE = {"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"}
SCENARIO = {"schema_version": 1, "machine": MACHINE, "collective": {"kind": "allgather", "ranks": 4},
            "algorithm": "ring", "block": "64B", "engine": "native"}
HUGE = 10 ** 5000
NAN, INFINITY = float("nan"), float("inf")

NO_INTEGER = [True, False, None, "1", b"1", 1.0, 1.5, NAN, INFINITY, HUGE, -HUGE, [1], {}, object(), numpy.bool_(True),
              numpy.float64(1)]
NO_SECONDS = [True, None, "x", b"1", NAN, INFINITY, -1, -0.5, HUGE, 1e300, [1], {}, object(), numpy.bool_(True)]
NO_FLAG = [0, 1, "yes", b"", 1.0, [], {}, object()]
NO_PATH = [True, 3, 1.5, b"x.json", object(), "a\0b.json", [], ()]
NO_TEXT = [True, 3, 1.5, b"x", object(), [], {}]
NO_MAPPING = [True, 3, 1.5, b"x", object(), ["x"], {1: 2}, {None: 1}]
NO_SIZE = [True, 1.5, NAN, -1, HUGE, b"1B", object(), [1]]
NO_SCENARIO = [True, 3, None, 1.5, b"x", object(), [], "a\0b.json", {1: 2}, {"machine": {1: 2}}, {"seed": object()},
               {"seed": {1, 2}}, {"seed": NAN}, {"title": "\ud800"}, {"seed": HUGE}]


def shown(value):
    try:
        return repr(value)[:60]
    except (ValueError, RecursionError):  # too many digits, or nested too deeply
        return "a value that is not shown"


def nested():
    """A dict that is nested too deeply for all readers."""
    whole = inner = {}
    for _ in range(100000):
        inner["a"] = {}
        inner = inner["a"]
    return whole


def circular():
    whole = {}
    whole["machine"] = whole
    return whole


def written():
    schedule = rondo.Schedule(2, promise={"kind": "bcast", "ranks": 2})
    with schedule.round():
        schedule.send(0, 1, ("send", 0), ("receive", 0))
    return schedule


class Arguments(unittest.TestCase):
    def refused(self, values, act, named=""):
        for value in values:
            with self.subTest(value=shown(value)):
                with self.assertRaises(rondo.InputError) as caught:
                    act(value)
                text = str(caught.exception)
                self.assertNotIn("\n", text)
                self.assertNotIn("\0", text)
                if named:
                    self.assertTrue(text.startswith(named), text)

    def test_of_run(self):
        self.refused(NO_SCENARIO, rondo.run)
        self.refused([nested(), circular()], rondo.run)
        self.refused(NO_INTEGER + [0, -1, 1025], lambda x: rondo.run(SCENARIO, jobs=x), "jobs: expected an integer")
        self.refused(NO_SECONDS, lambda x: rondo.run(SCENARIO, timeout=x), "timeout: expected a number of seconds")
        self.refused(NO_FLAG, lambda x: rondo.run(SCENARIO, verify=x), "verify: expected True or False")
        self.refused(NO_FLAG + [None], lambda x: rondo.run(SCENARIO, allow_programs=x), "allow_programs: expected True")
        self.refused([True, 3, "native ", b"native", [], {}], lambda x: rondo.run(SCENARIO, engine=x))
        self.refused(NO_MAPPING + [{"/block": object()}, {"/block": {1: 2}}],
                     lambda x: rondo.run(SCENARIO, changes=x))
        self.refused(["/tmp", b"/tmp", 3, None, True, [3], ["a\0b"], {"/tmp": 1}],
                     lambda x: rondo.run(SCENARIO, allow_path=x), "allow_path: expected")

    def test_of_simulate(self):
        self.refused(NO_SCENARIO, rondo.simulate)
        self.refused(NO_INTEGER + [0, 2], lambda x: rondo.simulate(SCENARIO, point=x))
        self.refused(NO_FLAG + [None], lambda x: rondo.simulate(SCENARIO, messages=x), "messages: expected True or False")
        self.refused(NO_SECONDS, lambda x: rondo.simulate(SCENARIO, timeout=x), "timeout: expected a number of seconds")
        self.refused(NO_FLAG, lambda x: rondo.simulate(SCENARIO, verify=x), "verify: expected True or False")

    def test_of_prove(self):
        self.refused(NO_PATH + [None, {"kind": "bcast", "ranks": 2}], rondo.prove, "file: expected the name of a file")
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "s.json")
            written().save(file)
            self.refused(NO_PATH + [{}, {"kind": "bcast", "ranks": 2}], lambda x: rondo.prove(file, promise=x),
                         "promise: expected the name of a file")
            self.refused(NO_SECONDS, lambda x: rondo.prove(file, timeout=x), "timeout: expected a number of seconds")

    def test_of_generate_read_and_parse(self):
        self.refused(NO_SCENARIO, rondo.generate)
        for collective in (3, [], "x", {1: 2}, {"kind": "allgather", "ranks": "4"}, {"kind": "allgather", "ranks": True},
                           {"kind": "isomorphic_allgather", "torus": ["a"]}, {"kind": "isomorphic_allgather", "torus": [NAN]},
                           {"kind": "intergroup_allgather", "senders": None, "receivers": []}):
            self.refused([{"collective": collective, "algorithm": "ring"}], rondo.generate)
        self.refused([True, 3, b"x", [], "a\0b", {1: 2}], lambda x: rondo.generate({**SCENARIO, "machine": x}))
        self.refused(NO_INTEGER + [0, 2], lambda x: rondo.generate(SCENARIO, point=x))
        self.refused(NO_MAPPING, lambda x: rondo.generate(SCENARIO, changes=x))
        self.refused(NO_PATH + [None, {}], rondo.read, "file: expected the name of a file")
        self.refused([True, 3, None, 1.5, b"x", object(), [], "", "\0", {1: 2}, {}], rondo.parse)

    def test_of_a_schedule(self):
        self.refused(NO_INTEGER + [0], rondo.Schedule, "schedule: /ranks: expected an integer from 1 to 16777216, got")
        self.refused([True, 3, 1.5, b"x", object(), [], "a\0b", {1: 2}], lambda x: rondo.Schedule(2, promise=x), "promise")
        self.refused(NO_SIZE + [None], lambda x: rondo.Schedule(2, block=x), "schedule: /block: expected a size")
        self.refused(NO_MAPPING + [{"x": 1}, *({"send": x} for x in NO_INTEGER)], lambda x: rondo.Schedule(2, slots=x))
        self.refused(NO_MAPPING + [{"x": [1]}, {"send": 3}, {"send": "ab"}, *({"send": [x]} for x in NO_INTEGER)],
                     lambda x: rondo.Schedule(2, slot_bytes=x))
        self.refused(NO_TEXT + [None], lambda x: rondo.Schedule(2, name=x), "schedule: name: expected a str")

    def test_of_what_is_sent(self):
        schedule = rondo.Schedule(3, promise={"kind": "bcast", "ranks": 3})
        places = [True, None, 3, "send", b"x", ("send",), ("send", "0"), ("send", True), ("send", 1.5), ("send", None),
                  ("send", NAN), ("send", HUGE), (["send"], 0), ("send", 0, 0), {}, object()]
        joins = [True, 3, b"before", [], {}, object(), ["before"]]
        with schedule.round():
            self.refused(NO_INTEGER + [3], lambda x: schedule.send(x, 1, ("send", 0)), "schedule: round 1")
            self.refused(NO_INTEGER + [3], lambda x: schedule.send(0, x, ("send", 0)), "schedule: round 1")
            self.refused(places, lambda x: schedule.send(0, 1, x), "schedule:")
            self.refused([each for each in places if each is not None], lambda x: schedule.send(0, 1, ("send", 0), x))
            self.refused(joins, lambda x: schedule.send(0, 1, ("send", 0), join=x), "schedule: round 1, rank 0")
            self.refused(NO_INTEGER + [3], lambda x: schedule.copy(x, ("send", 0), ("receive", 0)), "schedule: round 1")
            self.refused(places, lambda x: schedule.copy(0, x, ("receive", 0)), "schedule: round 1")
            self.refused(places, lambda x: schedule.copy(0, ("send", 0), x), "schedule: round 1")
            self.refused(joins, lambda x: schedule.copy(0, ("send", 0), ("receive", 0), join=x))
            arrays = [True, None, "x", b"x", 1.5, [0.5], [NAN], [True], HUGE, [HUGE], object(), {}, [[0], [1, 2]]]
            self.refused(arrays, lambda x: schedule.sends(x, [1], ("send", [0])), "schedule:")
            self.refused(arrays, lambda x: schedule.sends([0], x, ("send", [0])), "schedule:")
            self.refused(arrays, lambda x: schedule.sends([0], [1], ("send", x)), "schedule:")
            self.refused([None, 3, "send", ("x", [0]), (3, [0]), (["send"], 0), {}],
                         lambda x: schedule.sends([0], [1], x), "schedule:")
            self.refused([[0, 1, 2]], lambda x: schedule.sends(x, [1, 0], ("send", 0)))
            self.refused(joins, lambda x: schedule.sends([0], [1], ("send", [0]), join=x), "schedule:")

    def test_of_what_is_asked_of_a_schedule(self):
        schedule = written()
        for ask in (schedule.predict, schedule.simulate, schedule.record, schedule.html):
            self.refused([True, 3, b"x", [], object(), "a\0b", {1: 2}, {"latency": object()}], ask)
        for ask in (schedule.simulate, schedule.record, schedule.html):
            self.refused([True, 3, None, b"native", [], "natve"], lambda x, ask=ask: ask(engine=x))
        for ask in (schedule.predict, schedule.simulate, schedule.record):
            self.refused(NO_SIZE, lambda x, ask=ask: ask(block=x), "block: expected a size")
        for ask in (schedule.simulate, schedule.record):
            self.refused(NO_SECONDS, lambda x, ask=ask: ask(timeout=x), "timeout: expected a number of seconds")
            self.refused(NO_FLAG, lambda x, ask=ask: ask(verify=x), "verify: expected True or False")
        self.refused(NO_FLAG + [None], lambda x: schedule.simulate(messages=x), "messages: expected True or False")
        self.refused([True, 3, 1.5, b"x", object(), [], "a\0b", {1: 2}], schedule.verify, "promise")
        self.refused(NO_PATH + [None, {}], schedule.save, "file: expected the name of a file")

    def test_with_a_zero_byte_are_shown_whole(self):
        for act in (rondo.run, rondo.prove, rondo.read, lambda x: rondo.run(SCENARIO, allow_path=[x])):
            with self.assertRaises(rondo.InputError) as caught:
                act("begin\0end.json")
            self.assertIn("begin\\x00end.json", str(caught.exception))

    def test_that_are_right(self):
        self.assertEqual(len(rondo.run(SCENARIO, jobs=numpy.int64(1), timeout=numpy.float32(60), verify=numpy.bool_(True))), 1)
        self.assertEqual(len(rondo.run(SCENARIO, timeout=60, changes={"/block": "1KiB"}, allow_path=(os.getcwd(),))), 1)
        self.assertGreater(rondo.simulate(SCENARIO, point=1, messages=False).makespan, 0)
        schedule = rondo.Schedule(numpy.int32(2), promise={"kind": "bcast", "ranks": 2}, block=numpy.int64(8),
                                  slots={"send": numpy.int8(1)})
        with schedule.round():
            schedule.send(numpy.int64(0), numpy.int32(1), ("send", numpy.int64(0)), ("receive", 0))
        self.assertTrue(schedule.verify())
        self.assertEqual(schedule.block_bytes, 8)
        self.refused([decimal.Decimal("NaN"), decimal.Decimal(1)], lambda x: rondo.run(SCENARIO, timeout=x))


if __name__ == "__main__":
    unittest.main()
