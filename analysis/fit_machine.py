#!/usr/bin/env python3
"""Fits a machine to measured collectives, with the engine itself as the model.

    analysis/fit_machine.py DATA.csv MACHINE TEMPLATE.json OUT.json [--memory MEMORY.json] [--leave-out GROUP ...]
                            [--most-ranks 256] [--cross-validate PREDICTED.csv [--folds 5]]

TEMPLATE.json is a machine. Each value to fit is marked and has a value to start from: "latency": "fit 2us". MACHINE is
the name of a system, or the name with "-utofu". The fit uses the rows of this system whose algorithm Rondo has
(measured_algorithms.csv). Each row is simulated on the machine. The costs in the template's `memory` are added for the
work of a process beside the schedule (measured_table.py has their names). The fitted costs go into MEMORY.json, below
the machine's name. The parameters minimize the squares of log(simulated / measured) with a soft-L1 loss (SciPy).

Simulated times are homogeneous. As long as the order of events stays the same, a time is a sum of the machine's times,
times per byte and inverse bandwidths with fixed factors. The share of a parameter in each time is found by simulations
in which the parameter is changed a little. By the shares, times for similar parameters are calculated without the
engine. The shares are found again until the parameters change no more.

The latencies and bandwidths of a machine with pieces are sums of parameters. For all values of the parameters, a larger
message takes no less time (see Template). A boundary between pieces vanishes if the rows do not need it.

A group is SYSTEM/NODES/TASKS/COLLECTIVE (TASKS: processes per node). Groups that are left out can be used to judge the
machine. --cross-validate leaves out each group once, a share of the groups at a time, and writes the predictions of the
machines for them, like predict.py. OUT.json is only written if the fit converges. Its `source` has the fitted values
with intervals of 95 %, and names the parameters that the rows cannot distinguish.
"""

import argparse
import copy
import json
import math
import pathlib
import re
import sys
from fractions import Fraction

import numpy
from scipy import stats
from scipy.optimize import least_squares

import measured_table
import predict
from measured_table import BadTable

MARK = re.compile(r"fit ([0-9.]+)([A-Za-z/]+)")
SPREAD = 0.15  # relative errors above this count linearly, not squared
# Shares are found by changing a parameter by this fraction of it, or of its scale if it may vanish. The change is not
# smaller because simulated times have kinks.
STEP = 0.01
FAR = 0.7  # shares are used up to this distance of a logarithm, or of a scale, from the parameters of their simulation
STAY = 0.02  # a smaller change of a parameter is ignored
SAME = 0.005  # a smaller relative gain of the loss is ignored
# The weight of a parameter in the loss: of its logarithm, or of its share of the scale if it may vanish. With 0.2 to
# 0.8 the fitted machines predict left-out groups of rows (or collectives) best on Leonardo, LUMI and MareNostrum. With
# 0.05 the predictions are 0 to 4 % worse.
PRIOR = 0.4
VANISHED = 1e-4  # a parameter below this fraction of its scale is set to 0
MOST = 12  # shares are found at most so often


class Parameter:
    """A number of at least 0, as a fraction of `scale`: a time, a time per byte, or the inverse of a bandwidth."""

    def __init__(self, scale, start, may_vanish):
        self.scale, self.start, self.may_vanish = scale, start, may_vanish


class Place:
    """A place of the template with "fit 2us". Its value is a weighted sum of parameters.

    `weights` has the weight of each parameter by the number of the parameter.
    """

    def __init__(self, path, value, unit):
        self.path, self.unit, self.weights = path, unit, {}
        self.sizes = ""  # "up to 2KiB", if the machine has pieces
        self.inverse = unit.endswith("Bps")
        self.start = 1 / value if self.inverse else value

    def name(self):
        return f"{self.path[-1]} {self.sizes}" if self.sizes else self.pointer()

    def pointer(self):
        return "/".join(map(str, self.path))

    def shares_parameters(self, other):
        """Whether the values of both places depend on a common parameter."""
        return bool(set(self.weights) & set(other.weights))

    def text(self, amount, digits):
        value = 1 / amount if self.inverse else amount
        return f"{float(f'{value:.{digits}g}'):.12f}".rstrip("0").rstrip(".") + self.unit


