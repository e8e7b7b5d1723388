"""Tests that Open MPI 4 loads the output of `rondo tune --format ompi`, and runs the algorithms that the file names:
ompi.py RONDO SOURCES. The algorithms are functions of libmpi. A preloaded object prints their names when they are
called."""

import os
import shutil

from decisions import SKIPPED, main, run, traces, tuned

# The functions in the order of their numbers, from 1 (Open MPI 4.1, ompi/mca/coll/tuned/coll_tuned_*_decision.c).
FUNCTIONS = {
    0: ("allgather", "basic_linear bruck recursivedoubling ring neighborexchange two_procs"),
    2: ("allreduce", "basic_linear nonoverlapping recursivedoubling ring ring_segmented redscat_allgather"),
    3: ("alltoall", "basic_linear pairwise bruck linear_sync two_procs"),
    6: ("barrier", "basic_linear doublering recursivedoubling bruck two_procs tree"),
    7: ("bcast", "basic_linear chain pipeline split_bintree bintree binomial knomial scatter_allgather "
                 "scatter_allgather_ring"),
    8: ("exscan", "linear recursivedoubling"),
    9: ("gather", "basic_linear binomial linear_sync"),
    11: ("reduce", "basic_linear chain pipeline binary binomial in_order_binary redscat_gather"),
    12: ("reduce_scatter", "nonoverlapping basic_recursivehalving ring butterfly"),
    13: ("reduce_scatter_block", "basic_linear recursivedoubling recursivehalving butterfly"),
    14: ("scan", "linear recursivedoubling"),
    15: ("scatter", "basic_linear binomial linear_nb"),
}
# The collectives for which the decision functions take the bytes of all ranks' blocks as the size of a message. For the
# others they take the bytes of the vector.
OF_ALL_RANKS = {"allgather", "alltoall", "gather", "scatter", "reduce_scatter", "reduce_scatter_block"}
# The functions with a segment size, which follows their name in the traces.
IN_SEGMENTS = {
    "bcast": "chain pipeline split_bintree bintree binomial knomial",
    "reduce": "chain pipeline binary binomial in_order_binary",
    "allreduce": "ring_segmented",
}


def function(collective, number, segment):
    name, functions = FUNCTIONS[collective]
    chosen = functions.split()[number - 1]
    if name == "reduce_scatter_block" and chosen == "basic_linear":
        return f"{name}_{chosen}"
    return f"{name}_intra_{chosen}" + (f"/{segment}" if chosen in IN_SEGMENTS.get(name, "").split() else "")


def numbers(path):
    with open(path, encoding="utf-8") as text:
        for line in text:
            yield from (int(word) for word in line.split("#")[0].split())


def rules(path):
    """The rules of a file: {collective: [(ranks, [(bytes, algorithm, segment)])]}."""
    following = numbers(path)
    read = {}
    for _ in range(next(following)):
        collective = next(following)
        read[collective] = []
        for _ in range(next(following)):
            ranks, sizes = next(following), []
            for _ in range(next(following)):
                size, algorithm, _, segment = (next(following) for _ in range(4))
                sizes.append((size, algorithm, segment))
            read[collective].append((ranks, sizes))
    return read


def chosen(groups, ranks, size):
    """The rule for a call: of the largest number of ranks up to `ranks`, and in it of the largest size up to `size`."""
    sizes = [sizes for least, sizes in groups if least <= ranks][-1]
    return [rest for least, *rest in sizes if least <= size][-1]


