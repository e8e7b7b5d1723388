#!/usr/bin/env python3
"""Compares two programs, from before and after a change that should not change results.

    tests/frozen/frozen.py BEFORE AFTER [FILE...]     default: all of scenarios and tests/data/records

Both programs run each scenario, judge its claims, and export the schedule of its first point. All fields of records are
compared, except wall times and the version. A field that only one program has is named once. Then both run the entries
of the catalogue tests/data/errors. Exit codes and places (file, JSON pointer) are compared. Texts of errors are not
compared: ctest -R '^errors' tests them exactly. If a scenario takes a program longer than a minute, it is named and not
compared. A program is in its build folder or in bin of an installation, where it finds its other parts.

It prints a line for each difference. The last line has the counts. Exit code 1 if there is a difference, 2 for bad
usage.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 60
NOT_RESULTS = ("wall_s", "setup_wall_s", "version")
ENTRY = re.compile(r"^\d .")


def answer(words, **how):
    """(exit code, standard output, standard error) of a command; None if it takes longer than SECONDS."""
    try:
        ran = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False, cwd=how.pop("cwd", ROOT), **how)
    except subprocess.TimeoutExpired:
        return None
    return ran.returncode, ran.stdout, ran.stderr


def results(value):
    """A record without the fields that are not results."""
    if isinstance(value, dict):
        return {key: results(each) for key, each in value.items() if key not in NOT_RESULTS}
    return [results(each) for each in value] if isinstance(value, list) else value


def of_scenario(program, file):
    """{name: text or record} with the outputs of a program for a scenario; None if a command takes longer than
    SECONDS."""
    ran = answer([program, "run", "--quiet", "--allow-programs", "--format", "jsonl", file])
    judged = answer([program, "check", "--quiet", "--allow-programs", file])
    shown = answer([program, "export", file, "--format", "json"])
    if not (ran and judged and shown):
        return None
    made = {f"record {number}": results(json.loads(line)) for number, line in enumerate(ran[1].splitlines(), 1)}
    return made | {"exit codes": [ran[0], judged[0], shown[0]], "judgements": judged[1], "schedule": shown[1]}


def catalogue():
    """(place, base, entry) for each entry; an entry has files, a patch and a command (tests/errors/catalogue.hpp)."""
    for file in sorted((ROOT / "tests/data/errors").glob("*.txt")):
        base = "isomorphic"
        for number, text in enumerate(file.read_text(encoding="utf-8").split("\n\n"), 1):
            entry = {"files": [], "patch": "", "command": "rondo run --quiet s.json"}
            lines = text.split("\n")
            for line in lines:
                if line.startswith("base "):
                    base = line[5:]
                elif line.startswith("{"):
                    entry["patch"] = line
                elif line.startswith("file "):
                    entry["files"].append((line[5:] + " ").split(" ", 1))
                elif line.startswith("$ "):
                    entry["command"] = line[2:]
            if any(map(ENTRY.match, lines)):
                yield f"{file.name}, entry {number}", base, entry


def patched(target, patch):
    """The target after a JSON merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        target[key] = patched(target.get(key), value)
    return {key: value for key, value in target.items() if value is not None}


def of_entry(program, base, entry):
    """The exit code, and the place that the error names: a file and, if there is one, a JSON pointer."""
    with tempfile.TemporaryDirectory() as folder:
        scenario = json.loads((ROOT / f"tests/data/errors/bases/{base}.json").read_text(encoding="utf-8"))
        if entry["patch"]:
            scenario = patched(scenario, json.loads(entry["patch"]))
        (pathlib.Path(folder) / "s.json").write_text(json.dumps(scenario), encoding="utf-8")
        written = "".join(f"printf %s $'{text[:-1]}' >{name}\n" for name, text in entry["files"])
        script = f'rondo() {{ "{program}" "$@"; }}\n{written}{entry["command"]}'
        clean = {key: value for key, value in os.environ.items() if key not in ("RONDO_ALLOW_PROGRAMS", "SLURM_ARRAY_TASK_ID")}
        got = answer(["bash", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, env=clean)
    if got is None:
        return None
    line = (got[2] or got[1]).strip().split("\n")[-1]
    found = re.match(r"(\S+: (/\S*: )?)", line)
    return got[0], found[0] if found else ""


def fields_that_differ(before, after, place=""):
    """Two lists of JSON pointers: to values that differ, and to fields that only one side has."""
    if isinstance(before, dict) and isinstance(after, dict):
        differ, lacking = [], [f"{place}/{key}" for key in before.keys() ^ after.keys()]
        for key in before.keys() & after.keys():
            deeper = fields_that_differ(before[key], after[key], f"{place}/{key}")
            differ, lacking = differ + deeper[0], lacking + deeper[1]
        return differ, lacking
    return ([] if before == after else [place]), []


class Difference:
    """Counts and prints the differences."""

    def __init__(self):
        self.points = self.entries = self.differ = self.slow = 0
        self.lacking = set()

    def say(self, text):
        self.differ += 1
        print(text, flush=True)

    def of_scenarios(self, file, before, after):
        if before is None or after is None:
            self.slow += 1
            print(f"{file}: more than {SECONDS} s, not compared", flush=True)
            return
        self.points += len(before) - 3
        where = {}
        for name in sorted(before.keys() | after.keys()):
            if name not in before or name not in after:
                where.setdefault("all", []).append(name.removeprefix("record "))
                continue
            differ, lacking = fields_that_differ(before[name], after[name])
            # A record repeats the scenario in /expanded, with the keys that the program knows.
            self.lacking |= {each for each in lacking if not each.startswith("/expanded")}
            for field in differ:
                where.setdefault(field, []).append(name.removeprefix("record "))
        for field, names in sorted(where.items()):
            self.say(f"{file}: {field or 'text'} of {len(names)} differs: {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}")

    def of_entries(self, place, before, after):
        self.entries += 1
        if before != after:
            self.say(f"tests/data/errors/{place}: {before}, now {after}")


def main(words):
    if len(words) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    programs = [str(pathlib.Path(each).resolve()) for each in words[1:3]]
    files = words[3:] or sorted(str(each.relative_to(ROOT)) for folder in ("scenarios", "tests/data/records") for each in (ROOT / folder).rglob("*.json"))
    files = [each for each in files if '"collective"' in (ROOT / each).read_text(encoding="utf-8")]
    seen = Difference()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:

        def both(call, *what):
            return list(pool.map(lambda program: call(program, *what), programs))

        for file in files:
            seen.of_scenarios(file, *both(of_scenario, file))
        for place, base, entry in [] if words[3:] else catalogue():
            seen.of_entries(place, *both(of_entry, base, entry))
    for field in sorted(seen.lacking):
        print(f"a field of one program alone: {field}")
    print(f"frozen: {len(files) - seen.slow} scenarios with {seen.points} points, {seen.entries} errors, {seen.differ} differ; {seen.slow} too slow")
    return 1 if seen.differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
