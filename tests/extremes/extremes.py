#!/usr/bin/env python3
"""Runs small scenarios with each key at extreme values: extremes.py RONDO [--pairs] [--only BASE] [--part I/N].

Each key gets the largest and smallest values that its reader accepts; with --pairs two keys get them together. A run
must end with a right record or with an error of one line. It must not crash. No number of a record may be negative,
infinite or NaN. Messages with bytes must take time, and no time may be below a lower bound. Prints the runs that fail.
Exit code 1 if there is one."""

import argparse
import itertools
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SIZES = ["0B", "1B", "1099511627776B", "4611686018427387904B", "9223372036854775807B"]
TIMES = ["0s", "1ps", "1000000000000s"]
BANDWIDTHS = ["1bps", "1e300Bps", "1e-300Bps"]
COUNTS = [0, 1, 2, 1000000, 16777216, 2147483647, 9223372036854775807]
PER_BYTE = ["0s/B", "1ps/B", "1000000000000s/B"]
SEEDS = [0, 9223372036854775807]

WIRED = {
    "/machine/latency": TIMES, "/machine/hop_latency": TIMES, "/machine/bandwidth": BANDWIDTHS, "/machine/ports": COUNTS,
    "/machine/envelope": SIZES, "/machine/poll": TIMES, "/machine/intra_latency": TIMES,
    "/machine/intra_bandwidth": BANDWIDTHS, "/machine/link_bandwidth": BANDWIDTHS, "/machine/ranks_per_host": COUNTS,
    "/machine/routing_seed": SEEDS, "/machine/links": ["shared"],
    "/machine/pieces": [[{"up_to": size, "latency": time, "bandwidth": rate}]
                        for size in SIZES for time, rate in (("0s", "1e300Bps"), ("1000000000000s", "1e-300Bps"))],
}
FLOW = {
    "/machine/flow/o_send": TIMES, "/machine/flow/o_recv": TIMES, "/machine/flow/match": TIMES, "/machine/flow/eager": SIZES,
    "/machine/reduce": PER_BYTE,
}
LOGGP = {
    "/machine/loggp/L": TIMES, "/machine/loggp/o": TIMES, "/machine/loggp/g": TIMES, "/machine/loggp/G": PER_BYTE,
    "/machine/loggp/O": PER_BYTE, "/machine/loggp/S": SIZES,
}
COMMON = {"/block": SIZES, "/seed": SEEDS, "/posting": ["random"]}


def machine(**more):
    return {"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps", **more}


def scenario(collective, algorithm, the_machine, **more):
    return {"machine": the_machine, "collective": collective, "algorithm": algorithm, "block": "1kB", "engine": "native", **more}


def classical(kind, algorithm, the_machine):
    return scenario({"kind": kind, "ranks": 4}, algorithm, the_machine)