def calls_at(read, ranks):
    """Calls on both sides of each change, with the functions that they must run."""
    expected = {}
    for collective, groups in read.items():
        name = FUNCTIONS[collective][0]
        factor = ranks if name in OF_ALL_RANKS else 1
        sizes = [sizes for least, sizes in groups if least <= ranks][-1]
        blocks = {8} | {block for least, _, _ in sizes[1:] for block in (least // factor - 1, -(-least // factor))}
        for block in [0] if name == "barrier" else sorted(blocks):
            size = 0 if name in ("barrier", "scan", "exscan") else block * factor
            expected[f"{name}:{block}"] = function(collective, *chosen(groups, ranks, size))
    return expected


def compare(path, ranks, expected, programs):
    said = traces(run(["mpirun.openmpi", "--oversubscribe", "-np", str(ranks), "--mca", "mpi_yield_when_idle", "1",
                       "--mca", "coll_tuned_use_dynamic_rules", "1", "--mca", "coll_tuned_dynamic_rules_filename", path, "-x",
                       f"LD_PRELOAD={programs}/trace.so", f"{programs}/collectives", *expected],
                      OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"))
    wanted = {(call, algorithm): ranks for call, algorithm in expected.items()}
    print(f"{path.split('/')[-1]}: {len(expected)} calls on {ranks} ranks")
    return [f"{path} on {ranks} ranks: {key}: expected {wanted.get(key, 0)} times, got {said.get(key, 0)}"
            for key in sorted(wanted.keys() | said.keys()) if wanted.get(key, 0) != said.get(key, 0)]


def of_all_numbers(ranks, folder):
    """Files with one rule for each collective, until all algorithms for this number of ranks were used. Yields the path
    of a file, and its calls with their functions."""
    most = max(len(functions.split()) for _, functions in FUNCTIONS.values())
    for k in range(1, most + 1):
        path, expected = os.path.join(folder, f"number-{k}"), {}
        lines = []
        for collective, (name, functions) in FUNCTIONS.items():
            number = k if k <= len(functions.split()) else 1
            if ranks > 2 and functions.split()[number - 1] == "two_procs":
                number = 1
            lines.append(f"{collective} 1 0 1 0 {number} 4 4096")
            expected[f"{name}:{0 if name == 'barrier' else 8192}"] = function(collective, number, 4096)
        with open(path, "w", encoding="utf-8") as text:
            text.write(f"{len(lines)}\n" + "\n".join(lines) + "\n")
        yield path, expected


def names_that_differ(path):
    """The lines of a file whose comment does not have the library's name of the algorithm."""
    known = {}
    for line in run(["ompi_info", "--param", "coll", "tuned", "--level", "9", "--parsable"]).splitlines():
        words = line.split(":")
        if "enumerator" in words and "value" in words:
            name = words[4].removeprefix("coll_tuned_").removesuffix("_algorithm")
            known[name, words[-2]] = words[-1]
    collective, wrong = None, []
    with open(path, encoding="utf-8") as text:
        for line in text:
            said, _, comment = line.strip().partition(" # ")
            if len(said.split()) == 1 and comment in {name for name, _ in known}:
                collective = comment
            if len(said.split()) == 4 and known.get((collective, said.split()[1])) != comment:
                wrong.append(f"{collective}: {line.strip()}: the library says {known.get((collective, said.split()[1]))}")
    return wrong if known else ["ompi_info names no algorithms"]


def test(rondo, sources, folder):
    if not all(shutil.which(each) for each in ("mpicc.openmpi", "mpirun.openmpi", "ompi_info")):
        print("skipped: Open MPI (openmpi-bin, libopenmpi-dev) is not installed")
        raise SystemExit(SKIPPED)
    here = os.path.dirname(os.path.abspath(__file__))
    run(["mpicc.openmpi", "-O1", "-o", f"{folder}/collectives", f"{here}/collectives.c"])
    run(["cc", "-O1", "-shared", "-fPIC", "-o", f"{folder}/trace.so", f"{here}/trace_ompi.c", "-ldl"])
    path = tuned(rondo, sources, "ompi", [2, 4, 8, 16], folder)
    failures = names_that_differ(path)
    for ranks in (2, 3, 4, 8, 16):
        failures += compare(path, ranks, calls_at(rules(path), ranks), folder)
    for ranks in (2, 4):
        for each, expected in of_all_numbers(ranks, folder):
            failures += compare(each, ranks, expected, folder)
    return failures


main(test)
