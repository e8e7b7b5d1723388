#!/usr/bin/env python3
"""Tests of schedules that are written, generated and read in Python. The expected values come from formulas of the
papers, or from the rounds that are written here."""

import json
import os
import tempfile
import unittest

from support import numpy, rondo

MICROSECOND = 1e-6


def ring(p, **options):
    """The ring allgather: p - 1 rounds. In each round a rank sends the block that it received in the round before."""
    s = rondo.Schedule(p, promise={"kind": "allgather", "ranks": p}, **options)
    for r in range(p):
        s.copy(r, ("send", 0), ("receive", r))
    for k in range(p - 1):
        with s.round():
            for r in range(p):
                s.send(r, (r + 1) % p, ("receive", (r - k) % p))
    return s


def machine(p, **more):
    return {"topology": {"kind": "fully_connected", "hosts": p}, "latency": "1us", "bandwidth": "1GBps", **more}


def doubled(times):
    """An allreduce on 2 ranks in which rank 0's own contribution enters its sum 2^times times."""
    s = rondo.Schedule(2, promise={"kind": "allreduce", "ranks": 2}, slots={"intermediate": 1})
    s.copy(0, ("send", 0), ("intermediate", 0))
    for _ in range(times):
        s.copy(0, ("intermediate", 0), ("intermediate", 0), join="after")
    s.copy(0, ("intermediate", 0), ("receive", 0))
    s.copy(1, ("send", 0), ("receive", 0))
    with s.round():
        s.send(0, 1, ("send", 0), ("receive", 0), join="before")
        s.send(1, 0, ("send", 0), ("receive", 0), join="after")
    return s


class Reduced(unittest.TestCase):
    # 2^61 is 1 modulo 2^61 - 1, and 2^64 is 0 in 64 bits.
    def test_counts_a_contribution_however_often_it_enters(self):
        self.assertTrue(doubled(0).verify())
        for times in (1, 31, 32, 60, 61, 63, 64, 122, 183):
            with self.subTest(times=times):
                schedule = doubled(times)
                self.assertFalse(schedule.verify())
                with tempfile.TemporaryDirectory() as folder:
                    file = os.path.join(folder, "s.json")
                    schedule.save(file)
                    self.assertFalse(rondo.prove(file))


