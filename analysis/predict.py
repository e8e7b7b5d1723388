#!/usr/bin/env python3
"""Predicts measured collectives: see predict.sh.

The prediction of a row is the cost of the rounds of its schedule (measured_rounds.py, prices in measured_costs.json)
times the factor of its algorithm (corrections.py, measured_corrections.json). OUT.csv has the predicted time, and the
interval in which four of five measured times should lie. Rows whose schedule or machine is not known have no
prediction. They are named on standard error.

No measured time is read, except for the algorithm of --probe. In each run (equal columns RUN) the ratios of its
measured and predicted times correct all predictions. The correction at a size is the weighted geometric mean of the
ratios at all sizes, in which near sizes have larger weights, to the power LEFT_OUT.

With --engine, rows are simulated instead. Each row becomes a point of a scenario. The machine has the name of the
system in platforms/measured/ (with "-utofu" if the row's algorithm uses uTofu), and as many hosts as the row has nodes.
The costs in measured_memory.json are added for the work of a process beside the schedule: copies, temporary buffers,
joins, and messages that the schedule does not have (measured_algorithms.csv). Schedules with few messages are simulated
first. Rows that are not simulated in time have no prediction. These times have no corrections.
"""

import argparse
import collections
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import measured_rounds
import measured_table
from corrections import Corrections
from measured_table import BadTable

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUN = ["system", "archive", "test", "collective", "ranks", "tasks_per_node", "gpu"]
ROOTED = ("bcast", "gather", "scatter", "reduce")
WHOLE_VECTORS = ("bcast", "reduce", "allreduce")  # the block of the scenario is the whole vector of a rank
WIDTH = 3.0  # the width of the weights of a probe's sizes, in natural logarithms of the size
LEFT_OUT = 0.7  # the share of the logarithm of a probe's ratio by which predictions are corrected
BATCH = 40  # scenarios per process

# The common part of rows of several sizes: a machine, a collective and an algorithm.
Case = collections.namedtuple("Case", "machine nodes ranks ports kind options algorithm")


def block_of(row, ports=1) -> int:
    whole = row["bytes"] if row["collective"] in WHOLE_VECTORS else row["block_bytes"] or 0
    return math.ceil(whole / ports)


def options_for(line, block):
    """The options of a line for a block, as JSON. A "segment" may be a list of [up to, segment] in bytes. It is chosen
    by the block, and left out if it is not smaller than the block."""
    options = json.loads(line["options"] or "{}")
    if isinstance(options.get("segment"), list):
        segment = next(segment for up_to, segment in options.pop("segment") if up_to is None or block <= up_to)
        if 0 < segment < block:
            options["segment"] = f"{segment}B"
    return json.dumps(options, sort_keys=True)


def case_of(row, algorithms):
    """The case of a row and its block, and None; or None, and the reason why the row has no case."""
    if row["gpu"] == "yes":
        return None, "buffers of GPUs"
    if not row["nodes"] or not row["ranks"]:
        return None, "unknown ranks or nodes"
    line = algorithms.of(row)
    if line is None:
        return None, "its schedule is not known"
    if not line["algorithm"]:
        return None, "no such algorithm"
    ports = measured_table.ports_of(row["algorithm"])
    block = block_of(row, ports)
    if block == 0:
        return None, "no bytes"
    nodes = min(int(row["nodes"]), int(row["ranks"]))
    return (Case(measured_table.machine_of(row), nodes, int(row["ranks"]), ports, row["collective"], options_for(line, block), line["algorithm"]), block), None


def segments_of(row, algorithms) -> int:
    """The number of segments of a vector in the row's schedule."""
    block = block_of(row, measured_table.ports_of(row["algorithm"]))
    segment = json.loads(options_for(algorithms.of(row), block)).get("segment")
    return math.ceil(block / bytes_of(segment)) if segment else 1


def messages_of(row, algorithms) -> float:
    """The approximate number of messages of the row's schedule. Schedules with segments are trees and chains, in which
    each edge carries all segments."""
    segments = segments_of(row, algorithms)
    if segments > 1:
        return (row["ranks"] - 1) * segments
    by_the_busiest = algorithms.most_messages(row)
    by_one_rank = row["collective"] in ROOTED and algorithms.of(row)["algorithm"] in measured_table.ONE_BY_ONE
    return by_the_busiest if by_one_rank else by_the_busiest * row["ranks"]


