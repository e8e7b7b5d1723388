#!/usr/bin/env python3
"""Tests of the C functions between Python and the library: arguments that they refuse, exceptions of callbacks and of
signals, and memory that they must free."""

import array
import ctypes
import gc
import json
import os
import signal
import threading
import unittest

from support import numpy, rondo

core = rondo._core

MACHINE = {"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"}
SCENARIO = {"schema_version": 1, "machine": MACHINE, "collective": {"kind": "allgather", "ranks": 4},
            "algorithm": "ring", "block": "64B", "engine": "native"}
WORDS = json.dumps({"sets": [], "engine": None, "verify": None, "timeout": 0, "programs": False, "folders": []})


def head(ranks=2, block="8B", promise=None):
    return json.dumps({"ranks": ranks, "block": block, "buffers": [{"slots": 0, "bytes": []}] * 3, "promise": promise})


def columns(sends=1):
    """The columns of a schedule with `sends` rounds. In each round rank 0 sends slot 0 to rank 1."""
    rows = [number for k in range(sends) for number in (k + 1, 0, 1, 0, 1)]
    return array.array("i", rows), array.array("I", [0, 1 << 30] * sends), array.array("I")


def built(sends=1, **header):
    return core.Schedule.build(head(**header), *columns(sends))


def point(own=None, scenario=SCENARIO):
    return core.Point("scenario", json.dumps(scenario), 1, WORDS, own)


class Boundary(unittest.TestCase):
    def test_refuses_what_is_no_handle_of_its_kind(self):
        for name, wrong, kind in (("measure", None, "schedule"), ("text", point(), "schedule"),
                                  ("sent", None, "schedule"), ("schedule", built(), "point"),
                                  ("schedule", None, "point")):
            with self.subTest(function=name), self.assertRaisesRegex(rondo.Error, f"expected a handle of a {kind}"):
                core._ask(name, wrong)
        with self.assertRaisesRegex(rondo.Error, "expected a handle of a point"):
            core._wait("predict", built())
        with self.assertRaisesRegex(rondo.Error, "expected a handle of a schedule"):
            core.Point("scenario", json.dumps(SCENARIO), 1, WORDS, point())
        for wrong in (3, "schedule", b"schedule", core._Turn()):
            with self.subTest(value=wrong), self.assertRaises(ctypes.ArgumentError):
                core._ask("measure", wrong)
        core._free(None)

    def test_refuses_null_as_a_text_or_a_listener(self):
        for name, arguments in (("read", [None]), ("permit", [None]), ("count_points", [None, None, WORDS]),
                                ("build", [None, *columns()]), ("parse", [bytearray(b"{}"), None])):
            with self.subTest(function=name), self.assertRaisesRegex(rondo.Error, "expected a text"):
                core._ask(name, *arguments)
        for name, arguments in (("predict", [point()]), ("verify", [built(), "{}"])):
            with self.subTest(function=name), self.assertRaisesRegex(rondo.Error, "expected a listener"):
                core._ask(name, *arguments, core._Listener())

    def test_takes_columns_of_whole_rows_from_any_writable_buffer(self):
        messages, places, copies = columns()
        by_numpy = [numpy.array(each) for each in (messages, places, copies)]
        self.assertEqual(core.Schedule.build(head(), *by_numpy).sent(), built().sent())
        with self.assertRaisesRegex(rondo.Error, "expected whole rows"):
            core.Schedule.build(head(), messages[:3], places, copies)
        for wrong in (bytes(20), numpy.zeros(10, dtype=numpy.int32)[::2], 3):
            with self.subTest(value=wrong), self.assertRaises(ctypes.ArgumentError):
                core.Schedule.build(head(), wrong, places, copies)

    def test_lets_columns_grow_after_a_refusal(self):
        messages, places, copies = columns()
        try:
            core.Schedule.build(head(block="much"), messages, places, copies)
        except rondo.InputError as error:
            refused = error  # keeps the frames of its traceback
        messages.append(1)
        self.assertIsNotNone(refused.__traceback__)

    def test_takes_texts_whole(self):
        text = built().text().decode()
        self.assertEqual(core.Schedule.parse(text, "s").text().decode(), text)
        for wrong in ("\0" + text, text + "\0", text + "\0x", text + "\ud800"):
            with self.assertRaises(rondo.InputError):
                core.Schedule.parse(wrong, "s")

    def test_keeps_the_schedule_of_a_point(self):
        custom = {**SCENARIO, "algorithm": "custom", "collective": {
            "kind": "custom", "schedules": {"custom": "(schedule)"}, "promise": {"kind": "bcast", "ranks": 2}}}
        held = point(built(promise={"kind": "bcast", "ranks": 2}), custom)
        gc.collect()
        for _ in range(100):
            built(sends=50)  # may reuse the memory of a freed schedule
        self.assertEqual(json.loads(held.record())["rounds"], 1)

    def test_works_in_several_threads(self):
        schedule, found = built(), []

        def work():
            for _ in range(5):
                found.append((json.loads(schedule.measure())["messages"], point().scenario() != "",
                              json.loads(schedule.verify('{"kind": "bcast", "ranks": 2}'))["valid"]))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(found, [(1, True, True)] * 20)


class Exceptions(unittest.TestCase):
    SWEEP = json.dumps({**SCENARIO, "sweep": {"/seed": list(range(1, 2001))}})

    def test_of_whoever_takes_the_records_arrive_and_end_the_run(self):
        for raised in (ZeroDivisionError("why"), SystemExit(3), KeyboardInterrupt()):
            rows = []

            def take(row, raised=raised):
                rows.append(row)
                if len(rows) == 3:
                    raise raised

            with self.subTest(raised=raised), self.assertRaises(type(raised)) as caught:
                core.run("scenario", self.SWEEP, WORDS, 2, (0, 2000), take)
            self.assertIs(caught.exception, raised)
            self.assertEqual(len(rows), 3)

    def test_of_signals_arrive_from_a_run(self):
        class Alarm(Exception):
            pass

        def ring(number, frame):
            raise Alarm(number)

        before = signal.signal(signal.SIGALRM, ring)
        try:
            for delay in (0.01, 0.03, 0.1):
                with self.subTest(delay=delay), self.assertRaises(Alarm):
                    signal.setitimer(signal.ITIMER_REAL, delay)
                    while True:
                        core.run("scenario", self.SWEEP, WORDS, 2, (0, 2000), json.loads)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def resident():
    """The memory of this process, in bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Memory(unittest.TestCase):
    def test_does_not_grow_by_schedules_that_are_freed(self):
        messages, places, copies = columns(sends=500)

        def use():
            schedule = core.Schedule.build(head(), messages, places, copies)
            schedule.measure()
            core.Schedule.parse(schedule.text().decode(), "s").sent()
            point(schedule)
            with self.assertRaises(rondo.InputError):
                core.Schedule.build(head(block="much"), messages, places, copies)

        for _ in range(100):
            use()
        before = resident()
        for _ in range(1000):
            use()
        # The smallest object of use() is the schedule: 500 messages with two places of 4 bytes, at both ends.
        self.assertLess(resident() - before, 1000 * 500 * 2 * 2 * 4 / 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
