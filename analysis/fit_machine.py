#!/usr/bin/env python3
"""Fits a machine to measured collectives, with the engine itself as the model.

    analysis/fit_machine.py DATA.csv SYSTEM TEMPLATE.json OUT.json [--leave-out GROUP ...] [--most-ranks 256]

TEMPLATE.json is a machine in which what is to be fitted says so, with a value to start from: "latency": "fit 2us". Each row of
the system whose algorithm Rondo has (measured_algorithms.csv) is simulated on the machine; parameters are found by least
squares of log(simulated / measured) with a soft-L1 loss, in their logarithms (SciPy). A group is SYSTEM/NODES/TASKS/COLLECTIVE
(nodes, processes a node, collective): what is left out can judge the machine. OUT.json appears only if the fit converges;
its `source` says what was fitted, with intervals of 95 %, and which parameters the rows cannot tell apart.
"""

import argparse
import copy
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
from scipy import stats
from scipy.optimize import least_squares

import measured_table
import predict
from measured_table import BadTable

MARK = re.compile(r"fit ([0-9.]+)([A-Za-z/]+)")
SPREAD = 0.15  # relative errors above this count linearly, not squared
STEP = 0.01  # of a logarithm, for derivatives: simulated times have kinks


def in_gigabytes(bandwidth) -> float:
    """Of a template's "12.5GBps"."""
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

    def __init__(self, rows, rondo, jobs):
        self.rows, self.rondo, self.jobs = rows, rondo, jobs

    def seconds(self, machines):
        """One row of times for each machine; a column for each row of the table."""
        texts = [json.dumps(machine) for machine in machines]
        different = sorted(set(texts))  # a sweep has no value twice
        times = self._different([json.loads(text) for text in different])
        return times[[different.index(text) for text in texts]]

    def _different(self, machines):
        found = predict.scenarios_of(self.rows, {self.rows[0]["system"]: machines[0]})
        times = numpy.full((len(machines), len(self.rows)), numpy.nan)
        with tempfile.TemporaryDirectory() as folder:
            for number, (text, blocks) in enumerate(found.items()):
                self._run(json.loads(text), blocks, machines, pathlib.Path(folder, f"{number}.json"), times)
        return times

    def _run(self, scenario, blocks, machines, path, times):
        own = scenario["machine"]
        scenario["sweep"] = {
            "/machine": [{**machine, "topology": own["topology"], "ranks_per_host": own["ranks_per_host"]} for machine in machines],
            "/block": [f"{size}B" for size in sorted(blocks)]}
        scenario.pop("machine")
        scenario["machine"] = scenario["sweep"]["/machine"][0]
        path.write_text(json.dumps(scenario))
        command = [self.rondo, "run", "--quiet", "--format", "jsonl", "--verify", "off", "--jobs", str(self.jobs), str(path)]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            print(f"fit_machine: {predict.named(scenario)}: {predict.refusal(ran)}", file=sys.stderr)
            return
        for line in ran.stdout.splitlines():
            record = json.loads(line)  # machines are the slower axis; points count from 1
            times[(record["point"] - 1) // len(blocks), blocks[record["block_bytes"]]] = record["time_s"]


def fit(template, engine, measured):
    """Logarithms of the parameters, half widths of their intervals, correlations, and the median error."""

    def residuals(logarithms):
        return numpy.log(engine.seconds([template.filled(logarithms)])[0] / measured)

    def derivatives(logarithms):
        shifted = [logarithms + STEP * unit for unit in numpy.eye(len(logarithms))]
        times = engine.seconds([template.filled(each) for each in [logarithms, *shifted]])
        return (numpy.log(times[1:] / times[0]) / STEP).T

    found = least_squares(residuals, template.start(), jac=derivatives, loss="soft_l1", f_scale=SPREAD, xtol=1e-4, ftol=1e-5,
                          max_nfev=40)
    if not found.success:
        raise BadTable(f"the fit did not converge: {found.message}; nothing is written")
    weights = 1 / numpy.sqrt(1 + (found.fun / SPREAD) ** 2)
    jacobian = derivatives(found.x) * numpy.sqrt(weights)[:, None]
    covariance = numpy.linalg.pinv(jacobian.T @ jacobian)
    freedom = len(measured) - len(found.x)
    variance = float((weights * found.fun**2).sum()) / freedom
    deviations = numpy.sqrt(numpy.diag(covariance))
    if not (deviations > 0).all():
        names = [name for name, deviation in zip(template.names(), deviations) if not deviation > 0]
        raise BadTable(f"the rows do not determine {', '.join(names)}; nothing is written")
    width = stats.t.ppf(0.975, freedom) * math.sqrt(variance) * deviations
    return found.x, width, covariance / numpy.outer(deviations, deviations), float(numpy.median(numpy.abs(numpy.expm1(found.fun))))


def described(template, found, width, correlation, error, rows, data):
    """Lines for `source`."""
    lines = [f"Fitted by analysis/fit_machine.py to {len(rows)} rows of {pathlib.Path(data).name}: half of them are met within "
             f"{100 * error:.0f} %."]
    names = template.names()
    for (_, _, unit), name, value, half in zip(template.places, names, found, width):
        low, high = math.exp(value - half), math.exp(value + half)
        lines.append(f"{name}: {math.exp(value):.3g}{unit} ({low:.3g} to {high:.3g})")
    for i, j in zip(*numpy.nonzero(numpy.triu(numpy.abs(correlation) > 0.95, 1))):
        lines.append(f"The rows cannot tell {names[i]} and {names[j]} apart (correlation {correlation[i, j]:.2f}).")
    return lines


def chosen_rows(table, system, most_ranks, left_out, machine):
    table = table[measured_table.usable(table) & (table["system"] == system)]
    table = table[~measured_table.groups(table).isin(left_out)].to_dict("records")
    table = [row for row in table if row["ns"] and row["ranks"] and row["ranks"] <= most_ranks]
    known = predict.scenarios_of(table, {system: machine})
    numbers = sorted(number for blocks in known.values() for each in blocks.values() for number in each)
    return [table[number] for number in numbers]


def main(arguments):
    parser = argparse.ArgumentParser(description="fits a machine to measured collectives by simulation")
    parser.add_argument("data")
    parser.add_argument("system")
    parser.add_argument("template")
    parser.add_argument("out")
    parser.add_argument("--leave-out", action="append", default=[], metavar="GROUP")
    parser.add_argument("--most-ranks", type=int, default=256)
    parser.add_argument("--rondo", default=str(predict.ROOT / "build/release/rondo"), help="the program")
    parser.add_argument("--jobs", type=int, default=2)
    words = parser.parse_args(arguments)
    machine = json.loads(pathlib.Path(words.template).read_text())
    template = Template(machine)
    table = measured_table.read(words.data, ("median_ns", "mean_ns"))
    rows = chosen_rows(table, words.system, words.most_ranks, words.leave_out, template.filled(template.start()))
    simulated = Engine(rows, words.rondo, words.jobs).seconds([template.filled(template.start())])[0] if rows else []
    rows = [row for row, seconds in zip(rows, simulated) if seconds > 0]
    if len(rows) <= len(template.places):
        raise BadTable(f"{words.data}: expected more than {len(template.places)} rows of {words.system} that Rondo has, got {len(rows)}")
    measured = numpy.array([1e-9 * row["ns"] for row in rows])
    found, width, correlation, error = fit(template, Engine(rows, words.rondo, words.jobs), measured)
    fitted = template.filled(found, digits=4)
    source = fitted.get("source", [])
    lines = [source] if isinstance(source, str) else list(source)
    fitted["source"] = lines + described(template, found, width, correlation, error, rows, words.data)
    pathlib.Path(words.out).write_text(json.dumps(fitted, indent=2) + "\n")
    print("\n".join(fitted["source"]))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (BadTable, OSError, UnicodeDecodeError) as error:
        sys.exit(f"fit_machine: {error}")
