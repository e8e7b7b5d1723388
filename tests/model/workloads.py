#!/usr/bin/env python3
"""Compares Rondo's times of random workloads with those of this folder, which follows docs/model.md: workloads.py RONDO
[--cases N] [--first N] [--seed N] [--faults]. It compares makespans and times of steps on both engines, under linear
timing. Exit code 1 if a time disagrees. With --faults, the rules are broken on purpose, one at a time. Exit code 1 if
no case shows a broken rule."""

import argparse
import json
import os
import random
import sys
import tempfile
from fractions import Fraction

import parts as rules
from cases import ROOM
from compare import CLOSE, called, scenario, write
from linear import Linear
from machine import Machine
from machines import TRACES, arrival, machine, noise
from network import network
from noise import Noise, arrivals
from parts import Parts, parts_of, step_times
from plant import planted
from routing import Routes

BATCH = 25
KINDS = {"bcast": ["binomial", "linear", "chain"], "allreduce": ["recursive_doubling", "rabenseifner", "ring"],
         "allgather": ["ring", "bruck", "linear"], "alltoall": ["pairwise", "linear", "bruck"], "reduce": ["binomial", "linear"],
         "scatter": ["binomial"], "gather": ["linear"], "barrier": ["dissemination"]}


def linear_machine(draw):
    while True:
        told = machine(draw)
        net = network(told["topology"])
        if told.get("timing", "linear") == "linear" and 2 <= net.hosts * told.get("ranks_per_host", 1) <= ROOM and Routes(net, told).connected():
            return told, net.hosts * told.get("ranks_per_host", 1)


def law(draw):
    return next(iter(noise(draw).values()))


