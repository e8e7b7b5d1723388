"""Tests Open MPI 4's reduce-scatters by products of matrices, which do not commute: ompi_order.py RONDO SOURCES.

Issue 8010 of Open MPI lists the algorithms that fail its tests named nocommute_stride. The operator of these tests
assumes that it is called on whole vectors. With this operator, all algorithms of the list fail. With an operator that
is right for any part of a vector, only those algorithms fail that the proof finds out of order
(scenarios/claims/classical-order-reduce-scatter.json).
"""

import itertools
import os
import shutil
import subprocess

from decisions import SKIPPED, main, run

# The numbers are those of Open MPI 4.1. If the operator does not commute, recursive halving of reduce_scatter_block
# reduces to rank 0.
OUT_OF_ORDER = {("reduce_scatter", 2), ("reduce_scatter", 3)}
OF_THE_ISSUE = {("reduce_scatter", 2), ("reduce_scatter", 3), ("reduce_scatter", 4), ("reduce_scatter_block", 2), ("reduce_scatter_block", 4)}
APART, BY_COUNT = 1, 2  # values of the program's LAYOUT


def is_right(program, ranks, collective, number):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    command = ["mpirun.openmpi", "--oversubscribe", "-np", str(ranks), "--mca", "mpi_yield_when_idle", "1", "--mca",
               "coll_tuned_use_dynamic_rules", "1", "--mca", f"coll_tuned_{collective}_algorithm", str(number), program, "3"]
    code = subprocess.run(command + ["1", "1"], env=environment, capture_output=True, timeout=120).returncode
    assert code in (0, 1), f"{command} ended with {code}"
    return code == 0


def test(_, sources, folder):
    if not all(shutil.which(each) for each in ("mpicc.openmpi", "mpirun.openmpi")):
        print("skipped: Open MPI (openmpi-bin, libopenmpi-dev) is not installed")
        raise SystemExit(SKIPPED)
    failures = []
    for layout, collective in itertools.product((APART, BY_COUNT), ("reduce_scatter", "reduce_scatter_block")):
        program = f"{folder}/{collective}-{layout}"
        run(["mpicc.openmpi", "-O1", f"-DLAYOUT={layout}", *(["-DCOUNTS"] if collective == "reduce_scatter" else []), "-o",
             program, f"{sources}/scenarios/programs/noncommutative.c"])
        for number, ranks in itertools.product((1, 2, 3, 4), (4, 6)):
            wrong = (collective, number) in (OF_THE_ISSUE if layout == BY_COUNT else OUT_OF_ORDER)
            if is_right(program, ranks, collective, number) == wrong:
                failures.append(f"{collective} {number} on {ranks} ranks, layout {layout}: expected {'a wrong' if wrong else 'the right'} product")
    return failures


main(test)
