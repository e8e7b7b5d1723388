#!/usr/bin/env python3
"""Fits a machine to measured collectives, with the engine itself as the model.

    analysis/fit_machine.py DATA.csv MACHINE TEMPLATE.json OUT.json [--memory MEMORY.json] [--leave-out GROUP ...]
                            [--most-ranks 256] [--cross-validate PREDICTED.csv [--folds 5]]

TEMPLATE.json is a machine in which what is to be fitted says so, with a value to start from: "latency": "fit 2us". Each row of
the system (MACHINE, or what stands before "-utofu") whose algorithm Rondo has (measured_algorithms.csv) is simulated on the
machine, and what processes do beside the schedule is added by the costs of the template's `memory` (measured_table.py has
their names), which go into MEMORY.json under the machine's name; parameters are found by least squares of log(simulated / measured) with a soft-L1 loss, in their logarithms (SciPy).

Simulated times are homogeneous: where the order of events stays, they are sums of the machine's times, times a byte and
inverse bandwidths with fixed factors. So the shares of the parameters in each time, which the engine gives by changing one
after the other a little, say times near by without the engine. They are found anew until the parameters stay.

A group is SYSTEM/NODES/TASKS/COLLECTIVE (nodes, processes a node, collective): what is left out can judge the machine.
--cross-validate does so with all groups, each time leaving out a share of them, and writes what the machines so fitted
predict of them, as predict.py does. OUT.json appears only if the fit converges; its `source` says what was fitted, with
intervals of 95 %, and which parameters the rows cannot tell apart.
"""

import argparse
import copy
import json
import math
import pathlib
import re
import sys

import numpy
from scipy import stats
from scipy.optimize import least_squares

import measured_table
import predict
from measured_table import BadTable

MARK = re.compile(r"fit ([0-9.]+)([A-Za-z/]+)")
SPREAD = 0.15  # relative errors above this count linearly, not squared
STEP = 0.01  # of a logarithm: the step by which shares are derived, wide because simulated times have kinks
FAR = 0.7  # of a logarithm: how far from where they were found shares are believed
STAY = 0.02  # of a logarithm: a smaller change of a parameter counts as none
SAME = 0.005  # of the loss: a smaller gain counts as none
PRIOR = 0.05  # of a logarithm of a parameter counts as much as SPREAD of a row's, so that all have a value
MOST = 12  # how often shares are found


def in_gigabytes(bandwidth) -> float:
    """12.5 for a template's "12.5GBps"."""
    if not bandwidth.endswith("GBps"):
        raise BadTable(f'template: expected bandwidths in GBps, got "{bandwidth}"')
    return float(bandwidth.removesuffix("GBps"))


class Template:
    """A machine with parameters."""

    def __init__(self, machine):
        self.machine = machine
        self.places = list(self._places(machine, []))
        if not self.places:
            raise BadTable('template: expected values such as "fit 2us", got none')
        # Times grow with times and times a byte, and with the inverse of bandwidths.
        self.signs = numpy.array([-1.0 if unit.endswith("Bps") else 1.0 for _, _, unit in self.places])

    def _places(self, value, path):
        if isinstance(value, str) and value.startswith("fit "):
            match = MARK.fullmatch(value)
            if match is None or float(match[1]) <= 0:
                raise BadTable(f'template: /{"/".join(map(str, path))}: expected such as "fit 2us", got "{value}"')
            yield path, float(match[1]), match[2]
        elif isinstance(value, (dict, list)):
            for key, member in value.items() if isinstance(value, dict) else enumerate(value):
                yield from self._places(member, [*path, key])

    def start(self):
        return numpy.log([value for _, value, _ in self.places])

    def names(self):
        return ["/".join(map(str, path)) for path, _, _ in self.places]

    def filled(self, logarithms, digits=12):
        machine = copy.deepcopy(self.machine)
        for (path, _, unit), logarithm in zip(self.places, logarithms):
            holder = machine
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = f"{float(f'{math.exp(logarithm):.{digits}g}'):.12f}".rstrip("0").rstrip(".") + unit
        for piece in machine.get("pieces", []):  # none may be faster than the NIC
            if in_gigabytes(piece["bandwidth"]) > in_gigabytes(machine["bandwidth"]):
                piece["bandwidth"] = machine["bandwidth"]
        return machine


class Engine:
    """Simulated times of rows on machines; what Rondo refuses has none, and is named on standard error."""

    def __init__(self, rows, rondo):
        self.rows, self.rondo = rows, rondo
        self.cases, _ = predict.cases_of(rows)
        algorithms = measured_table.Algorithms()
        work = [algorithms.work(row) for row in rows]
        self.work = {cost: 1e-9 * numpy.array([each[cost] for each in work]) for cost in measured_table.MEMORY}

    def seconds(self, machines):
        """One row of times for each machine; a column for each row of the table."""
        texts = [json.dumps({key: value for key, value in machine.items() if key != "memory"}) for machine in machines]
        different = sorted(set(texts))  # a sweep has no value twice
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
    """Times of rows near parameters, by the shares that these have in them."""

    def __init__(self, template, logarithms, engine):
        self.at, self.signs = logarithms, template.signs
        shifted = [logarithms + STEP * unit for unit in numpy.eye(len(logarithms))]
        times = engine.seconds([template.filled(each) for each in [logarithms, *shifted]])
        self.times = times[0]
        self.shares = (times[1:] / times[0] - 1).T / numpy.expm1(STEP * self.signs)

    def factors(self, logarithms, rows):
        """By how much the times change from those at the parameters that shares are known for."""
        change = numpy.expm1(self.signs * (logarithms - self.at))
        return numpy.maximum(1 + self.shares[rows] @ change, 1e-3)

    def residuals(self, logarithms, rows, measured):
        return numpy.log(self.factors(logarithms, rows) * self.times[rows] / measured[rows])

    def derivatives(self, logarithms, rows):
        grown = self.shares[rows] * self.signs * numpy.exp(self.signs * (logarithms - self.at))
        return grown / self.factors(logarithms, rows)[:, None]


