#!/usr/bin/env python3
"""Writes a schedule between two groups on a torus, whose messages go to neighbors only and which has one port:

    analysis/torus_groups.py RONDO EXTENTS SENDING KIND           such as  torus_groups.py build/release/rondo 4,4,4 2 broadcast

The senders are the first SENDING places along the first dimension, with all places along the others; ranks are numbered row by
row. KIND is broadcast, both, gather, scatter or reduce.

broadcast: first each ring along the first dimension brings the blocks of its senders to its receivers, by ring_optimal. Then the
receivers gather along the other dimensions, one after the other, each by a ring: what a rank has got it passes on. both:
each group has the blocks of the other at the end: the rings along the first dimension pass all blocks on, and both groups gather.

With s senders on a ring of a ranks and extents b_1, ..., b_k this takes s + ceil((a-s)/2) - 1 + sum(b_i - 1) rounds (the first
terms q/2 + 1 for s = 1 and an even number q = a - s) and s*prod(b_i) + ceil((a-s)/2) - 1 blocks, of which each receiver has to
receive p = s*prod(b_i). both takes a - 1 + sum(b_i - 1) rounds and a - 1 + max(s, a-s)*(prod(b_i) - 1) blocks, of which
max(p, q) have to be received.

gather: the first receiver gets the blocks of all senders. They flow along the last dimension first, one behind the other, and
along the first dimension last. s + sum(b_i - 1) rounds and p + prod(b_i) - 1 blocks, of which the root has to receive p.
reduce: the same ways, on each of which a rank joins what comes with its own block: as many rounds, each of one block.
scatter: a gather backwards, from the last sender of the first column to all receivers: a - s + sum(b_i - 1) rounds, and
q + prod(b_i) - 1 blocks, of which the root has to send q.
"""

import itertools
import json
import math
import subprocess
import sys
import tempfile


class Torus:
    def __init__(self, extents):
        self.extents, self.ranks = extents, math.prod(extents)
        self.others = list(itertools.product(*(range(extent) for extent in extents[1:])))

    def rank(self, place):
        number = 0
        for coordinate, extent in zip(place, self.extents):
            number = number * extent + coordinate % extent
        return number


class Programs:
    """The rounds of all ranks. A block is the rank that it comes from; `place` says where a rank keeps it."""

    def __init__(self, torus, place):
        self.place = place
        self.rounds = [[] for _ in range(torus.ranks)]

    def add(self, messages):
        """A round of messages: triples of a source, a target and the blocks."""
        for rounds in self.rounds:
            rounds.append({"sends": [], "receives": []})
        for source, target, blocks in messages:
            self.rounds[source][-1]["sends"].append({"rank": target, "places": [self.place(source, block) for block in blocks]})
            self.rounds[target][-1]["receives"].append({"rank": source, "places": [self.place(target, block) for block in blocks]})


def ring_rounds(rondo, senders, receivers):
    """The messages of ring_optimal: for each round triples of a source, a target and the sender whose block it is."""
    scenario = {"schema_version": 1, "title": "a ring", "engine": "native", "algorithm": "ring_optimal", "block": "1B",
                "machine": {"topology": {"kind": "ring", "hosts": senders + receivers}, "latency": "1us", "bandwidth": "1GBps"},
                "collective": {"kind": "intergroup_allgather", "senders": senders, "receivers": receivers}}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(scenario, file)
        file.flush()
        exported = subprocess.run([rondo, "export", file.name, "--format", "json"], check=True, capture_output=True, text=True).stdout
    programs = [program for program in json.loads(exported)["programs"] for _ in program["ranks"]]
    held = [{("send", 0): r} for r in range(len(programs))]
    rounds = []
    for number in range(max(len(program["rounds"]) for program in programs)):
        sent, messages = {}, []
        for r, program in enumerate(programs):
            for send in program["rounds"][number]["sends"] if number < len(program["rounds"]) else []:
                sent[r, send["rank"]] = held[r][tuple(send["places"][0])]
                messages.append((r, send["rank"], sent[r, send["rank"]]))
        for r, program in enumerate(programs):
            for receive in program["rounds"][number]["receives"] if number < len(program["rounds"]) else []:
                held[r][tuple(receive["places"][0])] = sent[receive["rank"], r]
        rounds.append(messages)
    return rounds


