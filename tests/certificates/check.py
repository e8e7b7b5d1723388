#!/usr/bin/env python3
"""Checks a certificate of `rondo prove --certificate` without the prover: it shares no code with Rondo.

    check.py SCHEDULE CERTIFICATE [PROMISE]

Reads a schedule (rondo-schedule JSON), its promise (in it, or a file) and the certificate, which says what arrives in
each place. Each rank is then checked by itself: it begins with what it holds by the promise, gets what the certificate
says, must have what it sends, and must end with what it is owed. What one rank sends must be what the other one gets:
all that is sent and all that is received, each message with its ranks, its number between them, its round, bytes and
contents, have equal sums of SHA-256 modulo 2^256. Both ends are in one round: no rank waits for ever, and by induction
over the rounds what arrives is what the certificate says. Exit code 0: it holds; 1: it does not.
"""

import hashlib
import json
import math
import sys
from collections import Counter
from itertools import chain, product


def require(holds, *words):
    if not holds:
        raise ValueError(" ".join(str(word) for word in words))


class Algebra:
    """Contents are (block, spans): of ranks [first, end) in the order of joins, or sorted with how often each enters."""

    def __init__(self, ranks, ordered, idempotent):
        self.ranks, self.ordered, self.idempotent = ranks, ordered, idempotent

    def make(self, block, runs):
        """What ranks hold, in runs of (first, count) modulo p."""
        spans = []
        for first, count in runs:
            require(0 <= first < self.ranks and 0 < count <= self.ranks, "no run of ranks:", first, count)
            wraps = first + count > self.ranks
            spans += [(first, min(first + count, self.ranks), 1)] + [(0, first + count - self.ranks, 1)] * wraps
        return (block, self.normal(spans))

    def join(self, first, second):
        require(first[0] == second[0], "blocks", first[0], "and", second[0], "are joined")
        return (first[0], self.normal(first[1] + second[1]))

    def normal(self, spans):
        if len(spans) == 1:
            return tuple(spans)
        result = []
        if self.ordered:
            for first, end, _ in spans:
                if result and result[-1][1] == first:
                    first = result.pop()[0]
                result.append((first, end, 1))
            return tuple(result)
        change, height, start = Counter(), 0, 0
        for first, end, times in spans:
            change[first] += times
            change[end] -= times
        for place in sorted(place for place in change if change[place]):
            new = height + change[place]
            if not self.idempotent or (height == 0) != (new == 0):
                if height > 0:
                    result.append((start, place, 1 if self.idempotent else height))
                start = place
            height = new
        return tuple(result)


def own(rank, blocks=1):
    return [(block, [(rank, 1)]) for block in range(blocks)]


def add(extents, rank, offset, closed):
    """The rank at an offset on a torus; None past the end of a dimension that does not close."""
    result, stride = 0, 1
    for extent, move, closes in reversed(list(zip(extents, offset, closed))):
        at = rank // stride % extent + move
        if not closes and not 0 <= at < extent:
            return None
        result += at % extent * stride
        stride *= extent
    return result


