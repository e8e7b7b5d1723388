#!/usr/bin/env python3
"""Tests whether the claims of scenarios hold at neighbors of the swept values.

    tests/claims/moved.py build/release/rondo [FILE...]     default: all of scenarios/claims

Each swept number or size of a scenario is replaced by its neighbors, one axis at a time: n by n + 1 and n - 1, a size by
twice and half the size. A claim passes if it has the same verdict there, or if the scenario is refused there with a
line that says why (for example an odd number of ranks, if an even one is required). If a claim holds only at the values
of the file, its text or its `when` must name the condition. tests/claims/moved.json lists these claims with the reason.

It prints a line for each claim that gets another verdict and is not listed, and a line for each listed claim that does
not. Exit code 1 if there is such a claim, 2 for bad usage.
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTED = ROOT / "tests/claims/moved.json"
SIZE = re.compile(r"^(\d+)(B|kB|MB|KiB|MiB)$")
SECONDS = 600
# The verdicts at moved values that agree with each verdict at the values of the file. A claim may be idle there.
SAME = {"holds": {"holds", "corrected", "idle"}, "corrected": {"holds", "corrected", "idle"}}


def neighbors(value):
    """The neighbors of a number or a size, the larger one first; an empty list for words, lists and objects."""
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [value + 1, value - 1] if value > 1 else [value + 1]
    found = SIZE.match(value) if isinstance(value, str) else None
    if not found or int(found[1]) == 0:
        return []
    number, unit = int(found[1]), found[2]
    return [f"{2 * number}{unit}"] + ([f"{number // 2}{unit}"] if number > 1 else [])


def variants(scenario):
    """Pairs (name, scenario) for each axis and direction. All values of the axis are moved together."""
    axes = scenario.get("sweep", {})
    for part, values in enumerate(axes if isinstance(axes, list) else [axes]):
        for pointer in values:
            for direction in (0, 1):
                moved = copy.deepcopy(scenario)
                target = moved["sweep"][part] if isinstance(axes, list) else moved["sweep"]
                near = [neighbors(value) for value in target[pointer]]
                chosen = [each[direction] if len(each) > direction else old for each, old in zip(near, target[pointer])]
                chosen_once = list(dict.fromkeys(map(json.dumps, chosen)))
                if chosen == target[pointer] or len(chosen_once) < len(chosen):
                    continue
                target[pointer] = chosen
                if pointer.rsplit("/", 1)[-1] in ("ranks", "senders", "receivers"):
                    make_room(moved)
                yield f"{pointer} {'up' if direction == 0 else 'down'}", moved


def make_room(scenario):
    """Gives the machine twice as many hosts, if it is fully connected and its topology is not swept."""
    axes = scenario["sweep"] if isinstance(scenario["sweep"], list) else [scenario["sweep"]]
    topology = scenario["machine"].get("topology", {}) if isinstance(scenario["machine"], dict) else {}
    swept = any(pointer.startswith("/machine/topology") for values in axes for pointer in values)
    if topology.get("kind") == "fully_connected" and not swept:
        topology["hosts"] = 2 * topology["hosts"]


def with_files(part, folder):
    """The part of a scenario, with absolute paths for the files of this folder that it names."""
    if isinstance(part, dict):
        return {key: with_files(each, folder) for key, each in part.items()}
    if isinstance(part, list):
        return [with_files(each, folder) for each in part]
    named = isinstance(part, str) and len(part) < 200 and "\0" not in part and (folder / part).is_file()
    return str((folder / part).resolve()) if named else part


def verdicts(rondo, scenario, folder):
    """The verdict of each claim by the claim's text, or the line by which the scenario is refused."""
    file = folder / "moved.json"
    file.write_text(json.dumps(scenario), encoding="utf-8")
    try:
        ran = subprocess.run([rondo, "check", "--quiet", "--allow-path", str(ROOT), str(file)], capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"not judged in {SECONDS} s"
    if ran.returncode not in (0, 1):
        return ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else f"exit code {ran.returncode}"
    found = {}
    for claim in scenario["expect"]:
        mark = f": {claim['claim'][:150]}"  # check prints at most 200 characters
        line = next((each for each in ran.stdout.splitlines() if mark in each and not each.startswith(" ")), None)
        found[claim["claim"]] = line.split()[0].lower() if line else "missing"
    return found


def turned(rondo, file, folder):
    """Triples (axis, claim, verdict) for each claim that has another verdict at moved values."""
    scenario = json.loads(file.read_text(encoding="utf-8"))
    if scenario["collective"]["kind"] == "program" or "expect" not in scenario:
        return
    scenario = with_files(scenario, file.parent)
    stated = {each["claim"]: each.get("verdict", "corrected" if "correction" in each else "holds") for each in scenario["expect"]}
    for axis, moved in variants(scenario):
        found = verdicts(rondo, moved, folder)
        if isinstance(found, str):
            print(f"  {file.name} {axis}: {found}", file=sys.stderr)
            continue
        for claim, verdict in found.items():
            if verdict not in SAME.get(stated[claim], {stated[claim], "idle"}):
                yield axis, claim, verdict


def main(words):
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    files = [pathlib.Path(each) for each in words[1:]] or sorted((ROOT / "scenarios/claims").glob("*.json"))
    listed = json.loads(LISTED.read_text(encoding="utf-8")) if LISTED.exists() else {}
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            known = dict(listed.get(file.stem, {}))
            seen = set()
            for axis, claim, verdict in turned(words[0], file, pathlib.Path(folder)):
                key = next((each for each in known if each in claim), None)
                if key:
                    seen.add(key)
                else:
                    bad += 1
                    print(f"{file.name}: {axis}: {verdict}: {claim}", flush=True)
            for key in known.keys() - seen:
                bad += 1
                print(f"{file.name}: listed in {LISTED.name} and does not turn: {key}", flush=True)
    print(f"{len(files)} scenarios, {bad} claims that turn without saying so", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