class Template:
    """A machine with parameters.

    Each place has its own parameter, except for the latencies and bandwidths of a machine with pieces. There a larger
    message never takes less time, by construction. Piece k has messages of up to u_k bytes. From piece k to the next
    piece, the time per byte falls by g_k >= 0, and the time of u_k bytes rises by d_k >= 0. Therefore
    G_k = G_(k+1) + g_k and L_(k+1) = L_k + u_k g_k + d_k."""

    def __init__(self, machine):
        self.machine = machine
        self.places = list(self._places(machine, []))
        if not self.places:
            raise BadTable('template: expected values such as "fit 2us", got none')
        self.parameters = []
        self.ranges = []  # the places of latency and bandwidth, for each range of sizes
        self._join_pieces()
        for place in self.places:
            if not place.weights:
                place.weights = {self._parameter(place.start, 1.0, False): 1.0}

    def _places(self, value, path):
        if isinstance(value, str) and value.startswith("fit "):
            match = MARK.fullmatch(value)
            if match is None or float(match[1]) <= 0:
                raise BadTable(f'template: /{"/".join(map(str, path))}: expected such as "fit 2us", got "{value}"')
            yield Place(path, float(match[1]), match[2])
        elif isinstance(value, (dict, list)):
            for key, member in value.items() if isinstance(value, dict) else enumerate(value):
                yield from self._places(member, [*path, key])

    def _parameter(self, scale, start, may_vanish):
        self.parameters.append(Parameter(scale, start, may_vanish))
        return len(self.parameters) - 1

    def _join_pieces(self):
        """Makes the latencies and bandwidths of the pieces and of the machine sums of parameters."""
        sizes = [predict.bytes_of(piece["up_to"]) for piece in self.machine.get("pieces", [])]
        if not sizes:
            return
        at = {place.pointer(): place for place in self.places}
        names = [*(f"pieces/{k}/" for k in range(len(sizes))), ""]
        lists = [[at.get(name + key) for name in names] for key in ("latency", "bandwidth")]
        missing = [name + key for key, places in zip(("latency", "bandwidth"), lists) for name, place in zip(names, places) if place is None]
        if missing:
            raise BadTable(f'template: /{missing[0]}: expected such as "fit 2us", as in all pieces and in the machine')
        latencies, inverses = lists
        self.ranges = list(zip(latencies, inverses))
        texts = [piece["up_to"] for piece in self.machine["pieces"]]
        for pair, text in zip(self.ranges, [*(f"up to {text}" for text in texts), f"above {texts[-1]}"]):
            for place in pair:
                place.sizes = text
        units = {place.unit for place in latencies}, {place.unit for place in inverses}
        if units != ({"us"}, {"GBps"}):
            raise BadTable("template: expected latencies in us and bandwidths in GBps where there are pieces")
        inverses[-1].weights = {self._parameter(inverses[-1].start, 1.0, False): 1.0}
        latencies[0].weights = {self._parameter(latencies[0].start, 1.0, False): 1.0}
        for k in reversed(range(len(sizes))):
            scale = inverses[k].start
            fall = self._parameter(scale, max(0.0, 1 - inverses[k + 1].start / scale), True)
            inverses[k].weights = {**inverses[k + 1].weights, fall: 1.0}
        for k, size in enumerate(sizes):
            fall = next(number for number in inverses[k].weights if number not in inverses[k + 1].weights)
            scale = latencies[k].start
            bytes_cost = 1e-3 * size  # us for bytes at ns/B
            rise = latencies[k + 1].start - scale - bytes_cost * self.parameters[fall].start * self.parameters[fall].scale
            step = self._parameter(scale, max(0.0, rise / scale), True)
            latencies[k + 1].weights = {**latencies[k].weights, fall: bytes_cost, step: 1.0}

    def start(self):
        return numpy.array([parameter.start for parameter in self.parameters])

    def may_vanish(self):
        return numpy.array([parameter.may_vanish for parameter in self.parameters])

    def amounts(self):
        """The matrix that gives the values of the places from the parameters. A row is a place."""
        matrix = numpy.zeros((len(self.places), len(self.parameters)))
        for row, place in enumerate(self.places):
            for number, weight in place.weights.items():
                matrix[row, number] = weight * self.parameters[number].scale
        return matrix

    def filled(self, parameters, digits=12):
        machine = copy.deepcopy(self.machine)
        for place, amount in zip(self.places, self.amounts() @ parameters):
            holder = machine
            for key in place.path[:-1]:
                holder = holder[key]
            holder[place.path[-1]] = place.text(amount, digits)
        return without_falls(machine, digits)


