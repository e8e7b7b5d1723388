#!/usr/bin/env python3
"""The time of a schedule by docs/model.md, in exact fractions: model.py MACHINE SCHEDULE [POSTING [SEED]] prints it.

MACHINE is a file with the `machine` of a scenario. SCHEDULE is a file from `rondo export --format json`. No code here
is taken from src/."""

import json
import sys

from flow import Flows
from linear import Linear
from loggp import LogGP
from machine import Machine
from noise import Noise, arrivals
from schedule import programs


def makespan(machine, schedule, posting="neighbors", seed=1, arrival=None, folder="."):
    """The exact time at which the last rank finishes, as a Fraction. The folder contains the traces of noise."""
    rounds = programs(schedule, posting, seed)
    noise, late = Noise(machine.get("noise", {}), seed, folder), arrivals(arrival or {}, len(rounds), seed)
    if machine.get("timing") == "loggp":
        return LogGP(machine["loggp"], rounds, late, noise).run()
    model = Machine(machine, len(rounds))
    return (Flows if model.timing == "flow" else Linear)(model, rounds, late, noise).run()


def main(words):
    with open(words[0], encoding="utf-8") as machine, open(words[1], encoding="utf-8") as schedule:
        time = makespan(json.load(machine), json.load(schedule), *words[2:3], *map(int, words[3:4]))
    print(f"{float(time)!r} s = {time} s")


if __name__ == "__main__":
    main(sys.argv[1:])
