"""The arrival times of ranks, and noise (docs/model.md, "Arrival" and "Noise")."""

import math
import os
from fractions import Fraction

from units import first_number, seconds, splitmix64

ARRIVAL, CPU, LATENCY = 1, 2, 4


def numbers(*occasion):
    """The numbers of splitmix64 from the state H(...H(H(first) XOR second)...) XOR last."""
    state = 0
    for part in occasion[:-1]:
        state = first_number(state ^ part)
    return splitmix64(state ^ occasion[-1])


def unit(draws):
    return (next(draws) >> 11) * 2.0**-53


def normal(draws):
    radius = math.sqrt(-2 * math.log1p(-unit(draws)))
    return Fraction(radius * math.cos(2 * math.pi * unit(draws)))


def exponential(draws):
    return Fraction(-math.log1p(-unit(draws)))


def trace(path):
    """The rows of a trace in exact seconds: begin and duration, or only a duration."""
    with open(path, encoding="ascii") as file:
        rows = [[Fraction(word) / 10**9 for word in line.split("#")[0].split()] for line in file]
    return [row for row in rows if row]


def interruption(rows, place, length):
    """The total duration of the interruptions of a work of this length that begins at this place of the trace."""
    period, rows = rows[-1][0], rows[:-1]
    time = sum(max(0, begin + duration - place) for begin, duration in [row for row in rows if row[0] < place][-1:])
    first = 0
    while first < place + length:
        time += sum(duration for begin, duration in rows if place <= begin + first < place + length)
        first += period
    return time


def drawn(law, draws, length, folder):
    if law["kind"] == "uniform":
        return seconds(law["spread"]) * Fraction(unit(draws))
    if law["kind"] == "normal":
        return max(Fraction(0), seconds(law["mean"]) + normal(draws) * seconds(law["spread"]))
    if law["kind"] == "exponential":
        return seconds(law["mean"]) * exponential(draws)
    rows = trace(os.path.join(folder, law["path"]))
    if len(rows[0]) == 1:
        number = next(n for n in draws if n >= 2**64 % len(rows))
        return rows[number % len(rows)][0]
    return interruption(rows, rows[-1][0] * Fraction(unit(draws)), length)


class Noise:
    def __init__(self, laws, seed, folder, replication=0):
        self.laws, self.seed, self.folder, self.replication = laws, seed, folder, replication

    def draw(self, key, kind, rank, number, length):
        if key not in self.laws:
            return 0
        return drawn(self.laws[key], numbers(self.seed, self.replication, kind, rank, number), length, self.folder)

    def posting(self, rank, send, length):
        return self.draw("cpu", CPU, rank, 3 * send, length)

    def taking(self, source, send, length):
        return self.draw("cpu", CPU, source, 3 * send + 1, length)

    def joining(self, rank, number, length):
        return self.draw("cpu", CPU, rank, 3 * number + 2, length)

    def startup(self, rank, send):
        return self.draw("latency", LATENCY, rank, send, 0)


def arrivals(told, ranks, seed, replication=0):
    """The time at which each rank arrives."""
    kind = told.get("kind", "none")
    if kind == "none":
        return [0] * ranks
    if kind == "list":
        return [seconds(time) for time in told["values"]]
    spread = seconds(told["spread"])
    if kind == "one_late":
        return [0] * (ranks - 1) + [spread]
    if kind == "linear":
        return [spread * i / (ranks - 1) if ranks > 1 else 0 for i in range(ranks)]
    times = []
    for rank in range(ranks):
        draws = numbers(seed, replication, ARRIVAL, rank, 0)
        if kind == "uniform":
            times.append(spread * Fraction(unit(draws)))
        elif kind == "normal":
            times.append(min(max(spread / 2 + normal(draws) * spread / 6, 0), spread))
        else:
            times.append(spread * exponential(draws))
    return times