def without_falls(machine, digits):
    """The machine. A latency is rounded up if a larger message would take less time with the nearest decimal number."""
    pieces = [*machine.get("pieces", []), machine]
    for piece, following in zip(pieces, pieces[1:]):
        size = int(predict.bytes_of(piece["up_to"]))
        least = time_of(piece, size) - time_of({**following, "latency": "0us"}, size)
        if microseconds(following["latency"]) < least:
            unit = Fraction(10) ** (math.floor(math.log10(least)) + 1 - digits)
            following["latency"] = f"{float(math.ceil(least / unit) * unit):.12f}".rstrip("0").rstrip(".") + "us"
    return machine


def microseconds(text):
    return Fraction(text.removesuffix("us"))


def time_of(piece, size):
    """The exact time of a message of `size` bytes, in microseconds."""
    return microseconds(piece["latency"]) + size / (1000 * Fraction(piece["bandwidth"].removesuffix("GBps")))


class Engine:
    """Simulates the times of rows on machines. A row that Rondo refuses has no time, and is named on standard error."""

    def __init__(self, rows, rondo):
        self.rows, self.rondo = rows, rondo
        self.cases, _ = predict.cases_of(rows)
        algorithms = measured_table.Algorithms()
        work = [algorithms.work(row) for row in rows]
        self.work = {cost: 1e-9 * numpy.array([each[cost] for each in work]) for cost in measured_table.MEMORY}

    def seconds(self, machines):
        """Times in seconds: a row for each machine, and a column for each row of the table."""
        texts = [json.dumps({key: value for key, value in machine.items() if key != "memory"}) for machine in machines]
        different = sorted(set(texts))  # a sweep must not have a value twice
        simulated = [json.loads(text) for text in different]
        found = self.rondo.seconds(self.cases, lambda case: simulated)
        times = numpy.full((len(simulated), len(self.rows)), numpy.nan)
        for case, blocks in self.cases.items():
            for block, numbers in blocks.items():
                if (case, block) in found:
                    times[:, numbers] = numpy.array(found[case, block])[:, None]
        memory = [sum((predict.nanoseconds(text) * self.work[cost] for cost, text in machine.get("memory", {}).items()), 0.0)
                  for machine in machines]
        return times[[different.index(text) for text in texts]] + numpy.array([each + numpy.zeros(len(self.rows)) for each in memory])


class Nearby:
    """Calculates times of rows near simulated parameters, by the shares of the parameters in the times."""

    def __init__(self, template, parameters, engine):
        self.at = parameters
        steps = STEP * numpy.where(template.may_vanish(), 1.0, parameters)
        shifted = [parameters + step * unit for step, unit in zip(steps, numpy.eye(len(parameters)))]
        times = engine.seconds([template.filled(each) for each in [parameters, *shifted]])
        self.times = times[0]
        self.shares = (times[1:] / times[0] - 1).T / steps

    def factors(self, parameters, rows):
        """The factors of the times, relative to the times at the simulated parameters."""
        return numpy.maximum(1 + self.shares[rows] @ (parameters - self.at), 1e-3)

    def residuals(self, parameters, rows, measured):
        return numpy.log(self.factors(parameters, rows) * self.times[rows] / measured[rows])

    def derivatives(self, parameters, rows):
        return self.shares[rows] / self.factors(parameters, rows)[:, None]


def improved(nearby, template, rows, measured):
    """The best parameters within FAR of the simulated ones. The loss draws parameters that may vanish to 0, and the
    others to their start."""
    vanishing = template.may_vanish()

    def residuals(parameters):
        drawn = numpy.where(vanishing, parameters, numpy.log(numpy.where(vanishing, 1.0, parameters)))
        return numpy.concatenate([nearby.residuals(parameters, rows, measured), PRIOR * drawn])

    def derivatives(parameters):
        drawn = numpy.where(vanishing, 1.0, 1 / numpy.where(vanishing, 1.0, parameters))
        return numpy.concatenate([nearby.derivatives(parameters, rows), PRIOR * numpy.diag(drawn)])

    low = numpy.where(vanishing, numpy.maximum(nearby.at - FAR, 0), nearby.at * math.exp(-FAR))
    high = numpy.where(vanishing, nearby.at + FAR, nearby.at * math.exp(FAR))
    found = least_squares(residuals, numpy.clip(nearby.at, low + 1e-9, high - 1e-9), derivatives, bounds=(low, high), loss="soft_l1",
                          f_scale=SPREAD, xtol=1e-10, ftol=1e-10)
    return numpy.where(vanishing & (found.x < VANISHED), 0.0, found.x)