class Written(unittest.TestCase):
    def test_keeps_its_promise_and_is_counted(self):
        s = ring(5, block="1000B")
        self.assertTrue(s.verify())
        counts = s.measure()
        self.assertEqual((s.rounds, counts["messages"], counts["volume_blocks"], counts["ports"]), (4, 20, 4, 1))
        self.assertEqual(counts["total_bytes"], 20 * 1000)

    def test_takes_alpha_and_beta_for_each_round(self):
        timing = ring(5, block="1000B").simulate(machine(5))
        self.assertAlmostEqual(timing.makespan, 4 * (1 + 1) * MICROSECOND, delta=1e-15)
        self.assertEqual(timing.finish.shape, (5,))
        self.assertTrue(numpy.allclose(timing.finish, timing.makespan))
        self.assertEqual((timing.messages, timing.bytes), (20, 20 * 1000))

    def test_takes_the_same_time_on_simgrid_which_checks_every_byte(self):
        timing = ring(4, block="1000B").simulate(machine(4), engine="smpi")
        self.assertAlmostEqual(timing.makespan, 3 * 2 * MICROSECOND, delta=1e-14)
        self.assertTrue(timing.payload_verified)

    def test_gives_the_passage_of_each_message(self):
        passages = ring(3, block="1000B").simulate(machine(3), messages=True).passages
        self.assertEqual(len(passages), 6)
        self.assertEqual(sorted(zip(passages["source"], passages["target"])), sorted([(0, 1), (1, 2), (2, 0)] * 2))
        self.assertTrue(numpy.allclose(passages["receive_end"] - passages["send_start"], 2 * MICROSECOND))

    def test_has_other_blocks_where_they_are_asked_for(self):
        s = ring(5)
        self.assertEqual(s.block_bytes, 1)
        self.assertAlmostEqual(s.simulate(machine(5), block=3000).makespan, 4 * 4 * MICROSECOND, delta=1e-15)

    def test_runs_on_a_machine_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "m.json")
            with open(file, "w", encoding="utf-8") as out:
                json.dump(machine(5), out)
            self.assertAlmostEqual(ring(5, block=1000).simulate(file).makespan, 8 * MICROSECOND, delta=1e-15)

    def test_is_bounded_by_what_it_promises(self):
        prediction = ring(8, block=1000).predict(machine(8))
        # The blocks of a rank at most double in a round. A rank receives seven blocks through one port, after a
        # start-up.
        self.assertEqual(prediction["bound"]["rounds"], 3)
        self.assertAlmostEqual(prediction["bound"]["time_s"], (1 + 7) * MICROSECOND, delta=1e-15)
        self.assertIsNone(prediction["theory"]["rounds"])

    def test_has_a_record_like_a_point_of_a_sweep(self):
        record = ring(5, block=1000, name="mine").record(machine(5))
        self.assertEqual((record["algorithm"], record["rounds"], record["delivered"]), ("mine", 4, True))
        self.assertAlmostEqual(record["time_s"], 8 * MICROSECOND, delta=1e-15)
        self.assertIsNone(record["error"])

    def test_reduces_where_it_joins(self):
        s = rondo.Schedule(2, promise={"kind": "allreduce", "ranks": 2}, block=8)
        for r in range(2):
            s.copy(r, ("send", 0), ("receive", 0))
        with s.round():
            s.send(0, 1, ("receive", 0), join="before")
            s.send(1, 0, ("receive", 0), join="after")
        self.assertTrue(s.verify())
        self.assertEqual(s.measure()["reduced_bytes"], 8)

    def test_holds_several_blocks_in_a_message(self):
        s = rondo.Schedule(2, promise={"kind": "alltoall", "ranks": 2}, block=8)
        s.copy(0, ("send", 0), ("receive", 0))
        s.copy(1, ("send", 1), ("receive", 1))
        with s.round():
            s.send(0, 1, [("send", 1)], [("receive", 0)])
            s.send(1, 0, [("send", 0)], [("receive", 1)])
        self.assertTrue(s.verify())

    def test_says_what_is_wrong_by_rank_and_round(self):
        s = rondo.Schedule(3, promise={"kind": "bcast", "ranks": 3})
        with s.round():
            s.send(0, 1, ("send", 0), ("receive", 0))
        verdict = s.verify()
        self.assertFalse(verdict)
        self.assertEqual([(v.fault, v.rank) for v in verdict.violations], [("lost block", 2)])
        with self.assertRaises(rondo.ProofError) as caught:
            verdict.expect()
        self.assertIs(caught.exception.verdict, verdict)
        with self.assertRaisesRegex(rondo.ProofError, "^invalid schedule, not simulated: 1 violation, the first: rank 2, round 1: block 0"):
            s.simulate()
        self.assertRegex(s.record()["error"], "^invalid schedule, not simulated: 1 violation, the first: rank 2, round 1: block 0 of rank 0 is lost")

    def test_keeps_a_promise_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "bcast.json")
            with open(file, "w", encoding="utf-8") as out:
                json.dump({"kind": "bcast", "ranks": 2}, out)
            s = rondo.Schedule(2, promise=file)
            with s.round():
                s.send(0, 1, ("send", 0), ("receive", 0))
            self.assertTrue(s.verify())
            self.assertEqual(s.simulate(machine(2)).messages, 1)
            self.assertTrue(rondo.Schedule._of(s._built(), "again").verify(file))

    def test_may_be_written_on_after_it_was_asked(self):
        s = rondo.Schedule(3, promise={"kind": "bcast", "ranks": 3})
        with s.round():
            s.send(0, 1, ("send", 0), ("receive", 0))
        self.assertFalse(s.verify())
        with s.round():
            s.send(1, 2, ("receive", 0))
        self.assertTrue(s.verify())

    def test_has_a_picture_in_a_notebook(self):
        picture = ring(4)._repr_html_()
        self.assertTrue(picture.startswith("<iframe srcdoc="))
        self.assertIn("&lt;!doctype html", picture[:200].lower())
        self.assertRegex(rondo.Schedule(4)._repr_html_(), "<pre>.*4 ranks, 0 rounds")

    def test_is_the_same_in_its_format(self):
        s = ring(4, block=16)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "ring.json")
            s.save(file)
            self.assertTrue(rondo.prove(file))
            again = rondo.read(file)
        self.assertEqual(again.to_json(), s.to_json())
        self.assertEqual(rondo.parse(s.to_json()).measure(), s.measure())
        self.assertTrue(numpy.array_equal(again.sent(), s.sent()))

    def test_of_arrays_is_that_of_single_sends(self):
        p = 6
        s = rondo.Schedule(p, promise={"kind": "allgather", "ranks": p}, block=16)
        r = numpy.arange(p)
        for rank in r:
            s.copy(rank, ("send", 0), ("receive", rank))
        for k in range(p - 1):
            with s.round():
                s.sends(r, (r + 1) % p, ("receive", (r - k) % p))
        self.assertEqual(s.to_json(), ring(p, block=16).to_json())


