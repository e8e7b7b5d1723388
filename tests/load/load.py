#!/usr/bin/env python3
"""Tests that large inputs are read completely: load.py RONDO [FRACTION].

It generates each input, runs rondo on it, and compares the result with the content of the input. For each input it
prints the seconds and the largest memory of the process. The last line is "load: 8 loads held, 0 failed". FRACTION
(default 1) scales all inputs, for a quick test. Exit code 1 if one fails.
"""

import json
import os
import sys
import tempfile
import time

RONDO = os.path.abspath(sys.argv[1])
FRACTION = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
MACHINE = {"topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"}


def scaled(count):
    return max(10, round(count * FRACTION))


def whole(path):
    """The text of a file; empty if the file does not exist."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


class Ran:
    """A run of rondo: its exit code, output, seconds and largest memory in MB."""

    def __init__(self, *words):
        begin = time.monotonic()
        child = os.fork()
        if child == 0:
            for stream, name in ((1, "out"), (2, "err")):
                os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
            os.execv(RONDO, [RONDO, *words])
        _, status, used = os.wait4(child, 0)
        self.code = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - begin
        self.megabytes = used.ru_maxrss / 1024
        self.out, self.err = whole("out"), whole("err")


def messages(ran):
    """The number of messages in the printed record; None if the run failed."""
    return json.loads(ran.out)["messages"] if ran.code == 0 else None


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


def scenario(name, **members):
    return write(name, json.dumps({"machine": MACHINE, "engine": "native", **members}))


RING = {"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "offsets", "offsets": [[1], [2], [3]]}}


def a_sweep():
    """A sweep of many points. Its records must be in the order of the points."""
    points = scaled(50000)
    scenario("s.json", collective=RING, algorithm="torus", block="1B", sweep={"/block": [f"{b}B" for b in range(1, points + 1)]})
    ran = Ran("run", "--quiet", "--jobs", "2", "--format", "jsonl", "--output", "r.jsonl", "s.json")
    blocks = [json.loads(line)["block_bytes"] for line in whole("r.jsonl").splitlines()]
    return f"sweep of {points} points", ran, ran.code == 0 and blocks == list(range(1, points + 1))


def its_report():
    """A report of the first 10000 records of the sweep, which is the largest number in a report."""
    write("some.jsonl", "".join(whole("r.jsonl").splitlines(keepends=True)[:10000]))
    ran = Ran("report", "--output", "r.html", "some.jsonl")
    return "report of the first 10000 records", ran, ran.code == 0 and "</html>" in whole("r.html")


def its_shards():
    """Sixteen shards of a sweep. Their merge must have every point once."""
    points = scaled(2000)
    scenario("t.json", collective=RING, algorithm="torus", block="1B", sweep={"/block": [f"{b}B" for b in range(1, points + 1)]})
    shards = [f"part{i}.jsonl" for i in range(1, 17)]
    for i, shard in enumerate(shards, 1):
        if Ran("run", "--quiet", "--shard", f"{i}/16", "--output", shard, "t.json").code != 0:
            return "shards", None, False
    ran = Ran("merge", *shards, "--output", "all.jsonl")
    blocks = [json.loads(line)["block_bytes"] for line in whole("all.jsonl").splitlines()]
    return f"merge of 16 shards of {points} points", ran, ran.code == 0 and sorted(blocks) == list(range(1, points + 1))


def claims():
    """A scenario with many claims, all of which hold."""
    count = scaled(100000)
    expected = [{"claim": f"claim {i}", "that": f"torus.rounds + {i} > {i}"} for i in range(count)]
    scenario("c.json", collective=RING, algorithm="torus", block="1B", expect=expected)
    ran = Ran("check", "--quiet", "--junit", "c.xml", "c.json")
    return f"check of {count} claims", ran, ran.code == 0 and whole("c.xml").count("<testcase") == count


def a_graph():
    """A graph file with many edges, a ring with chords. Each edge is a message."""
    ranks, degree = scaled(20000), 5 if FRACTION < 1 else 50
    write("g.txt", "".join(f"{r} {(r + d) % ranks}\n" for r in range(ranks) for d in range(1, degree + 1)))
    machine = {**MACHINE, "topology": {"kind": "fully_connected", "hosts": ranks}}
    collective = {"kind": "neighbor_alltoall", "graph": {"kind": "edges", "ranks": ranks, "path": "g.txt"}}
    scenario("g.json", machine=machine, collective=collective, algorithm="naive", block="1B")
    ran = Ran("run", "--quiet", "--format", "jsonl", "g.json")
    return f"graph file of {ranks * degree} edges", ran, messages(ran) == ranks * degree


def goal():
    """A GOAL text in which each rank sends many messages to the next one."""
    ranks, each = 8, scaled(64000)
    with open("g.goal", "w", encoding="utf-8") as file:
        file.write(f"num_ranks {ranks}\n")
        for rank in range(ranks):
            file.write(f"rank {rank} {{\n")
            for i in range(each):
                file.write(f"l{2 * i}: send 8b to {(rank + 1) % ranks} tag {i}\n")
                file.write(f"l{2 * i + 1}: recv 8b from {(rank - 1) % ranks} tag {i}\n")
            file.write("}\n")
    write("m.json", json.dumps(MACHINE))
    ran = Ran("run", "--quiet", "--machine", "m.json", "--engine", "native", "--format", "jsonl", "g.goal")
    return f"GOAL of {ranks * each} messages", ran, messages(ran) == ranks * each


def schedule():
    """A schedule in JSON: a broadcast of many blocks along a chain, with a message for each block."""
    ranks, blocks = 3, scaled(300000)
    hops = [{"rank": 1, "places": [["send", b]]} for b in range(blocks)]
    through = [{"rank": 0, "places": [["receive", b]]} for b in range(blocks)]
    on = [{"rank": 2, "places": [["receive", b]]} for b in range(blocks)]
    last = [{"rank": 1, "places": [["receive", b]]} for b in range(blocks)]
    held, owed = list(range(blocks)), [[0, b] for b in range(blocks)]
    write("x.json", json.dumps({
        "format": "rondo-schedule", "ranks": ranks,
        "promise": {"kind": "stated", "ranks": ranks, "held": [held, [], []], "owed": [[], owed, owed]},
        "programs": [
            {"ranks": [0], "buffers": {"send": {"slots": blocks}}, "rounds": [{"sends": hops}]},
            {"ranks": [1], "buffers": {"receive": {"slots": blocks}}, "rounds": [{"receives": through}, {"sends": on}]},
            {"ranks": [2], "buffers": {"receive": {"slots": blocks}}, "rounds": [{}, {"receives": last}]}]}))
    ran = Ran("prove", "x.json")
    return f"schedule of {2 * blocks} messages", ran, ran.code == 0 and f"{2 * blocks} moves" in ran.out


def msccl():
    """MSCCL XML with many steps: two GPUs exchange their chunks one by one."""
    chunks = scaled(250000)

    def gpu(rank):
        peer = 1 - rank
        sends = "".join(f'<step s="{i}" type="s" srcbuf="i" srcoff="{i}" dstbuf="o" dstoff="{rank * chunks + i}" cnt="1" '
                        'depid="-1" deps="-1" hasdep="0"/>' for i in range(chunks))
        receives = "".join(f'<step s="{i}" type="r" srcbuf="i" srcoff="{i}" dstbuf="o" dstoff="{peer * chunks + i}" '
                           'cnt="1" depid="-1" deps="-1" hasdep="0"/>' for i in range(chunks))
        copy = (f'<step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="{rank * chunks}" cnt="{chunks}" '
                'depid="-1" deps="-1" hasdep="0"/>')
        return (f'<gpu id="{rank}" i_chunks="{chunks}" o_chunks="{2 * chunks}" s_chunks="0">'
                f'<tb id="0" send="{peer}" recv="-1" chan="0">{sends}</tb>'
                f'<tb id="1" send="-1" recv="{peer}" chan="0">{receives}</tb>'
                f'<tb id="2" send="-1" recv="-1" chan="0">{copy}</tb></gpu>')

    write("x.xml", f'<algo name="x" proto="Simple" nchannels="1" nchunksperloop="{2 * chunks}" ngpus="2" coll="allgather" '
                   f'inplace="0">{gpu(0)}{gpu(1)}</algo>')
    ran = Ran("prove", "x.xml")
    return f"MSCCL XML of {4 * chunks + 2} steps", ran, ran.code == 0


def main():
    loads = (a_sweep, its_report, its_shards, claims, a_graph, goal, schedule, msccl)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for load in loads:
            name, ran, good = load()
            figures = f"{ran.seconds:.1f} s, {ran.megabytes:.0f} MB" if ran else "no figures"
            print(f"{name}: {figures}{'' if good else ', FAILED'}", flush=True)
            if not good:
                failed += 1
                print((ran.err or ran.out)[:400] if ran else "", file=sys.stderr)
        os.chdir("/")
    print(f"load: {len(loads) - failed} loads held, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