def step(draw, ranks, names):
    told = {"name": f"s{len(names)}"}
    if draw.random() < 0.35:
        told["compute"] = f"{draw.choice([1000, 2000, draw.randint(1, 9999)])}ns"
        if draw.random() < 0.3:
            told["noise"] = law(draw)
    else:
        kind = draw.choice(list(KINDS))
        told["collective"], told["algorithm"] = {"kind": kind}, draw.choice(KINDS[kind])
        told["block"] = "0B" if kind == "barrier" else f"{draw.choice([1, 1000, draw.randint(1, 9999)])}B"
    some = draw.sample(range(ranks), draw.randint(1, ranks))
    cut = draw.randint(1, len(some))
    rows = [a for a in range(1, ranks + 1) if ranks % a == 0]
    told["groups"] = draw.choice(["all", {"every": draw.randint(1, ranks)}, {"size": draw.randint(1, ranks)},
                                  [group for group in (some[:cut], some[cut:]) if group],
                                  {draw.choice(["rows", "columns"]): (lambda a: [a, ranks // a])(draw.choice(rows))}])
    if draw.random() < 0.35:
        told["overlap"] = True
    if names and draw.random() < 0.35:
        told["after"] = draw.sample(names, draw.randint(0, len(names)))
    return told


class Case:
    def __init__(self, seed, number):
        draw = random.Random(f"workload {seed}/{number}")
        self.number, self.seed = number, draw.randint(0, 10**6)
        self.machine, places = linear_machine(draw)
        ranks = draw.randint(1, min(places, 14))
        steps = []
        for _ in range(draw.randint(1, 5)):
            steps.append(step(draw, ranks, [each["name"] for each in steps]))
        self.workload = {"kind": "workload", "ranks": ranks, "repeat": draw.choice([1, 1, 2, 3]), "steps": steps}
        self.arrival = arrival(draw, ranks) if draw.random() < 0.3 else {"kind": "none"}
        if draw.random() < 0.3:
            self.machine["noise"] = {key: law(draw) for key in draw.choice([["latency"], ["compute"], ["latency", "compute"]])}

    def point(self):
        return {"/machine": f"machine-{self.number}.json", "/collective": self.workload, "/algorithm": "workload", "/seed": self.seed,
                "/arrival": self.arrival}


class Schedules:
    """The schedules of the library by collective, algorithm, block and ranks. Each is exported once."""

    def __init__(self, rondo, folder):
        self.rondo, self.folder, self.known = rondo, folder, {}

    def __call__(self, told, ranks):
        key = json.dumps([told["collective"], told["algorithm"], told["block"], ranks])
        if key not in self.known:
            machine_of_group = {"topology": {"kind": "fully_connected", "hosts": ranks}, "latency": "1us", "bandwidth": "1GBps"}
            write(self.folder, "one.json", {"schema_version": 1, "engine": "native", "machine": machine_of_group, "algorithm": told["algorithm"],
                                            "block": told["block"], "collective": {**told["collective"], "ranks": ranks}})
            result = called([self.rondo, "export", "one.json", "--format", "json"], self.folder)
            if result.returncode:
                raise RuntimeError(f"{key}: {result.stderr}")
            self.known[key] = result.stdout
        return json.loads(self.known[key])


def by_page(case, schedules, folder):
    """The makespan and the time of each step by docs/model.md."""
    draws = Noise(case.machine.get("noise", {}), case.seed, folder)
    parts = parts_of(case.workload, schedules, draws)
    late = arrivals(case.arrival, case.workload["ranks"], case.seed)
    makespan = Parts(Machine(case.machine, case.workload["ranks"]), parts, late, draws).run()
    return max(makespan, *late), step_times(case.workload, parts)


def overlap_forgotten(workload):
    return rules.carried_out_as_written({**workload, "steps": [{**each, "overlap": False} for each in workload["steps"]]})


def calculations_side_by_side(self):
    self.busy = [False] * len(self.busy)
    for _ in range(len(self.asking)):
        Parts.calculate_as_written(self)
        self.busy = [False] * len(self.busy)


def ports_of_steps(self):
    self.sends_free = self.receives_free = [len(self.parts)] * len(self.busy)
    Parts.start_as_written(self)


def later_steps_first(pair):
    return pair.ready, pair.sent, -pair.source, pair.place


FAULTS = {
    "steps that overlap are waited for": (rules, "carried_out", overlap_forgotten),
    "calculations of a rank run side by side": (Parts, "calculate", calculations_side_by_side),
    "each step has ports of its own": (Parts, "start", ports_of_steps),
    "calculations draw as latencies do": (rules, "COMPUTE", 4),
    "later steps and ranks start first": (Linear, "order", staticmethod(later_steps_first)),
}


def faults(cases, schedules, folder):
    """Plants each fault and prints whether it changes a time. Returns whether all do."""
    right = {case.number: by_page(case, schedules, folder) for case in cases}
    unseen = 0
    for name in FAULTS:
        with planted(name, FAULTS):
            seen = next((case.number for case in cases if by_page(case, schedules, folder) != right[case.number]), None)
        unseen += seen is None
        print(f"{name}: " + ("not seen" if seen is None else f"seen in case {seen}"), flush=True)
    print(f"model faults of workloads: {len(FAULTS)} planted, {len(FAULTS) - unseen} seen")
    return not unseen


def batch(options, cases, schedules, folder):
    """Compares some cases and returns the disagreements."""
    wrong = []
    for case in cases:
        write(folder, f"machine-{case.number}.json", case.machine)
    exact = {case.number: by_page(case, schedules, folder) for case in cases}
    for engine in ("native", "smpi"):
        write(folder, "all.json", scenario([case.point() for case in cases], engine))
        result = called([options.rondo, "run", "all.json", "--format", "jsonl", "--quiet"], folder)
        records = [json.loads(line) for line in result.stdout.splitlines()]
        if len(records) != len(cases):
            raise RuntimeError(f"{len(records)} records of {len(cases)} points: {result.stderr}")
        for case, record in zip(cases, records):
            makespan, steps = exact[case.number]
            found = {"": record["time_s"], **{name: each["time_s"] for name, each in (record.get("steps") or {}).items()}}
            for name, due in {"": makespan, **steps}.items():
                if record["error"] or found.get(name) is None or abs(Fraction(found[name]) - due) > CLOSE * makespan:
                    wrong.append(f"case {case.number} on {engine}: {name or 'all'}: {float(due)!r} s by docs/model.md, {found.get(name)} s by Rondo "
                                 f"{record['error'] or ''}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rondo", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", action="store_true", help="break rules of this folder: the cases have to show each")
    options = parser.parse_args()
    cases = [Case(options.seed, number) for number in range(options.first, options.first + options.cases)]
    wrong = []
    with tempfile.TemporaryDirectory(prefix="rondo-workloads-") as folder:
        for name, text in TRACES.items():
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)
        schedules = Schedules(options.rondo, folder)
        if options.faults:
            sys.exit(0 if faults(cases, schedules, folder) else 1)
        for i in range(0, len(cases), BATCH):
            bad = batch(options, cases[i:i + BATCH], schedules, folder)
            print(*bad, sep="\n", end="\n" if bad else "", flush=True)
            wrong += bad
    print(f"model of workloads: {len(cases)} on both engines, {len(wrong)} times disagree")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