class Promise:
    """What a rank holds and is owed: lists of (block, runs) by slot, None where a slot is nobody's."""

    def __init__(self, said):
        self.said, self.kind, self.root = said, said["kind"], said.get("root", 0)
        require(not said.get("same_bits"), "same_bits is not checked")
        family = next((k for k in ("held", "torus", "graph", "senders") if k in said), "all")
        p, self.held_whole, self.owed_whole = getattr(self, "of_" + family)(said)
        ordered = said.get("ordered", not said.get("commutative", True))
        self.algebra = Algebra(p, ordered, said.get("idempotent", self.kind == "barrier"))

    def cut(self, entry):
        pieces = self.said.get("pieces", 1)
        count = pieces if isinstance(pieces, int) or entry is None else pieces[entry[1][0][0]]
        return [None] if entry is None else [(entry[0] * count + k, entry[1]) for k in range(count)]

    def slots(self, entries):
        return enumerate(chain.from_iterable(map(self.cut, entries)))

    def offsets(self, hood, dimensions):
        kind, radii = hood["kind"], hood.get("radii", [hood.get("radius", 0)])
        reach = range(0 if kind == "octant" else -max(radii), max(radii) + 1)
        norm = {"von_neumann": lambda c: sum(map(abs, c)) <= radii[0], "shales": lambda c: max(map(abs, c)) in radii}
        within = (c for c in product(reach, repeat=dimensions) if any(c) and norm.get(kind, lambda c: True)(c))
        return hood["offsets"] if kind == "offsets" else list(within)

    def of_torus(self, said):
        extents, each = said["torus"], self.kind == "isomorphic_alltoall"
        closed, offsets = said.get("periodic", [True] * len(extents)), self.offsets(said["neighborhood"], len(extents))

        def owed(rank):
            sources = [add(extents, rank, [-c for c in offset], closed) for offset in offsets]
            return [None if s is None else (i if each else 0, [(s, 1)]) for i, s in enumerate(sources)]

        return math.prod(extents), lambda r: own(r, len(offsets) if each else 1), owed

    def edges_of(self, graph):
        if "torus" not in graph:
            require("edges" in graph, "the graph is not listed: write the promise out")
            return graph["ranks"], sorted(((e[0], e[1]) for e in graph["edges"]), key=lambda e: e[0])
        extents, p = graph["torus"], math.prod(graph["torus"])
        offsets, closed = self.offsets(graph, len(extents)), [True] * len(extents)
        edges = [(r, add(extents, r, offset, closed)) for r in range(p) for offset in offsets]
        return p, edges if "offsets" in graph else [e for e in dict.fromkeys(edges) if e[0] != e[1]]

    def of_graph(self, said):
        p, edges = self.edges_of(said["graph"])
        if self.kind[7:] in ("bcast", "scatter", "gather", "reduce"):
            edges = [e for e in edges if e[self.kind[7:] in ("gather", "reduce")] == self.root]
        if self.kind in ("sparse_bcast", "sparse_barrier"):
            edges = list(dict.fromkeys(edges))
        each, joins = self.kind in ("neighbor_alltoall", "sparse_scatter"), self.kind.endswith("reduce")
        targets, sources = Counter(), [[] for _ in range(p)]
        for source, target in edges:
            sources[target].append((targets[source] if each else 0, [(source, 1)]))
            targets[source] += 1
        joined = lambda r: [(0, [run for _, (run,) in sources[r]])] if sources[r] else []
        return p, lambda r: own(r, targets[r] if each else 1), joined if joins else sources.__getitem__

    def of_senders(self, said):
        senders = said["senders"]
        gathered = [own(s)[0] for s in range(senders)]
        return senders + said["receivers"], lambda r: own(r, r < senders), lambda r: gathered if r >= senders else []

    def of_held(self, said):
        def entry(rank, block):
            if not isinstance(block, dict):
                origin, number = block if isinstance(block, list) else (rank, block)
                return None if block is None else (number, [(origin, 1)])
            ranks = {"first": 0, "last": said["ranks"] - 1} if block["from"] == "all" else block["from"]
            if isinstance(ranks, list):
                return (block["block"], [(r, 1) for r in ranks])
            return (block["block"], [(ranks["first"], ranks["last"] - ranks["first"] + 1)])

        return (said["ranks"], lambda r: [entry(r, block) for block in said["held"][r]],
                lambda r: [entry(r, block) for block in said["owed"][r]])

    def of_all(self, said):
        kind, p, root, everything = self.kind, said["ranks"], self.root, [(0, [(0, said["ranks"])])]
        gathered = [own(s)[0] for s in range(p)] if "gather" in kind else []
        held = {"bcast": lambda r: own(r, r == root), "scatter": lambda r: own(r, p * (r == root)),
                "alltoall": lambda r: own(r, p), "reduce_scatter": lambda r: own(r, p)}.get(kind, own)
        owed = {"bcast": lambda r: own(root, r != root), "gather": lambda r: gathered if r == root else [],
                "scatter": lambda r: [(r, [(root, 1)])], "allgather": lambda r: gathered,
                "alltoall": lambda r: [(r, [(s, 1)]) for s in range(p)], "reduce_scatter": lambda r: [(r, [(0, p)])],
                "reduce": lambda r: everything if r == root else [], "scan": lambda r: [(0, [(0, r + 1)])],
                "exscan": lambda r: [(0, [(0, r)])] if r else []}.get(kind, lambda r: everything)
        return p, held, owed


def programs_of(file):
    """The head of a schedule and its programs one by one: each on a line of its own as Rondo writes them, or not."""
    first, second = file.readline().rstrip(), file.readline().rstrip()
    if first.endswith(",") and second == '"programs":[':
        lines = (line.rstrip().rstrip(",") for line in file)
        return json.loads(first[:-1] + "}"), (json.loads(line) for line in lines if line.startswith("{"))
    file.seek(0)
    return (whole := json.load(file)), whole["programs"]