def fit(template, engine, measured):
    """The fitted parameters, and the Nearby that calculates times near them."""
    rows = numpy.arange(len(measured))
    parameters, best = template.start(), (math.inf, None)
    for step in range(MOST):
        nearby = Nearby(template, parameters, engine)
        unseen = [number for number, share in enumerate(numpy.abs(nearby.shares[rows]).max(axis=0)) if share < 1e-6]
        if unseen:
            names = [place.name() for place in template.places if any(number in place.weights for number in unseen)]
            raise BadTable(f"the rows do not determine {', '.join(names)}; nothing is written")
        found = improved(nearby, template, rows, measured)
        residuals = nearby.residuals(nearby.at, rows, measured)
        cost = float((numpy.sqrt(1 + (residuals / SPREAD) ** 2) - 1).sum())
        error = numpy.median(numpy.abs(numpy.expm1(residuals)))
        said = ", ".join(f"{place.name()} {place.text(amount, 3)}" for place, amount in zip(template.places, template.amounts() @ found))
        print(f"fit_machine: loss {cost:.2f}; half of the rows within {100 * error:.1f} %; {said}", file=sys.stderr)
        if cost > (1 - SAME) * best[0]:  # times have kinks, at which a step may not improve the loss
            return best[1].at, best[1]
        if numpy.abs(found - parameters).max() < STAY:
            return found, nearby
        parameters, best = found, (cost, nearby)
    raise BadTable(f"the fit did not converge in {MOST} steps; nothing is written")


def certainty(template, nearby, parameters, measured):
    """Half widths of the intervals of the logarithms of the places, their correlations, and the median error."""
    rows = numpy.arange(len(measured))
    residuals = nearby.residuals(parameters, rows, measured)
    weights = 1 / numpy.sqrt(1 + (residuals / SPREAD) ** 2)
    free = numpy.flatnonzero(~template.may_vanish() | (parameters > 0))
    jacobian = nearby.derivatives(parameters, rows)[:, free] * numpy.sqrt(weights)[:, None]
    amounts = template.amounts()
    amounts, values = amounts[:, free], amounts @ parameters
    covariance = amounts @ numpy.linalg.pinv(jacobian.T @ jacobian) @ amounts.T / numpy.outer(values, values)
    freedom = len(measured) - len(free)
    deviations = numpy.sqrt(numpy.maximum(numpy.diag(covariance), 0))
    width = stats.t.ppf(0.975, freedom) * math.sqrt(float((weights * residuals**2).sum()) / freedom) * deviations
    products = numpy.maximum(numpy.outer(deviations, deviations), numpy.finfo(float).tiny)
    return width, covariance / products, float(numpy.median(numpy.abs(numpy.expm1(residuals))))


def described(template, found, width, correlation, error, rows, data):
    """The lines of `source`."""
    lines = [f"Fitted by analysis/fit_machine.py to {len(rows)} rows of {pathlib.Path(data).name}: half of them are met within "
             f"{100 * error:.0f} %."]
    amounts = dict(zip(template.places, template.amounts() @ found))
    halves = dict(zip(template.places, width))

    def said(place):
        low, high = (place.text(amounts[place] * math.exp(sign * halves[place]), 3) for sign in ((1, -1) if place.inverse else (-1, 1)))
        return f"{place.text(amounts[place], 3)} ({low} to {high})"

    for number, (latency, inverse) in enumerate(template.ranges):
        following = template.ranges[number + 1] if number + 1 < len(template.ranges) else None
        if following is None or any(amounts[one] != amounts[other] for one, other in zip((latency, inverse), following)):
            sizes = latency.sizes if following else "larger"
            lines.append(f"{sizes}: latency {said(latency)}, bandwidth {said(inverse)}")
    ranged = {place for pair in template.ranges for place in pair}
    lines += [f"{place.name()}: {said(place)}" for place in template.places if place not in ranged]
    places = template.places
    for i, j in zip(*numpy.nonzero(numpy.triu(numpy.abs(correlation) > 0.95, 1))):
        if not places[i].shares_parameters(places[j]):
            lines.append(f"The rows cannot tell {places[i].name()} and {places[j].name()} apart (correlation {correlation[i, j]:.2f}).")
    free = numpy.count_nonzero(found)
    lines.append(f"{free} of {len(found)} parameters are more than 0; by construction a byte more takes no less time at any size.")
    return lines