def improved(nearby, template, rows, measured):
    """The best parameters not far from those whose shares are known."""
    start = template.start()

    def residuals(logarithms):
        return numpy.concatenate([nearby.residuals(logarithms, rows, measured), PRIOR * (logarithms - start)])

    def derivatives(logarithms):
        return numpy.concatenate([nearby.derivatives(logarithms, rows), PRIOR * numpy.eye(len(start))])

    found = least_squares(residuals, nearby.at, derivatives, bounds=(nearby.at - FAR, nearby.at + FAR), loss="soft_l1",
                          f_scale=SPREAD)
    return found.x


def fit(template, engine, measured):
    """Logarithms of the parameters, and what is known near them."""
    rows = numpy.arange(len(measured))
    logarithms, best = template.start(), (math.inf, None)
    for step in range(MOST):
        nearby = Nearby(template, logarithms, engine)
        unseen = [name for name, share in zip(template.names(), numpy.abs(nearby.shares[rows]).max(axis=0)) if share < 1e-6]
        if unseen and step == 0:  # later on, a piece may have come to be as fast as the NIC
            raise BadTable(f"the rows do not determine {', '.join(unseen)}; nothing is written")
        found = improved(nearby, template, rows, measured)
        residuals = nearby.residuals(nearby.at, rows, measured)
        cost = float((numpy.sqrt(1 + (residuals / SPREAD) ** 2) - 1).sum())
        error = numpy.median(numpy.abs(numpy.expm1(residuals)))
        print(f"fit_machine: half of the rows within {100 * error:.1f} %; {', '.join(f'{name} {math.exp(x):.3g}' for name, x in zip(template.names(), found))}",
              file=sys.stderr)
        if cost > (1 - SAME) * best[0]:  # times have kinks, at which a step may lead nowhere
            return best[1].at, best[1]
        if numpy.abs(found - logarithms).max() < STAY:
            return found, nearby
        logarithms, best = found, (cost, nearby)
    raise BadTable(f"the fit did not converge in {MOST} steps; nothing is written")


def certainty(nearby, logarithms, measured):
    """Half widths of the intervals, correlations, and the median error."""
    rows = numpy.arange(len(measured))
    residuals = nearby.residuals(logarithms, rows, measured)
    weights = 1 / numpy.sqrt(1 + (residuals / SPREAD) ** 2)
    jacobian = nearby.derivatives(logarithms, rows) * numpy.sqrt(weights)[:, None]
    covariance = numpy.linalg.pinv(jacobian.T @ jacobian)
    freedom = len(measured) - len(logarithms)
    deviations = numpy.sqrt(numpy.maximum(numpy.diag(covariance), 0))
    width = stats.t.ppf(0.975, freedom) * math.sqrt(float((weights * residuals**2).sum()) / freedom) * deviations
    products = numpy.maximum(numpy.outer(deviations, deviations), numpy.finfo(float).tiny)
    return width, covariance / products, float(numpy.median(numpy.abs(numpy.expm1(residuals))))


def described(template, found, width, correlation, error, rows, data):
    """Lines for `source`."""
    lines = [f"Fitted by analysis/fit_machine.py to {len(rows)} rows of {pathlib.Path(data).name}: half of them are met within "
             f"{100 * error:.0f} %."]
    names = template.names()
    for (_, _, unit), name, value, half in zip(template.places, names, found, width):
        if half < 1e-9:
            lines.append(f"{name}: as fast as the NIC")
            continue
        low, high = math.exp(value - half), math.exp(value + half)
        lines.append(f"{name}: {math.exp(value):.3g}{unit} ({low:.3g} to {high:.3g})")
    known = width >= 1e-9
    for i, j in zip(*numpy.nonzero(numpy.triu((numpy.abs(correlation) > 0.95) & numpy.outer(known, known), 1))):
        lines.append(f"The rows cannot tell {names[i]} and {names[j]} apart (correlation {correlation[i, j]:.2f}).")
    return lines


def rows_of(table, name):
    """Rows of a system whose algorithm Rondo has, and speaks what the machine of this name does."""
    rows = table[measured_table.usable(table)].to_dict("records")
    cases, _ = predict.cases_of(rows)
    numbers = sorted(number for case, blocks in cases.items() if case.machine == name for each in blocks.values() for number in each)
    return [rows[number] for number in numbers if rows[number]["ns"]]


def group_of(row) -> str:
    return "/".join(str(row[key]) for key in ("system", "nodes", "tasks_per_node", "collective"))


def cross_validated(template, nearby, rows, measured, everything, rondo, folds):
    """Nanoseconds of all rows, each from a fit without its group: groups by their names' order, every folds-th at a time.

    The fits take the shares of the parameters that all rows have led to."""
    groups = sorted({group_of(row) for row in everything})
    result = {}
    for fold in range(folds):
        left_out = set(groups[fold::folds])
        kept = numpy.array([number for number, row in enumerate(rows) if group_of(row) not in left_out])
        found = improved(nearby, template, kept, measured)
        judged = [number for number, row in enumerate(everything) if group_of(row) in left_out]
        machine = template.filled(found)
        times = predict.predictions([everything[number] for number in judged], rondo, lambda name: machine)
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
    fitted["source"] = lines + described(template, found, *certainty(nearby, found, measured), rows, words.data)
    memory = fitted.pop("memory", {})
    pathlib.Path(words.out).write_text(json.dumps(fitted, indent=2) + "\n")
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
