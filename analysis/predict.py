#!/usr/bin/env python3
"""Predicts measured collectives by simulation: see predict.sh.

Each row whose algorithm is one of Rondo's (measured_algorithms.csv) becomes a point of a scenario on the machine of
platforms/ that has the system's name, with as many hosts as the row has nodes. No measured time is read, but, with --probe, those of one
algorithm: in each run (system, archive, test, collective, ranks) the predictions are multiplied by what its times are over
its predictions, for each size the geometric mean over all sizes, nearer ones counting more.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import measured_table
from measured_table import BadTable

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUN = ["system", "archive", "test", "collective", "ranks", "tasks_per_node", "gpu"]
WHOLE_VECTORS = ("bcast", "reduce", "allreduce")  # /block is each rank's whole vector
WIDTH = 3.0  # of the weights of a probe, in factors e of the size
LEFT_OUT = 0.7  # of a probe's logarithm is believed


def machine_of(system, nodes, ranks, machines):
    """The machine of a system with so many nodes, or None."""
    if system not in machines:
        path = ROOT / "platforms" / f"{system}.json"
        machines[system] = json.loads(path.read_text()) if path.exists() else None
        if machines[system] is None:
            print(f"predict: no machine of {system} in platforms/", file=sys.stderr)
    if machines[system] is None or ranks % nodes:
        return None
    machine = json.loads(json.dumps(machines[system]))
    machine["topology"] = {"kind": "fully_connected", "hosts": int(nodes)}
    machine["ranks_per_host"] = int(ranks // nodes)
    return machine


def block_of(row) -> int:
    return int(row["bytes"] if row["collective"] in WHOLE_VECTORS else row["block_bytes"] or 0)


def scenario_of(row, algorithms, machines):
    """The scenario of a row, without its block; None if Rondo has no algorithm or machine for it."""
    line = algorithms.of(row)
    if line is None or not line["algorithm"] or row["gpu"] == "yes" or not row["nodes"] or not block_of(row):
        return None
    machine = machine_of(row["system"], row["nodes"], row["ranks"], machines)
    if machine is None:
        return None
    options = json.loads(line["options"] or "{}")
    collective = {"kind": row["collective"], "ranks": int(row["ranks"]), **options}
    return {"machine": machine, "collective": collective, "algorithm": line["algorithm"], "engine": "native"}


def scenarios_of(rows, machines):
    """Scenarios as text, each with the blocks that rows ask of it and the numbers of these rows."""
    algorithms = measured_table.Algorithms()
    found = {}
    for number, row in enumerate(rows):
        scenario = scenario_of(row, algorithms, machines)
        if scenario is not None:
            found.setdefault(json.dumps(scenario, sort_keys=True), {}).setdefault(block_of(row), []).append(number)
    return found


def named(scenario) -> str:
    collective = scenario["collective"]
    return f"{collective['kind']} by {scenario['algorithm']} on {collective['ranks']} ranks"


def refusal(ran) -> str:
    """What a run that failed said: the first error of a record, or its last words."""
    errors = [json.loads(line)["error"] for line in ran.stdout.splitlines()]
    last = ran.stderr.strip().splitlines()[-1:] or ["no reason given"]
    return next((error for error in errors if error), last[0][:200])


def simulate(found, rondo, jobs, folder):
    """Nanoseconds by the number of a row; a scenario that Rondo refuses is named on standard error."""
    times = {}
    for number, (text, blocks) in enumerate(found.items()):
        sizes = sorted(blocks)
        scenario = {**json.loads(text), "sweep": {"/block": [f"{size}B" for size in sizes]}}
        path = pathlib.Path(folder, f"{number}.json")
        path.write_text(json.dumps(scenario))
        command = [rondo, "run", "--quiet", "--format", "jsonl", "--verify", "off", "--jobs", str(jobs), str(path)]
        ran = subprocess.run(command, capture_output=True, text=True)
        records = [json.loads(line) for line in ran.stdout.splitlines()]
        if ran.returncode:
            print(f"predict: {named(scenario)}: {refusal(ran)}", file=sys.stderr)
        for record in records:
            if record["time_s"] is not None:
                times.update(dict.fromkeys(blocks[record["block_bytes"]], 1e9 * record["time_s"]))
    return times


def run_of(row):
    return tuple(row[name] for name in RUN)


def scaled_by(probe, rows, times):
    """The times, each run's by what its probe shows; runs without the probe keep theirs."""
    seen = {}
    for number, row in enumerate(rows):
        if row["algorithm"] == probe and number in times and row["ns"]:
            seen.setdefault(run_of(row), []).append((math.log(row["bytes"]), math.log(row["ns"] / times[number])))
    scaled = {}
    for number, time in times.items():
        points = seen.get(run_of(rows[number]), [])
        weights = [math.exp(-(((size - math.log(rows[number]["bytes"])) / WIDTH) ** 2)) for size, _ in points]
        mean = sum(weight * factor for weight, (_, factor) in zip(weights, points)) / sum(weights) if points else 0
        scaled[number] = time * math.exp(LEFT_OUT * mean)
    return scaled


def write(path, rows, times):
    """Key columns and predicted_ns of the rows that have a prediction; the file appears whole."""
    keys = [name for name in rows[0] if name not in measured_table.MEASURED + ["ns"]]
    partial = f"{path}.partial"
    with open(partial, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(keys + ["predicted_ns"])
        for number in sorted(times):
            row = rows[number]
            cells = [row[name] for name in keys]
            cells = ["" if cell is None else f"{cell:.0f}" if isinstance(cell, float) else cell for cell in cells]
            writer.writerow(cells + [f"{times[number]:.0f}"])
    os.replace(partial, path)


def main(arguments):
    parser = argparse.ArgumentParser(description="predicts measured collectives by simulation")
    parser.add_argument("data")
    parser.add_argument("out")
    parser.add_argument("--probe", metavar="ALGORITHM", help="its measured times rescale the predictions of its run")
    parser.add_argument("--rondo", default=str(ROOT / "build/release/rondo"), help="the program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    words = parser.parse_args(arguments)
    rows = measured_table.read(words.data, ("median_ns", "mean_ns") if words.probe else ()).to_dict("records")
    found = scenarios_of(rows, {})
    with tempfile.TemporaryDirectory() as folder:
        times = simulate(found, words.rondo, words.jobs, folder)
    if words.probe:
        times = scaled_by(words.probe, rows, times)
    write(words.out, rows, times)
    print(f"predict: {len(times)} of {len(rows)} rows", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (BadTable, OSError, UnicodeDecodeError) as error:
        sys.exit(f"predict: {error}")
