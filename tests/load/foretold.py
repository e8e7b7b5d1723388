#!/usr/bin/env python3
"""foretold.py RONDO: compares the memory and messages that `rondo explain` predicts with those of `rondo run`.

It runs 62 scenarios of one point. Each must take between half and twice the predicted memory. It must send between half
and twice the predicted messages, or at most as many if the prediction says "at most". Prints each case. Exit code 1 if
a case is outside. The largest case takes 2.3 GB."""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile

FAT_TREE = {"kind": "fat_tree", "down": [16, 16], "up": [1, 8]}
MOORE = {"kind": "moore", "radius": 1}


def scenario(collective, algorithm, hosts, block="1KiB", topology=None, engine="native", **machine):
    topology = topology or {"kind": "fully_connected", "hosts": hosts}
    machine = {"topology": topology, "latency": "1us", "bandwidth": "10GBps", **machine}
    return {"machine": machine, "collective": collective, "algorithm": algorithm, "block": block, "engine": engine}


def classical(kind, algorithm, ranks, block="1KiB", topology=None, engine="native", machine=(), **options):
    return scenario({"kind": kind, "ranks": ranks, **options}, algorithm, ranks, block, topology, engine, **dict(machine))


def isomorphic(kind, algorithm, dims, engine="native"):
    hosts = 1
    for extent in dims:
        hosts *= extent
    return scenario({"kind": kind, "torus": dims, "neighborhood": MOORE}, algorithm, hosts, engine=engine)


def neighbor(kind, algorithm, ranks, density):
    graph = {"kind": "erdos_renyi", "ranks": ranks, "density": density}
    return scenario({"kind": kind, "graph": graph}, algorithm, ranks)


def exchange(ranks, targets):
    pattern = {"kind": "random", "ranks": ranks, "targets": targets}
    return scenario({"kind": "sparse_exchange", "pattern": pattern}, "nbx", ranks, engine="smpi")


def groups(senders, receivers):
    return scenario(
        {"kind": "intergroup_allgather", "senders": senders, "receivers": receivers}, "group_allgather", senders + receivers
    )


def composition(groups_of, ranks):
    return classical(
        "allreduce", "hierarchical", ranks, "64KiB", hierarchy={"groups": groups_of, "intra": "binomial", "inter": "ring"}
    )


CASES = [
    *(classical("bcast", "pipeline", 64, "64KiB", segment=segment) for segment in ("1B", "16B", "1KiB")),
    classical("bcast", "pipeline", 8, "1MiB", segment="1B"),
    classical("bcast", "pipeline", 4, "1MiB", segment="1B"),
    classical("bcast", "pipeline", 4096, "64KiB", segment="64B"),
    *(classical("bcast", "binomial", ranks) for ranks in (4096, 16384, 65536, 262144)),
    classical("bcast", "scatter_ring_allgather", 1024),
    classical("bcast", "double_tree", 2048, "64KiB", segment="1KiB"),
    *(classical("allgather", "ring", ranks) for ranks in (256, 1024, 2048)),
    classical("allgather", "bruck", 2048),
    classical("allgather", "recursive_doubling", 1024),
    *(classical("alltoall", "pairwise", ranks) for ranks in (64, 200, 256, 512, 1024)),
    classical("alltoall", "linear", 256),
    classical("alltoall", "linear", 1024),
    *(classical("alltoall", "bruck", ranks) for ranks in (512, 1024)),
    *(classical("allreduce", "ring", ranks, "1MiB") for ranks in (512, 1024)),
    *(classical("allreduce", "rabenseifner", ranks, "1MiB") for ranks in (1024, 2048, 4096)),
    *(classical("allreduce", "recursive_doubling", ranks) for ranks in (4096, 16384)),
    classical("reduce_scatter", "ring", 1024),
    classical("reduce_scatter", "circulant", 2048),
    classical("reduce", "chain", 1024, "64KiB", segment="64B"),
    classical("reduce", "binomial", 16384),
    *(classical("gather", "binomial", ranks) for ranks in (4096, 8192)),
    classical("scatter", "binomial", 4096),
    classical("barrier", "dissemination", 16384, "0B"),
    classical("scan", "recursive_doubling", 4096),
    isomorphic("isomorphic_alltoall", "torus", [32, 32]),
    isomorphic("isomorphic_allgather", "torus", [100, 100]),
    isomorphic("isomorphic_alltoall", "straightforward", [512, 512]),
    isomorphic("isomorphic_alltoall", "torus", [16, 16], "smpi"),
    classical("allgather", "ring", 64, engine="smpi"),
    classical("alltoall", "pairwise", 64, engine="smpi"),
    classical("alltoall", "linear", 512, engine="smpi"),
    classical("alltoall", "bruck", 512, engine="smpi"),
    classical("allreduce", "recursive_doubling", 256, engine="smpi"),
    classical("reduce", "binomial", 16384, engine="smpi"),
    classical("bcast", "binomial", 40000, engine="smpi"),
    classical("alltoall", "pairwise", 256, topology=FAT_TREE),
    classical("allgather", "ring", 256, topology=FAT_TREE),
    classical("alltoall", "linear", 256, machine={"timing": "flow"}),
    neighbor("neighbor_allgather", "naive", 1024, 0.1),
    neighbor("neighbor_allgather", "common_neighbors", 512, 0.1),
    neighbor("neighbor_alltoall", "naive", 2048, 0.05),
    groups(512, 512),
    exchange(1024, 32),
    composition([16], 1024),
]


def foretold(text):
    """The prediction of `rondo explain`: bytes, messages, and whether it says "at most" for the messages."""
    number, unit = re.search(r"about ([\d.]+) (MB|GB) of memory", text).groups()
    messages = re.search(r"(at most |about )?(\d+) messages? in all", text)
    size = float(number) * (1e9 if unit == "GB" else 1e6)
    return size, int(messages[2]), messages[1] == "at most "


def taken(rondo, file):
    """The bytes of the largest process of the run, and its messages."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([rondo, "run", "--quiet", "--format", "jsonl", file], stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        record = json.loads(out.read().decode().splitlines()[-1])
    if child.returncode != 0:
        sys.exit(f"foretold.py: {file}: exit {child.returncode}")
    return usage.ru_maxrss * 1024, record["messages"]


def main():
    rondo = os.path.abspath(sys.argv[1])
    # The limit is well above the largest case, and keeps a wrong case from using all memory of the machine.
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    outside = 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "s.json")
        for case in CASES:
            with open(file, "w", encoding="utf-8") as out:
                json.dump(case, out)
            said = foretold(subprocess.run([rondo, "explain", file], check=True, capture_output=True, text=True).stdout)
            took = taken(rondo, file)
            within = 0.5 <= took[0] / said[0] <= 2 and (0.5 <= took[1] / said[1] <= 2 or (said[2] and took[1] <= said[1]))
            outside += not within
            name = " ".join([case["collective"]["kind"], case["algorithm"], case["block"], case["engine"]])
            print(
                f"{name:50} MB said {said[0] / 1e6:6.0f} taken {took[0] / 1e6:6.0f}, messages said {said[1]:8} sent {took[1]:8}"
                + ("" if within else "  OUTSIDE"),
                flush=True,
            )
    print(f"foretold: {len(CASES)} scenarios, {outside} outside a factor of two")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