def cases_of(rows):
    """Two dicts: by case and block, the numbers of the rows; and the counts of the rows without a case, by reason."""
    algorithms = measured_table.Algorithms()
    found, others = {}, collections.Counter()
    for number, row in enumerate(rows):
        case, reason = case_of(row, algorithms)
        if case is None:
            others[row["system"], row["collective"], row["algorithm"], reason] += 1
        else:
            found.setdefault(case[0], {}).setdefault(case[1], []).append(number)
    return found, others


def times(factor, text):
    """The text of a time, or of a time per byte, multiplied by a factor."""
    value, unit = re.fullmatch(r"([0-9.e+-]+)(.*)", text).groups()
    return f"{float(value) * factor:.12f}".rstrip("0").rstrip(".") + unit


def machine_for(machine, case):
    """The machine with the hosts of a case. If the parts of a message go through several ports, one CPU serves them
    all."""
    machine = json.loads(json.dumps({key: value for key, value in machine.items() if key != "memory"}))
    if machine.get("topology", {}).get("kind") == "torus":
        machine["topology"] = {"kind": "torus", "dims": measured_rounds.extents(case.nodes)}
    else:
        machine["topology"] = {"kind": "fully_connected", "hosts": case.nodes}
    machine["ranks_per_host"] = -(-case.ranks // case.nodes)
    if machine["ranks_per_host"] == 1:  # Rondo refuses keys that have no effect
        machine = {key: value for key, value in machine.items() if not key.startswith("intra_")}
    if case.ports > 1:
        for key in ("o_send", "o_recv"):
            machine["flow"][key] = times(case.ports, machine["flow"][key])
    return machine


def scenario(case, blocks, machines):
    """A scenario that sweeps over the machines, and over all blocks on each."""
    own = [machine_for(machine, case) for machine in machines]
    collective = {"kind": case.kind, "ranks": case.ranks, **json.loads(case.options)}
    return {"machine": own[0], "collective": collective, "algorithm": case.algorithm, "engine": "native", "block": "1B",
            "sweep": {"/machine": own, "/block": [f"{block}B" for block in blocks]}}


def named(case) -> str:
    return f"{case.kind} by {case.algorithm} on {case.ranks} ranks"


class Rondo:
    """Simulates cases, BATCH of them in a process."""

    def __init__(self, program, jobs, limit=math.inf):
        self.program, self.jobs, self.deadline = program, jobs, time.monotonic() + limit
        self.refused = set()  # cases that Rondo does not accept

    def seconds(self, blocks_of, machines_of):
        """Seconds by case and block: a list with a time for each machine of machines_of(case).

        The cases are simulated in their order until the time is up. A case that Rondo refuses is named on stderr."""
        found = {}
        work = [(case, sorted(blocks), machines_of(case)) for case, blocks in blocks_of.items()]
        for first in range(0, len(work), BATCH):
            if time.monotonic() < self.deadline:
                self._batch(work[first:first + BATCH], found)
        return found

    def _batch(self, work, found):
        with tempfile.TemporaryDirectory() as folder:
            by_path = {}
            for number, (case, blocks, machines) in enumerate(work):
                path = pathlib.Path(folder, f"{number}.json")
                path.write_text(json.dumps(scenario(case, blocks, machines)))
                by_path[str(path)] = (case, blocks, machines)
            ran = self._run(list(by_path))
            if ran.returncode == 2:  # if one is refused, none is run: run each alone
                for path, (case, _, _) in by_path.items():
                    alone = self._run([path])
                    if alone.returncode == 2:
                        self.refused.add(case)
                    self._take(alone, by_path, found)
            else:
                self._take(ran, by_path, found)

    def _run(self, paths):
        command = [self.program, "run", "--quiet", "--format", "jsonl", "--verify", "off", "--timeout", "100s",
                   "--jobs", str(self.jobs), *paths]
        left = self.deadline - time.monotonic()
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=None if math.isinf(left) else max(left, 1))
        except subprocess.TimeoutExpired as ended:  # takes the complete lines that it printed
            printed = (ended.stdout or b"").decode().rpartition("\n")[0]
            return subprocess.CompletedProcess(command, 0, printed, "")

    def _take(self, ran, by_path, found):
        for line in ran.stdout.splitlines():
            record = json.loads(line)
            case, blocks, machines = by_path[record["scenario"]]
            if record["time_s"] is None:
                print(f"predict: {named(case)}: {record['error']}", file=sys.stderr)
                continue
            times = found.setdefault((case, record["block_bytes"]), [math.nan] * len(machines))
            times[(record["point"] - 1) // len(blocks)] = record["time_s"]  # blocks change faster than machines
        if ran.returncode and not ran.stdout:
            last = ran.stderr.strip().splitlines()[-1:] or ["no reason given"]
            print(f"predict: {last[0][:300]}", file=sys.stderr)


def machines_of_platforms():
    """A function from a name to its machine with the costs of MEMORY. It returns None for an unknown name, and reports
    the name once."""
    known = {}
    costs = json.loads((ROOT / "analysis" / "measured_memory.json").read_text())

    def machine(name):
        if name not in known:
            path = ROOT / "platforms" / "measured" / f"{name}.json"
            known[name] = json.loads(path.read_text()) if path.exists() else None
            if known[name] is None:
                print(f"predict: no machine of {name} in platforms/measured/", file=sys.stderr)
        return known[name] and {**known[name], "memory": costs.get(name, {})}

    return machine


def nanoseconds(text) -> float:
    """The nanoseconds, or nanoseconds per byte, of "0.2ns/B", "140ns" or "1.8us"."""
    value, unit = re.fullmatch(r"([0-9.e+-]+)(s|ms|us|ns)(?:/B)?", text).groups()
    return float(value) * {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}[unit]


def bytes_of(text) -> float:
    value, unit = re.fullmatch(r"([0-9.e+-]+)(B|KiB|MiB|GiB|TiB)", text).groups()
    return float(value) * {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}[unit]


def beside(row, machine, algorithms) -> float:
    """Nanoseconds of the work of a process beside the schedule."""
    work = algorithms.work(row)
    return sum(nanoseconds(text) * work[cost] for cost, text in machine.get("memory", {}).items())


def fewest_first(rows, found, algorithms):
    """The cases, sorted by their number of messages."""
    most = {case: max(messages_of(rows[numbers[0]], algorithms) for numbers in blocks.values()) for case, blocks in found.items()}
    return {case: found[case] for case in sorted(most, key=most.get)}


def name_others(others):
    for (system, collective, algorithm, reason), count in sorted(others.items()):
        print(f"predict: {count} rows of {system}, {collective} {algorithm}: {reason}", file=sys.stderr)


def simulated(rows, rondo, machine):
    """Nanoseconds by the number of a row, simulated by the engine. Rows without a time are named on standard error."""
    found, others = cases_of(rows)
    name_others(others)
    found = {case: blocks for case, blocks in found.items() if machine(case.machine) is not None}
    algorithms = measured_table.Algorithms()
    seconds = rondo.seconds(fewest_first(rows, found, algorithms), lambda case: [machine(case.machine)])
    times, late = {}, 0
    for case, blocks in found.items():
        for block, numbers in blocks.items():
            if (case, block) in seconds:
                times.update({number: 1e9 * seconds[case, block][0] + beside(rows[number], machine(case.machine), algorithms) for number in numbers})
            elif case not in rondo.refused:
                late += len(numbers)
    if late:
        print(f"predict: {late} rows were not simulated in time", file=sys.stderr)
    return times


def modelled(rows):
    """Nanoseconds by the number of a row, from the costs of its rounds, without corrections. Rows without a time are
    named on standard error."""
    algorithms, prices = measured_table.Algorithms(), json.loads((ROOT / "analysis" / "measured_costs.json").read_text())
    times, others = {}, collections.Counter()
    for number, row in enumerate(rows):
        case, reason = case_of(row, algorithms)
        paid = measured_rounds.amounts(row, algorithms) if case else None
        machine = measured_table.machine_of(row)
        if paid is None or machine not in prices:
            why = reason or ("its rounds are not known" if paid is None else "no prices of its machine in measured_costs.json")
            others[row["system"], row["collective"], row["algorithm"], why] += 1
        else:
            times[number] = measured_rounds.time(paid, prices[machine])
    name_others(others)
    return times


def run_of(row):
    return tuple(row[name] for name in RUN)


def scaled_by(probe, rows, times):
    """The times, corrected in each run by its probe. Runs without a time of the probe keep their times, and are counted
    on stderr."""
    seen = {}
    for number, row in enumerate(rows):
        if row["algorithm"] == probe and number in times and row["ns"]:
            seen.setdefault(run_of(row), []).append((math.log(row["bytes"]), math.log(row["ns"] / times[number])))
    runs = {run_of(rows[number]) for number in times}
    if len(seen) < len(runs):
        print(f"predict: {len(runs) - len(seen)} of {len(runs)} runs have no time of {probe} and are as without it", file=sys.stderr)
    scaled = {}
    for number, time in times.items():
        points = seen.get(run_of(rows[number]), [])
        weights = [math.exp(-(((size - math.log(rows[number]["bytes"])) / WIDTH) ** 2)) for size, _ in points]
        mean = sum(weight * factor for weight, (_, factor) in zip(weights, points)) / sum(weights) if points else 0
        scaled[number] = time * math.exp(LEFT_OUT * mean)
    return scaled


def write(path, rows, times, widths=None):
    """Writes the key columns and predicted_ns of the rows that have a prediction, and low_ns and high_ns if `widths`
    has the factors of their intervals. The file appears when it is complete."""
    keys = [name for name in rows[0] if name not in measured_table.MEASURED + ["ns"]]
    partial = f"{path}.partial"
    with open(partial, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(keys + ["predicted_ns"] + (["low_ns", "high_ns"] if widths else []))
        for number in sorted(times):
            row = rows[number]
            cells = [row[name] for name in keys]
            cells = ["" if cell is None else f"{cell:.0f}" if isinstance(cell, float) else cell for cell in cells]
            ends = [1.0, 1 / widths[number], widths[number]] if widths else [1.0]
            writer.writerow(cells + [f"{times[number] * end:.0f}" for end in ends])
    os.replace(partial, path)


def main(arguments):
    parser = argparse.ArgumentParser(description="predicts measured collectives by simulation")
    parser.add_argument("data")
    parser.add_argument("out")
    parser.add_argument("--probe", metavar="ALGORITHM", help="its measured times rescale the predictions of its run")
    parser.add_argument("--uncorrected", action="store_true", help="without the factors of measured_corrections.json")
    parser.add_argument("--engine", action="store_true", help="simulate each row; without corrections")
    parser.add_argument("--rondo", default=str(ROOT / "build/release/rondo"), help="the program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=1200, metavar="SECONDS", help="for all simulations; 1200 by default")
    words = parser.parse_args(arguments)
    rows = measured_table.read(words.data, ("median_ns", "mean_ns") if words.probe else ()).to_dict("records")
    if words.probe and not any(row["algorithm"] == words.probe and row["ns"] for row in rows):
        raise BadTable(f"--probe: expected an algorithm that some row has a time of, got {words.probe}")
    corrections, widths = Corrections.read(ROOT / "analysis" / "measured_corrections.json"), None
    if words.engine:
        found = simulated(rows, Rondo(words.rondo, words.jobs, words.limit), machines_of_platforms())
    else:
        found = modelled(rows)
        widths = {number: corrections.interval(rows[number]) for number in found}
    if not (words.engine or words.uncorrected):
        found = {number: time * corrections.factor(rows[number]) for number, time in found.items()}
    if words.probe:
        found = scaled_by(words.probe, rows, found)
    write(words.out, rows, found, widths)
    print(f"predict: {len(found)} of {len(rows)} rows", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (BadTable, OSError, UnicodeDecodeError) as error:
        sys.exit(f"predict: {error}")