def joined(machine):
    """The machine without the pieces that equal the next piece, or the values for larger messages."""
    following, pieces = machine, []
    for piece in reversed(machine.get("pieces", [])):
        if (piece["latency"], piece["bandwidth"]) != (following["latency"], following["bandwidth"]):
            pieces.insert(0, piece)
            following = piece
    return {**machine, "pieces": pieces} if pieces else {key: value for key, value in machine.items() if key != "pieces"}


def rows_of(table, name):
    """The rows of the machine of this name whose algorithm Rondo has."""
    rows = table[measured_table.usable(table)].to_dict("records")
    cases, _ = predict.cases_of(rows)
    numbers = sorted(number for case, blocks in cases.items() if case.machine == name for each in blocks.values() for number in each)
    return [rows[number] for number in numbers if rows[number]["ns"]]


def group_of(row) -> str:
    return "/".join(str(row[key]) for key in ("system", "nodes", "tasks_per_node", "collective"))


def cross_validated(template, nearby, rows, measured, everything, rondo, folds):
    """Nanoseconds of all rows, each from a fit without its group. Every folds-th group by name is left out at a time.

    The fits use the shares at the parameters that were fitted to all rows."""
    groups = sorted({group_of(row) for row in everything})
    result = {}
    for fold in range(folds):
        left_out = set(groups[fold::folds])
        kept = numpy.array([number for number, row in enumerate(rows) if group_of(row) not in left_out])
        found = improved(nearby, template, kept, measured)
        judged = [number for number, row in enumerate(everything) if group_of(row) in left_out]
        machine = template.filled(found)
        times = predict.simulated([everything[number] for number in judged], rondo, lambda name: machine)
        result.update({judged[number]: time for number, time in times.items()})
    return result


def main(arguments):
    parser = argparse.ArgumentParser(description="fits a machine to measured collectives by simulation")
    parser.add_argument("data")
    parser.add_argument("machine")
    parser.add_argument("template")
    parser.add_argument("out")
    parser.add_argument("--memory", metavar="MEMORY.json", help="gets the costs of the template's memory")
    parser.add_argument("--leave-out", action="append", default=[], metavar="GROUP")
    parser.add_argument("--most-ranks", type=int, default=256)
    parser.add_argument("--cross-validate", metavar="PREDICTED.csv", help="predict each group by a machine fitted to others")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--rondo", default=str(predict.ROOT / "build/release/rondo"), help="the program")
    parser.add_argument("--jobs", type=int, default=2)
    words = parser.parse_args(arguments)
    template = Template(json.loads(pathlib.Path(words.template).read_text()))
    rondo = predict.Rondo(words.rondo, words.jobs)
    everything = rows_of(measured_table.read(words.data, ("median_ns", "mean_ns")), words.machine)
    rows = [row for row in everything if group_of(row) not in words.leave_out and row["ranks"] <= words.most_ranks]
    if rows:
        simulated = Engine(rows, rondo).seconds([template.filled(template.start())])[0]
        rows = [row for row, seconds in zip(rows, simulated) if seconds > 0]
    if len(rows) <= len(template.places):
        raise BadTable(f"{words.data}: expected more than {len(template.places)} rows of {words.machine} that Rondo has, got {len(rows)}")
    measured = numpy.array([1e-9 * row["ns"] for row in rows])
    engine = Engine(rows, rondo)
    found, nearby = fit(template, engine, measured)
    fitted = template.filled(found, digits=4)
    source = fitted.get("source", [])
    lines = [source] if isinstance(source, str) else list(source)
    fitted["source"] = lines + described(template, found, *certainty(template, nearby, found, measured), rows, words.data)
    memory = fitted.pop("memory", {})
    pathlib.Path(words.out).write_text(json.dumps(joined(fitted), indent=2) + "\n")
    if words.memory:
        path = pathlib.Path(words.memory)
        costs = {**(json.loads(path.read_text()) if path.exists() else {}), words.machine: memory}
        path.write_text(json.dumps(dict(sorted(costs.items())), indent=2) + "\n")
    print("\n".join(fitted["source"]))
    if words.cross_validate:
        times = cross_validated(template, nearby, rows, measured, everything, rondo, words.folds)
        predict.write(words.cross_validate, everything, times)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (BadTable, OSError, UnicodeDecodeError) as error:
        sys.exit(f"fit_machine: {error}")