def pass_all_on(torus, programs):
    """Along each ring of the first dimension every block comes to every rank."""
    extent = torus.extents[0]
    for step in range(1, extent):
        programs.add([(torus.rank((x, *other)), torus.rank((x + 1, *other)), [torus.rank((x - step + 1, *other))])
                      for x in range(extent) for other in torus.others])


def gather(torus, programs, groups):
    """Along the other dimensions, one after the other: rows of each group gather the blocks of the rows that it is owed."""
    for j in range(1, len(torus.extents)):
        for step in range(1, torus.extents[j]):
            messages = []
            for rows, owed in groups:
                for x, other in itertools.product(rows, torus.others):
                    at = (x, *other)
                    origins = [range(extent) for extent in torus.extents[1:j]] + [[at[j] - step + 1]] + [[c] for c in at[j + 1:]]
                    blocks = [torus.rank((row, *origin)) for row in owed for origin in itertools.product(*origins)]
                    messages.append((torus.rank(at), torus.rank((*at[:j], at[j] + 1, *at[j + 1:])), blocks))
            programs.add(messages)


def lines(torus, rows):
    """The lines of a gather, in turn: each a list of lists of ranks, the rank that gathers first."""
    for j in range(len(torus.extents) - 1, 0, -1):
        ends = itertools.product(rows[1:], *(range(extent) for extent in torus.extents[1:j]))
        yield [[torus.rank((*end, x, *(0 for _ in torus.extents[j + 1:]))) for x in range(torus.extents[j])] for end in ends]
    yield [[torus.rank((row, *(0 for _ in torus.extents[1:]))) for row in rows]]


def flow(torus, rows):
    """The rounds of a gather along these lines; rows[0] has the rank that gathers, the others what is gathered."""
    held = {rank: [rank] for rank in range(torus.ranks)}
    for parallel in lines(torus, rows):
        before = dict(held)
        for step in range(1, len(parallel[0])):
            yield [(line[x], line[x - 1], before[line[x + step - 1]]) for line in parallel for x in range(1, len(line) - step + 1)]
        for line in parallel:
            held[line[0]] = [block for rank in line for block in before[rank]]


def to_the_root(extents, sending, kind):
    torus = Torus(extents)
    p = sending * len(torus.others)
    inward = kind != "scatter"
    rows = [sending, *range(sending - 1, -1, -1)] if inward else range(sending - 1, extents[0])
    root = torus.rank((rows[0], *(0 for _ in extents[1:])))
    group = range(p) if inward else range(p, torus.ranks)
    first = {rank: i for i, rank in enumerate(group)}

    def place(rank, block):
        if rank == root:
            return ["receive" if inward else "send", first[block]]
        if rank == block:
            return ["send" if inward else "receive", 0]
        return ["intermediate", first[block]]

    programs = Programs(torus, place)
    rounds = list(flow(torus, rows))
    for messages in rounds if inward else reversed(rounds):
        programs.add(messages if inward else [(target, source, blocks) for source, target, blocks in messages])
    held = [[0] if rank in first else [] for rank in range(torus.ranks)]
    owed = [[] for _ in range(torus.ranks)]
    if inward:
        owed[root] = [[rank, 0] for rank in group]
    else:
        held = [list(range(len(group))) if rank == root else [] for rank in range(torus.ranks)]
        for rank, i in first.items():
            owed[rank] = [[root, i]]
    return written(torus, stated(held, owed), programs)


