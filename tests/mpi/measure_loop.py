"""Measures a machine, fits it, tunes for it, deploys the choice and measures again.

    measure_loop.py RONDO MEASURE PRELOAD [MPIEXEC [RANKS]]

MEASURE is rondo-measure. PRELOAD is librondo_mpi for the MPI that MPIEXEC launches. The defaults are mpiexec and 4
ranks. For each collective and size it prints the algorithm that `rondo tune` chooses from the measured ones. It also
prints the time of this algorithm in the second measurement over the time of the library's own choice. A ratio below 1
is a gain. The script fails only after an error, not if there is no gain.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile


def measured(mpiexec, ranks, program, preload, path, environment):
    if os.path.exists(path):
        os.remove(path)
    command = [mpiexec, "-n", str(ranks), program, path]
    subprocess.run(command, check=True, env={**os.environ, "LD_PRELOAD": preload, **environment})
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {(row["measured"], int(row["bytes"]), row["algorithm"]): float(row["us"]) for row in rows}


def choices(rondo, kind, ranks, algorithms, folder):
    """A function from a block to the algorithm that `rondo tune` chooses for it on machine.json."""
    path = os.path.join(folder, kind + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"machine": "machine.json", "collective": {"kind": kind, "ranks": ranks}}, file)
    command = [rondo, "tune", "--quiet", "--format", "json", "--engine", "native", "--algorithms", ",".join(algorithms), path]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    rules = json.loads(said)["decisions"][0]["rules"]
    return lambda block: next(each["algorithm"] for each in rules if block <= each["to_bytes"])


def main(rondo, program, preload, mpiexec="mpiexec", ranks="4"):
    ranks = int(ranks)
    with tempfile.TemporaryDirectory() as folder:
        first = measured(mpiexec, ranks, program, preload, os.path.join(folder, "m.csv"), {})
        machine_path = os.path.join(folder, "machine.json")
        subprocess.run([rondo, "fit", os.path.join(folder, "m.csv"), "--output", machine_path, "--hosts", str(ranks)], check=True)
        print("collective,bytes,algorithm,before_us,after_us,after/before,best_measured")
        for kind in ("bcast", "allreduce", "allgather", "alltoall"):
            algorithms = sorted({a for (what, _, a) in first if what == kind and a})
            sizes = sorted({size for (what, size, _) in first if what == kind})
            choice = choices(rondo, kind, ranks, algorithms, folder)
            for algorithm in sorted({choice(size) for size in sizes}):
                # The variable has priority over the info keys by which rondo-measure chooses algorithms.
                again = measured(mpiexec, ranks, program, preload, os.path.join(folder, "again.csv"),
                                 {f"RONDO_{kind.upper()}_ALGORITHM": algorithm})
                for size in sizes:
                    if choice(size) != algorithm:
                        continue
                    before, after = first[kind, size, ""], again[kind, size, ""]
                    best = min(["", *algorithms], key=lambda a, s=size, k=kind: first.get((k, s, a), float("inf")))
                    print(f"{kind},{size},{algorithm},{before:.4g},{after:.4g},{after / before:.3g},{best or 'the library'}", flush=True)


main(*sys.argv[1:])