class Large(unittest.TestCase):
    def test_of_a_million_sends_takes_seconds(self):
        import time

        p, rounds = 1000, 1000
        s = rondo.Schedule(p)
        begin = time.monotonic()
        for _ in range(rounds):
            with s.round():
                for r in range(p):
                    s.send(r, r + 1 if r + 1 < p else 0, ("send", 0), ("receive", 0))
        self.assertEqual(s.measure()["messages"], p * rounds)
        # It takes a few seconds. The limit is larger for machines that are busy with other tests.
        self.assertLess(time.monotonic() - begin, 60)


class Generated(unittest.TestCase):
    def test_of_any_algorithm_is_proved_and_predicted(self):
        for algorithm, rounds in (("ring", 7), ("bruck", 3), ("recursive_doubling", 3)):
            with self.subTest(algorithm=algorithm):
                s = rondo.generate({"collective": {"kind": "allgather", "ranks": 8}, "algorithm": algorithm,
                                    "block": "1000B"})
                self.assertTrue(s.verify())
                self.assertEqual(s.rounds, rounds)
                prediction = s.predict(machine(8))
                self.assertEqual(prediction["theory"]["rounds"], rounds)
                expected = (rounds + 7) * MICROSECOND
                self.assertAlmostEqual(prediction["theory"]["time_s"], expected, delta=1e-15)
                self.assertAlmostEqual(s.simulate(machine(8)).makespan, expected, delta=1e-15)

    def test_on_a_torus(self):
        s = rondo.generate({"collective": {"kind": "isomorphic_alltoall", "torus": [4, 4],
                                           "neighborhood": {"kind": "moore", "radius": 1}}, "algorithm": "torus"})
        # Proposition 1 of [Traeff16]: one round for each direction of each dimension.
        self.assertEqual((s.ranks, s.rounds), (16, 4))
        self.assertTrue(s.verify())

    def test_from_a_file_at_a_point_of_its_sweep(self):
        quickstart = os.path.join(os.environ["RONDO_SOURCE"], "scenarios", "quickstart.json")
        self.assertEqual(rondo.generate(quickstart, point=1).rounds, 26)
        self.assertEqual(rondo.generate(quickstart, point=2).rounds, 6)
        self.assertEqual(rondo.generate(quickstart, point=2, changes={"/seed": 3}).rounds, 6)

    def test_is_not_written_on(self):
        s = rondo.generate({"collective": {"kind": "bcast", "ranks": 4}, "algorithm": "binomial"})
        with self.assertRaisesRegex(rondo.InputError, "expected one that is written here"):
            with s.round():
                pass

    def test_with_relative_partners_is_read_from_a_dict(self):
        s = rondo.parse({
            "format": "rondo-schedule", "torus": [6],
            "promise": {"kind": "isomorphic_allgather", "torus": [6],
                        "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
            "programs": [{"ranks": "all", "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}},
                          "rounds": [{"sends": [{"offset": [1], "places": [["send", 0]]}],
                                      "receives": [{"offset": [-1], "places": [["receive", 0]]}]}]}]})
        self.assertTrue(s.verify())
        self.assertEqual(list(s.sent()["target"]), [1, 2, 3, 4, 5, 0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