def reduce(extents, sending):
    """Along each line of a gather, from its far end, joined at each rank."""
    torus = Torus(extents)
    rows = [sending, *range(sending - 1, -1, -1)]
    root = torus.rank((sending, *(0 for _ in extents[1:])))
    programs = [[] for _ in range(torus.ranks)]
    for parallel in lines(torus, rows):
        for x in range(len(parallel[0]) - 1, 0, -1):
            for rounds in programs:
                rounds.append({"sends": [], "receives": []})
            for line in parallel:
                programs[line[x]][-1]["sends"].append({"rank": line[x - 1], "places": [["receive", 0]]})
                join = {} if line[x - 1] == root else {"join": "after"}
                programs[line[x - 1]][-1]["receives"].append({"rank": line[x], "places": [["receive", 0]], **join})
    p = sending * len(torus.others)
    held = [[0] if rank < p else [] for rank in range(torus.ranks)]
    owed = [[{"block": 0, "from": {"first": 0, "last": p - 1}}] if rank == root else [] for rank in range(torus.ranks)]
    result = written(torus, stated(held, owed), None, programs)
    for rank, program in enumerate(result["programs"]):
        program["buffers"] = {"send": {"slots": int(rank < p)}, "receive": {"slots": 1 if rank == root else 0},
                              "intermediate": {"slots": int(rank < p)}}
        if rank < p:
            program["copies"] = [[["send", 0], ["intermediate", 0]]]
        for transfer in (t for r in program["rounds"] for t in r["sends"] + r["receives"] if rank != root):
            transfer["places"] = [["intermediate", 0]]
    return result


def stated(held, owed):
    return {"format": "rondo-promise", "format_version": 1, "kind": "stated", "ranks": len(held), "held": held, "owed": owed}


def written(torus, promise, programs, rounds=None):
    """The file of a schedule. Buffers are as long as their places."""
    result = []
    for rank, own in enumerate(rounds or programs.rounds):
        slots = {"send": 0, "receive": 0, "intermediate": 0}
        for buffer, slot in (place for r in own for t in r["sends"] + r["receives"] for place in t["places"]):
            slots[buffer] = max(slots[buffer], slot + 1)
        if "held" in promise:
            slots["send"], slots["receive"] = len(promise["held"][rank]), len(promise["owed"][rank])
        result.append({"ranks": [rank], "buffers": {name: {"slots": number} for name, number in slots.items()}, "rounds": trimmed(own)})
    return {"format": "rondo-schedule", "format_version": 1, "ranks": torus.ranks, "torus": torus.extents,
            "promises": {"ports": 1, "links": "unit"}, "promise": promise, "programs": result}


def schedule(rondo, extents, sending, both):
    torus = Torus(extents)
    p, q = sending * len(torus.others), torus.ranks - sending * len(torus.others)
    groups = [(range(sending, extents[0]), range(sending))] + ([(range(sending), range(sending, extents[0]))] if both else [])

    def place(rank, block):
        if rank == block:
            return ["send", 0]
        if rank >= p > block or (both and rank < p <= block):
            return ["receive", block if rank >= p else block - p]
        return ["intermediate", block if rank < p else block - p]

    programs = Programs(torus, place)
    if both:
        pass_all_on(torus, programs)
    else:
        for messages in ring_rounds(rondo, sending, extents[0] - sending):
            programs.add([(torus.rank((source, *other)), torus.rank((target, *other)), [torus.rank((block, *other))])
                          for source, target, block in messages for other in torus.others])
    gather(torus, programs, groups)
    if both:
        owed = [[[b, 0] for b in range(p, p + q)]] * p + [[[a, 0] for a in range(p)]] * q
        promise = stated([[0]] * (p + q), owed)
    else:
        promise = {"kind": "intergroup_allgather", "senders": p, "receivers": q}
    return written(torus, promise, programs)


def trimmed(rounds):
    """Without the empty rounds at the end."""
    while rounds and not rounds[-1]["sends"] and not rounds[-1]["receives"]:
        rounds = rounds[:-1]
    return rounds


def main():
    rondo, extents, sending, kind = sys.argv[1], [int(extent) for extent in sys.argv[2].split(",")], int(sys.argv[3]), sys.argv[4]
    if not 0 < sending < extents[0]:
        sys.exit(f"torus_groups.py: expected from 1 to {extents[0] - 1} sending places, got {sending}")
    if kind in ("gather", "scatter"):
        result = to_the_root(extents, sending, kind)
    elif kind == "reduce":
        result = reduce(extents, sending)
    elif kind in ("broadcast", "both"):
        result = schedule(rondo, extents, sending, kind == "both")
    else:
        sys.exit(f"torus_groups.py: expected broadcast, both, gather, scatter or reduce, got {kind}")
    print(json.dumps(result, separators=(",", ":")))


if __name__ == "__main__":
    main()
