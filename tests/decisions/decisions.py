"""Functions of the tests with real libraries: a temporary folder, commands, and rules files for a machine."""

import os
import subprocess
import sys
import tempfile
from collections import Counter

SKIPPED = 77


def run(words, **environment):
    """The standard output and error of a command, which must succeed."""
    ran = subprocess.run(words, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120)
    if ran.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: exit {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout + ran.stderr


def tuned(rondo, sources, form, ranks, folder):
    """The path of a rules file for these numbers of ranks."""
    path = os.path.join(folder, f"rules.{form}")
    sweep = f"/sweep/2/~1collective~1ranks={ranks}".replace(" ", "")
    run([rondo, "tune", f"{sources}/scenarios/decisions/leonardo.json", "--quiet", "--set", sweep, "--format", form,
         "--from", "8B", "--to", "64KiB", "--per-doubling", "1", "--output", path])
    return path


def traces(text):
    """The number of equal lines "TRACE CALL FUNCTION": {("bcast:8", "bcast_intra_chain"): 4}."""
    return Counter(tuple(line.split()[1:]) for line in text.splitlines() if line.startswith("TRACE "))


def main(test):
    rondo, sources = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        failures = test(os.path.abspath(rondo), sources, folder)
    for failure in failures:
        print(failure)
    raise SystemExit(1 if failures else 0)
