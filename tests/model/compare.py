#!/usr/bin/env python3
"""Compares the times of Rondo with those of this folder, which follows docs/model.md: compare.py RONDO [--cases N]
[--first N] [--seed N] [--smpi PART] [--jobs N] [--faults]. Prints each disagreement. Exit code 1 if there is one. With
--faults, the rules are broken on purpose, one at a time. Exit code 1 if no case shows a broken rule."""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

from cases import Case
from machines import TRACES
from model import makespan
from plant import FAULTS, planted

CLOSE = Fraction(1, 10**9)
BATCH = 50


def write(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(value, file)


def scenario(points, engine):
    keys = points[0].keys()
    return {"schema_version": 1, "engine": engine, "sweep": [{key: [point[key] for point in points] for key in keys}]}


def called(words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def exported(rondo, case, folder):
    """The schedule of an algorithm of the library, in the generator's order of posting; None if the algorithm does not
    accept the problem."""
    point = {key[1:]: value for key, value in case.point().items()}
    write(folder, "one.json", {"schema_version": 1, "engine": "native", **point, "posting": "neighbors"})
    result = called([rondo, "export", "one.json", "--format", "json"], folder)
    if result.returncode == 2:
        return None
    if result.returncode:
        raise RuntimeError(f"case {case.number}: {result.stderr}")
    return json.loads(result.stdout)


def times(rondo, cases, engine, folder):
    """Rondo's results: case number -> (seconds, error)."""
    if not cases:
        return {}
    write(folder, engine + ".json", scenario([case.point() for case in cases], engine))
    result = called([rondo, "run", engine + ".json", "--format", "jsonl", "--quiet"], folder)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    if len(records) != len(cases):
        raise RuntimeError(f"{len(records)} records of {len(cases)} points: {result.stderr}")
    return {case.number: (record["time_s"], record["error"]) for case, record in zip(cases, records)}


def made(options, numbers, folder):
    """The cases with their schedules and files. A case is left out if its algorithm does not accept the problem."""
    for name, text in TRACES.items():
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
    cases = []
    for number in numbers:
        case = Case(options.seed, number)
        write(folder, f"machine-{number}.json", case.machine)
        if case.schedule is None:
            case.schedule = exported(options.rondo, case, folder)
        else:
            write(folder, f"schedule-{number}.json", case.schedule)
        if case.schedule is not None:
            cases.append(case)
    return cases


def by_page(case, folder):
    return makespan(case.machine, case.schedule, case.posting, case.seed, case.arrival, folder)


def disagree(seconds, exact):
    return seconds is None or abs(Fraction(seconds) - exact) > CLOSE * exact


def batch(job):
    """Compares some cases. Returns how many were compared by engine and how many were refused, and the
    disagreements."""
    options, numbers = job
    wrong = []
    with tempfile.TemporaryDirectory(prefix="rondo-model-") as folder:
        cases = made(options, numbers, folder)
        counts = {"native": 0, "smpi": 0, "refused": len(numbers) - len(cases)}
        exact = {case.number: by_page(case, folder) for case in cases}
        for engine in ("native", "smpi"):
            chosen = [case for case in cases if engine == "native" or case.smpi < min(options.smpi, 1)]
            for number, (seconds, error) in times(options.rondo, chosen, engine, folder).items():
                counts[engine] += 1
                if error or disagree(seconds, exact[number]):
                    wrong.append(f"case {number} on {engine}: {float(exact[number])!r} s by docs/model.md, {seconds} s by Rondo {error or ''}")
    return counts, wrong


def faults(options, numbers):
    """Plants each fault and prints whether a case shows it. Returns whether all are seen."""
    with tempfile.TemporaryDirectory(prefix="rondo-model-") as folder:
        cases = made(options, numbers, folder)
        rondo = times(options.rondo, cases, "native", folder)
        unseen = 0
        for name in FAULTS:
            with planted(name):
                seen = next((case.number for case in cases if disagree(rondo[case.number][0], by_page(case, folder))), None)
            unseen += seen is None
            print(f"{name}: " + ("not seen" if seen is None else f"seen in case {seen}"), flush=True)
    print(f"model faults: {len(FAULTS)} planted, {len(FAULTS) - unseen} seen")
    return not unseen


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rondo", type=os.path.abspath)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smpi", type=float, default=0.1, help="the part of the cases that SMPI runs too")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--faults", action="store_true", help="break rules of this folder: the comparison has to see each")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.cases)
    if options.faults:
        sys.exit(0 if faults(options, numbers) else 1)
    jobs = [(options, numbers[i:i + BATCH]) for i in range(0, len(numbers), BATCH)]
    total, wrong = {}, []
    with multiprocessing.Pool(options.jobs) as pool:
        for counts, bad in pool.imap(batch, jobs) if options.jobs > 1 else map(batch, jobs):
            for key, value in counts.items():
                total[key] = total.get(key, 0) + value
            wrong += bad
            print(*bad, sep="\n", end="\n" if bad else "", flush=True)
    print(f"model: {total['native']} cases on native, {total['smpi']} of them on smpi too, {len(wrong)} disagree; "
          f"{total['refused']} were refused, because the algorithm does not take that number of ranks")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