class Replay:
    def __init__(self, head, promise, rank, program, arrives):
        self.head, self.promise, self.me, self.program, self.algebra = head, promise, rank, program, promise.algebra
        self.arrives, self.cells, self.sizes, self.sum = iter(arrives), {}, {}, 0
        self.sent, self.received = Counter(), Counter()
        for name, buffer in program.get("buffers", {}).items():
            sizes = buffer.get("bytes", [head.get("block_bytes", 1)] * buffer["slots"])
            self.sizes.update({(name, slot): size for slot, size in enumerate(sizes)})
        for slot, content in promise.slots(promise.held_whole(rank)):
            self.cells[self.place(("send", slot))] = self.algebra.make(*content)

    def require(self, holds, *words):
        require(holds, "rank", self.me, *words)

    def place(self, place):
        self.require(tuple(place) in self.sizes, "has no place", place)
        return tuple(place)

    def content(self, place):
        self.require(place in self.cells, "reads", place, "where nothing lies")
        return self.cells[place]

    def put(self, place, content, join=None):
        self.require(place[0] != "send", "writes into its send buffer")
        if join:
            both = (content, self.content(place)) if join == "before" else (self.content(place), content)
            content = self.algebra.join(*both)
        self.cells[place] = content

    def peer(self, transfer):
        torus = self.head.get("torus")
        peer = transfer["rank"] if "rank" in transfer else add(torus, self.me, transfer["offset"], [True] * len(torus))
        self.require(0 <= peer < self.algebra.ranks and peer != self.me, "has no partner", peer)
        return peer

    def message(self, sign, ends, number, number_of_round, places, contents):
        words = repr((ends, number, number_of_round, sum(self.sizes[place] for place in places), contents))
        self.sum += sign * int.from_bytes(hashlib.sha256(words.encode()).digest(), "big")

    def arriving(self):
        label = next(self.arrives, None)
        self.require(label, "gets less by the certificate than by the schedule")
        return self.algebra.make(label[0], [(label[1], 1)] if len(label) == 2 else zip(label[1::2], label[2::2]))

    def copies(self, copies):
        for source, target, *join in copies:
            self.put(self.place(target), self.content(self.place(source)), *join)

    def run(self):
        self.copies(self.program.get("copies", []))
        for number, actions in enumerate(self.program.get("rounds", []), 1):
            self.round(number, actions.get("sends", []), actions.get("receives", []))
            self.copies(actions.get("copies", []))
        self.require(next(self.arrives, None) is None, "gets more by the certificate than by the schedule")
        for slot, owed in self.promise.slots(self.promise.owed_whole(self.me)):
            right = owed is None or self.cells.get(("receive", slot)) == self.algebra.make(*owed)
            self.require(right, "is owed another content in receive slot", slot)
        return self.sum

    def round(self, number, sends, receives):
        ports = self.head.get("promises", {}).get("ports", 0)
        self.require(not ports or max(len(sends), len(receives)) <= ports, "uses more ports than are promised")
        read, stored, joined = set(), {}, []
        for send in sends:
            peer, places = self.peer(send), [self.place(place) for place in send["places"]]
            read.update(places)
            self.sent[peer] += 1
            self.message(1, (self.me, peer), self.sent[peer], number, places, [self.content(place) for place in places])
        for receive in receives:
            peer, places = self.peer(receive), [self.place(place) for place in receive["places"]]
            contents = [self.arriving() for _ in places]
            self.received[peer] += 1
            self.message(-1, (peer, self.me), self.received[peer], number, places, contents)
            for place, content in zip(places, contents):
                free = "join" in receive or place not in stored and place not in read
                self.require(free, "receives twice, or while it is sent, into", place)
                if "join" in receive:
                    joined.append((place, content, receive["join"]))
                else:
                    stored[place] = content
        for entry in chain(stored.items(), joined):
            self.put(*entry)


def check(schedule, certificate, promise_file=None):
    with open(schedule, encoding="utf-8") as file, open(certificate, encoding="utf-8") as arrivals:
        said = json.loads(arrivals.readline())
        require(said.get("format") == "rondo-certificate" and said.get("format_version") == 1, "no certificate")
        head, programs = programs_of(file)
        promise = json.load(open(promise_file, encoding="utf-8")) if promise_file else head.get("promise")
        require(isinstance(promise, dict), "no promise")
        promise, total, lines, seen = Promise(promise), 0, {}, set()
        p = promise.algebra.ranks
        require(head.get("ranks", p) == p, "the ranks of the schedule are not those of the promise")
        for program in programs:
            for rank in range(p) if program["ranks"] == "all" else program["ranks"]:
                require(rank in range(p) and rank not in seen, "rank", rank, "follows two programs, or is none")
                seen.add(rank)
                while rank not in lines:
                    require(line := arrivals.readline(), "the certificate has no line of rank", rank)
                    entry = json.loads(line)
                    lines[entry["rank"]] = entry["arrives"]
                total += Replay(head, promise, rank, program, lines.pop(rank)).run()
        require(len(seen) == p, "ranks without a program")
        require(total % (1 << 256) == 0, "what is sent is not what is received")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    try:
        check(*sys.argv[1:])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        sys.exit(f"{sys.argv[2]}: refused: {error}")
    print(f"{sys.argv[2]}: holds")
