"""Tests that MPICH 4.0 loads the output of `rondo tune --format mpich`, and runs the algorithms that the file names:
mpich.py RONDO SOURCES.

An algorithm is recognized by the number of its messages and bytes. A preloaded object counts them when MPICH passes
them to UCX. MPICH treats each rank as a host, since messages within a host do not use UCX."""

import json
import os
import shutil
from math import log2

from decisions import SKIPPED, main, run, traces, tuned


def tree(p, m):
    """The bytes of a binomial scatter or gather of p parts of m bytes. In each round half of the parts are sent."""
    return int(log2(p)) * p // 2 * m


def log(p):
    return int(log2(p))


# The messages and bytes of all p ranks [Thakur05], for p a power of two and blocks of m bytes as in Rondo's scenarios.
# `scattered` also sends the block of a rank to itself.
SENT = {
    "bcast": {
        "binomial": lambda p, m: (p - 1, (p - 1) * m),
        "scatter_recursive_doubling_allgather": lambda p, m: (p - 1 + p * log(p), tree(p, m // p) + (p - 1) * m),
        "scatter_ring_allgather": lambda p, m: (p - 1 + p * (p - 1), tree(p, m // p) + (p - 1) * m),
    },
    "allreduce": {
        "recursive_doubling": lambda p, m: (p * log(p), p * log(p) * m),
        "reduce_scatter_allgather": lambda p, m: (2 * p * log(p), 2 * (p - 1) * m),
    },
    "allgather": {
        "brucks": lambda p, m: (p * log(p), p * (p - 1) * m),
        "recursive_doubling": lambda p, m: (p * log(p), p * (p - 1) * m),
        "ring": lambda p, m: (p * (p - 1), p * (p - 1) * m),
    },
    "alltoall": {
        "brucks": lambda p, m: (p * log(p), p * log(p) * p // 2 * m),
        "pairwise": lambda p, m: (p * (p - 1), p * (p - 1) * m),
        "scattered": lambda p, m: (p * p, p * p * m),
    },
    "reduce": {
        "binomial": lambda p, m: (p - 1, (p - 1) * m),
        "reduce_scatter_gather": lambda p, m: (p * log(p) + p - 1, (p - 1) * m + tree(p, m // p)),
    },
    "reduce_scatter": {
        "recursive_halving": lambda p, m: (p * log(p), p * (p - 1) * m),
        "pairwise": lambda p, m: (p * (p - 1), p * (p - 1) * m),
    },
    "barrier": {"dissemination": lambda p, m: (p * log(p), 0)},
    "scan": {"recursive_doubling": lambda p, m: (p * log(p), p * log(p) * m)},
    "exscan": {"recursive_doubling": lambda p, m: (p * log(p), p * log(p) * m)},
    "gather": {"binomial": lambda p, m: (p - 1, tree(p, m))},
    "scatter": {"binomial": lambda p, m: (p - 1, tree(p, m))},
}
SENT["reduce_scatter_block"] = SENT["reduce_scatter"]


def holds(condition, p, m):
    """Whether one condition of a tree holds, for a call with blocks of m bytes on p ranks."""
    for name, value in (("comm_size", p), ("avg_msg_size", m), ("total_msg_size", p * m)):
        if condition.startswith(f"{name}<="):
            return value <= int(condition.removeprefix(f"{name}<="))
    return condition.endswith("=any") or condition in (
        "comm_type=intra", "is_commutative=yes", "is_op_built_in=yes", "is_sendbuf_inplace=no")


def chosen(branch, p, m):
    """The name of the algorithm that a tree chooses. At each level the first condition that holds is followed."""
    while True:
        condition = next(key for key in branch if key.startswith("algorithm=") or holds(key, p, m))
        if condition.startswith("algorithm="):
            return condition.split("_intra_")[1]
        branch = branch[condition]


def bounds(branch, p):
    """The sizes of blocks on both sides of each change of a tree."""
    found = set()
    for key, below in branch.items():
        if "msg_size<=" in key:
            size = int(key.split("<=")[1])
            found |= {size, size + 1} if key.startswith("avg") else {size // p, size // p + 1}
        found |= bounds(below, p)
    return found


def calls_at(trees, p):
    expected = {}
    for name in SENT:
        branch = trees[f"collective={name}"]
        # Blocks are multiples of p bytes, so that the parts of vectors have equal sizes.
        blocks = {0} if name == "barrier" else {-(-block // p) * p for block in bounds(branch, p) | {64}}
        for block in sorted(blocks):
            expected[f"{name}:{block}"] = SENT[name][chosen(branch, p, block)](p, block)
    return expected


def calls(path, p, words, programs):
    """The messages and bytes of each call."""
    said = traces(run(["mpirun.mpich", "-np", str(p), f"{programs}/collectives", *words], MPIR_CVAR_NOLOCAL="1",
                      MPIR_CVAR_POLLS_BEFORE_YIELD="1", MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=path,
                      LD_PRELOAD=f"{programs}/trace.so"))
    sent = {call: (0, 0) for call in words}
    for (call, messages, size), times in said.items():
        before = sent[call]
        sent[call] = (before[0] + times * int(messages), before[1] + times * int(size))
    print(f"{path.split('/')[-1]}: {len(words)} calls on {p} ranks")
    return sent


def compare(path, p, expected, programs):
    sent = calls(path, p, expected, programs)
    return [f"{path} on {p} ranks: {call}: expected {expected[call]} messages and bytes, got {sent[call]}"
            for call in expected if sent[call] != expected[call]]


def of_all_algorithms(trees, p, folder):
    """Files in which each collective has only one algorithm, until all algorithms were used. Yields the path of a file,
    and its calls with their expected messages and bytes."""
    for k in range(max(len(algorithms) for algorithms in SENT.values())):
        forced, expected = dict(trees), {}
        for name, algorithms in SENT.items():
            algorithm = list(algorithms)[k % len(algorithms)]
            leaf = {f"algorithm=MPIR_{name.capitalize()}_intra_{algorithm}": {}}
            tree_of = trees[f"collective={name}"]
            grouped = "comm_type=intra" in tree_of
            forced[f"collective={name}"] = {**tree_of, "comm_type=intra": leaf} if grouped else leaf
            block = 0 if name == "barrier" else 64 * p
            expected[f"{name}:{block}"] = algorithms[algorithm](p, block)
        path = os.path.join(folder, f"algorithms-{k}.json")
        with open(path, "w", encoding="utf-8") as text:
            json.dump(forced, text)
            if text.tell() % 4096 == 0:
                text.write("\n")
        yield path, expected


def test(rondo, sources, folder):
    if not all(shutil.which(each) for each in ("mpicc.mpich", "mpirun.mpich")):
        print("skipped: MPICH (mpich, libmpich-dev) is not installed")
        raise SystemExit(SKIPPED)
    here = os.path.dirname(os.path.abspath(__file__))
    run(["mpicc.mpich", "-O1", "-o", f"{folder}/collectives", f"{here}/collectives.c"])
    run(["cc", "-O1", "-shared", "-fPIC", "-o", f"{folder}/trace.so", f"{here}/trace_ucx.c", "-ldl"])
    path = tuned(rondo, sources, "mpich", [4, 8, 16], folder)
    with open(path, encoding="utf-8") as text:
        trees = json.load(text)
    failures = []
    for p in (4, 8, 16):
        failures += compare(path, p, calls_at(trees, p), folder)
    # On 6 ranks the library would abort if an algorithm were only for powers of two.
    calls(path, 6, calls_at(trees, 8), folder)
    for each, expected in of_all_algorithms(trees, 8, folder):
        failures += compare(each, 8, expected, folder)
    return failures


main(test)