RING = {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"}
SHAPES = {"/machine/topology/hosts": COUNTS, "/collective/ranks": COUNTS, "/collective/segment": SIZES, "/collective/root": COUNTS,
          "/collective/block_sizes": ["m*1e12", "9e18", "m^9", [size for size in SIZES[1:]], ["1099511627776B"] * 4]}

GOAL_SIZES = [0, 1, 2**31 - 1, 2**40, 2**62, 2**63 - 1, 2**63, 2**64]


def goal(size, calc):
    return f"num_ranks 2\nrank 0 {{\nl1: send {size}b to 1\nl2: calc {calc}\nl2 requires l1\nl3: send {size}b to 1 tag 1\n}}\n" \
           f"rank 1 {{\nl1: recv {size}b from 0\nl2: recv {size}b from 0 tag 1\nl3: calc {calc}\nl3 requires l1\n}}\n"


XML = """<algo name="x" proto="Simple" nchannels="1" nchunksperloop="{chunks}" ngpus="2" coll="allgather" inplace="0">
<gpu id="0" i_chunks="{half}" o_chunks="{chunks}" s_chunks="0"><tb id="0" send="1" recv="-1" chan="0">
<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="{count}" depid="-1" deps="-1" hasdep="0"/></tb></gpu>
<gpu id="1" i_chunks="{half}" o_chunks="{chunks}" s_chunks="0"><tb id="0" send="-1" recv="0" chan="0">
<step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="{count}" depid="-1" deps="-1" hasdep="0"/></tb></gpu></algo>
"""


def bases():
    """Triples of a name, a scenario and the keys with their extreme values. Each reader has such a scenario."""
    wired = {**COMMON, **WIRED}
    flow = machine(timing="flow", flow={"o_send": "100ns", "o_recv": "100ns"})
    loggp = {"topology": {"kind": "fully_connected", "hosts": 4}, "timing": "loggp",
             "loggp": {"L": "1us", "o": "1us", "g": "1us", "G": "1ns/B"}}
    yield "ring", classical("allgather", "ring", RING), {**wired, **SHAPES}
    yield "pipeline", classical("bcast", "pipeline", machine()), {**wired, **SHAPES}
    yield "alltoall", classical("alltoall", "pairwise", machine()), {**wired, **SHAPES}
    yield "allreduce", classical("allreduce", "rabenseifner", flow), {**wired, **FLOW, **SHAPES}
    yield "loggp", classical("allreduce", "ring", loggp), {**COMMON, **LOGGP, **SHAPES}
    yield "isomorphic", scenario(
        {"kind": "isomorphic_alltoall", "torus": [2, 2], "neighborhood": {"kind": "offsets", "offsets": [[1, 0], [1, 1]]}}, "torus",
        {"topology": {"kind": "torus", "dims": [2, 2]}, "latency": "1us", "bandwidth": "1GBps"}), {
            **wired, "/collective/torus": [[2**24, 2**24], [2**31 - 1] * 3, [2] * 63], "/machine/topology/dims": [[2**24, 2**24], [2**31 - 1] * 3],
            "/collective/neighborhood/offsets": [[[2**31 - 1, 1]], [[-2**20, 2**20]], [[2**63 - 1, 0]]],
            "/collective/block_sizes": ["m*1e12", "9e18", ["9223372036854775807B", "1B"]]}
    yield "intergroup", scenario({"kind": "intergroup_allgather", "senders": 2, "receivers": 2}, "root_gathering", machine()), {
        **wired, "/collective/senders": COUNTS, "/collective/receivers": COUNTS, "/collective/block_sizes": ["m*1e12", ["1099511627776B"] * 2]}
    yield "neighbor", scenario({"kind": "neighbor_alltoall", "graph": {"kind": "edges", "ranks": 4, "edges": [[0, 1], [1, 2, 3]]}}, "naive", machine()), {
        **wired, "/collective/graph/ranks": COUNTS, "/collective/theta": COUNTS,
        "/collective/graph/edges": [[[0, 1, 1e308], [1, 2, -1e308]], [[2**63 - 1, 0]]], "/collective/block_sizes": ["m*w", "w", "m*1e12"]}
    yield "dragonfly", classical("allgather", "ring", {"topology": {"kind": "dragonfly", "groups": 2, "chassis": 1, "routers": 2, "hosts_per_router": 1},
                                                       "latency": "1us", "bandwidth": "1GBps", "routing": "ugal", "links": "shared"}), {
        **wired, **{f"/machine/topology/{key}": COUNTS for key in ("groups", "chassis", "routers", "hosts_per_router")},
        "/machine/topology/cables": [[2**31 - 1] * 3, [0, 0, 0]]}
    yield "fat_tree", classical("allgather", "ring", {"topology": {"kind": "fat_tree", "down": [2, 2], "up": [1, 2]}, "latency": "1us",
                                                      "bandwidth": "1GBps", "links": "shared"}), {
        **wired, "/machine/topology/down": [[2**31 - 1] * 2, [2**16, 2**16]], "/machine/topology/up": [[2**31 - 1] * 2, [1, 2**31 - 1]],
        "/machine/topology/parallel": [[2**31 - 1] * 2]}
    for size, calc in itertools.product(GOAL_SIZES, GOAL_SIZES):
        file = f"s{size}-{calc}.goal"
        yield f"goal of {size} B and calc {calc}", {"machine": machine(), "collective": {"kind": "custom", "schedule": file, "ranks": 2}, "engine": "native"}, {
            key: WIRED[key] for key in ("/machine/envelope", "/machine/latency", "/machine/bandwidth")}
    for count in (1, 2**31 - 1, 2**32, 2**62):
        file = f"x{count}.xml"
        yield f"MSCCL XML of {count} chunks", {"machine": machine(), "collective": {"kind": "custom", "schedule": file, "ranks": 2},
                                              "block": "1kB", "engine": "native"}, {key: {**WIRED, **COMMON}[key] for key in ("/machine/envelope", "/block")}


def put(document, pointer, value):
    keys = pointer.split("/")[1:]
    for key in keys[:-1]:
        document = document.setdefault(key, {})
    document[keys[-1]] = value


def variants(keys, pairs):
    """The changes of one key, or of two."""
    single = [((key, value),) for key, values in keys.items() for value in values]
    yield from single
    if pairs:
        yield from ((a, b) for (a,), (b,) in itertools.combinations(single, 2) if a[0] != b[0])


def faults_of(record):
    """The faults of a record."""
    def numbers(name, value):
        if isinstance(value, dict) and name != "expanded" and name != "swept":
            for key, each in value.items():
                yield from numbers(f"{name}.{key}", each)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield name, value
    for name, value in numbers("", record):
        if not math.isfinite(value) or value < 0:
            yield f"{name} = {value}"
    if record["error"] is not None:
        return
    time = record["time_s"]
    if time is None:
        yield "no time, and no error"
    elif time == 0 and record["messages"] and record["volume_bytes"] and record["expanded"]["machine"].get("timing") != "loggp":
        yield "0 s for messages of bytes"
    else:
        for name, bound in (("bound", record["bound"]["time_s"]), ("load", record["load_time_s"])):
            if bound is not None and time < bound * (1 - 1e-9):
                yield f"{time} s, below the {name} of {bound} s"


def limited():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def judge(rondo, folder, name, document, number):
    file = folder / f"{number}.json"
    file.write_text(json.dumps(document))
    try:
        ran = subprocess.run([rondo, "run", "--quiet", "--format", "jsonl", "--timeout", "20s", file], capture_output=True, text=True,
                             timeout=120, preexec_fn=limited, cwd=folder)
    except subprocess.TimeoutExpired:
        return [f"{name}: no end"]
    finally:
        file.unlink()
    faults = []
    if ran.returncode not in (0, 2, 3):
        faults.append(f"exit {ran.returncode}: {ran.stderr[-200:]}")
    if ran.returncode == 2 and ran.stderr.count("\n") != 1:
        faults.append(f"an error of {ran.stderr.count(chr(10))} lines: {ran.stderr[:300]}")
    for sign in ("a bug of rondo", "runtime error", "crash", "terminate", "nan", "inf "):
        if sign in ran.stderr or (sign != "nan" and sign != "inf " and sign in ran.stdout):
            faults.append(f"\"{sign}\": {ran.stderr[-300:]}{ran.stdout[-300:] if sign in ran.stdout else ''}")
    for line in ran.stdout.splitlines():
        record = json.loads(line)
        faults += faults_of(record)
    return [f"{name}: {fault}" for fault in faults]


def main():
    words = argparse.ArgumentParser()
    words.add_argument("rondo")
    words.add_argument("--pairs", action="store_true")
    words.add_argument("--only", default="")
    words.add_argument("--part", default="1/1")
    options = words.parse_args()
    part, of = (int(each) for each in options.part.split("/"))
    rondo = os.path.abspath(options.rondo)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for size, calc in itertools.product(GOAL_SIZES, GOAL_SIZES):
            (folder / f"s{size}-{calc}.goal").write_text(goal(size, calc))
        for count in (1, 2**31 - 1, 2**32, 2**62):
            (folder / f"x{count}.xml").write_text(XML.format(chunks=2 * count, half=count, count=count))
        work = []
        for base, document, keys in bases():
            if not base.startswith(options.only):
                continue
            for changes in variants(keys, options.pairs):
                changed = json.loads(json.dumps(document))
                for pointer, value in changes:
                    put(changed, pointer, value)
                work.append((f"{base}, {', '.join(f'{pointer} = {json.dumps(value)}' for pointer, value in changes)}", changed))
        work = work[part - 1::of]
        with ThreadPoolExecutor(2) as pool:
            found = pool.map(lambda numbered: judge(rondo, folder, *numbered[1], numbered[0]), enumerate(work))
            faults = [fault for each in found for fault in each]
    for fault in faults:
        print(fault)
    print(f"{len(work)} runs, {len(faults)} faults", file=sys.stderr)
    return 1 if faults or not work else 0


if __name__ == "__main__":
    sys.exit(main())
