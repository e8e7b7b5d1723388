"""Promises of collectives and the contents that places hold, for check.py. It shares no code with Rondo.

A content is a pair. The first member is the list of its spans. The span (block, first, end, times) says that each rank
of [first, end) contributes this block so many times. Spans have the order of the joins if the promise is `ordered`.
Otherwise they are sorted. The second member says how the content was made, if the promise asks for the same bits:
(block, rank) for an original block, or the number of a join. Otherwise it is None.
"""

import ast
import json
import math
import operator
import os
import re
from collections import defaultdict
from itertools import product

MOST_RANKS = 1 << 24


def require(holds, *words):
    if not holds:
        raise ValueError(" ".join(str(word) for word in words))


def integer(value, least, most, what):
    """The value, which must be an integer of JSON in a range. true and 1.0 are refused."""
    require(type(value) is int and least <= value <= most, what, "is no integer from", least, "to", most, ":", value)
    return value


def known_keys(value, keys, what):
    require(type(value) is dict, what, "is no object")
    if not value.keys() <= keys:
        raise ValueError(f"{what} has keys that nobody knows: {value.keys() - keys}")
    return value


def listed(value, what, length=None):
    require(type(value) is list and length in (None, len(value)), what, "is no list of that length")
    return value


def flag(value, what):
    require(type(value) is bool, what, "is neither true nor false")
    return value


def without_duplicates(pairs):
    result = dict(pairs)
    require(len(result) == len(pairs), "a key stands twice in one object")
    return result


def no_constant(name):
    raise ValueError(name + " is no number of JSON")


DECODER = json.JSONDecoder(object_pairs_hook=without_duplicates, parse_constant=no_constant)
COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)


def loads(text):
    """The value of a JSON text. Rondo allows comments in it."""
    if "/" in text:
        text = COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else " ", text)
    return DECODER.decode(text)


def load(path):
    with open(path, encoding="utf-8") as file:
        return loads(file.read())


class Algebra:
    """Joins contents by the rules of a promise."""

    def __init__(self, ranks, ordered, same_bits, idempotent):
        self.ranks, self.ordered, self.same_bits, self.idempotent = ranks, ordered, same_bits, idempotent
        self.numbers, self.made = {}, []  # joins, if the same bits are promised: numbers by operands, and contents

    def block(self, block, rank):
        return (((block, rank, rank + 1, 1),), (block, rank) if self.same_bits else None)

    def reduction(self, runs):
        """The spans of runs of ranks. A run is (block, first rank, number of ranks modulo p, times)."""
        spans = []
        for block, first, count, times in runs:
            integer(block, 0, (1 << 32) - 1, "a block")
            integer(first, 0, self.ranks - 1, "the first rank of a run")
            integer(count, 1, self.ranks, "the ranks of a run")
            integer(times, 1, 1 if self.ordered else 1 << 64, "how often contributions enter")
            spans.append((block, first, min(first + count, self.ranks), times))
            if first + count > self.ranks:
                spans.append((block, 0, first + count - self.ranks, times))
        return self.normal(spans)

    def join(self, first, second):
        made = None
        if self.same_bits:
            operands = (first[1], second[1])
            key = operands if self.ordered else tuple(sorted(operands, key=repr))
            made = self.numbers.get(key)
            if made is None:
                made = self.numbers[key] = len(self.made)
                self.made.append(self.normal(first[0] + second[0]))
            return (self.made[made], made)
        return (self.normal(first[0] + second[0]), made)

    def normal(self, spans):
        if len(spans) == 1 and (spans[0][3] == 1 or not self.idempotent):
            return tuple(spans)
        if len(spans) == 2 and not self.ordered:
            first, second = sorted(spans)
            if first[0] == second[0] and first[2] == second[1] and first[3] == second[3] == 1:
                return ((first[0], first[1], second[2], 1),)
        return self.in_order(spans) if self.ordered else self.counted(spans)

    @staticmethod
    def in_order(spans):
        result = []
        for block, first, end, _ in spans:
            if result and result[-1][0] == block and result[-1][2] == first:
                first = result.pop()[1]
            result.append((block, first, end, 1))
        return tuple(result)

    def counted(self, spans):
        change = defaultdict(int)
        for block, first, end, times in spans:
            change[block, first] += times
            change[block, end] -= times
        result, height, start = [], 0, None
        for block, place in sorted(key for key in change if change[key]):
            new = height + change[block, place]
            if not self.idempotent or (height == 0) != (new == 0):
                if height > 0:
                    result.append((block, start, place, 1 if self.idempotent else height))
                start = place
            height = new
        return tuple(result)


def add(extents, rank, offset, closed):
    """The rank at an offset on a torus; None if it lies outside a dimension that is not closed."""
    result, stride = 0, 1
    for extent, move, closes in reversed(list(zip(extents, offset, closed))):
        at = rank // stride % extent + move
        if not closes and not 0 <= at < extent:
            return None
        result += at % extent * stride
        stride *= extent
    return result


UNITS = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
         "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}  # fmt: skip
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
             ast.Pow: operator.pow, ast.USub: operator.neg}  # fmt: skip
FUNCTIONS = {"min": min, "max": max, "abs": abs, "ceil": math.ceil, "floor": math.floor}


def evaluate(expression, names):
    """The bytes of a size, which is an expression of numbers, names, + - * / ^ and a few functions."""

    def value(node):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return node.value
        if isinstance(node, ast.Name) and node.id in names:
            return names[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.operand))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in FUNCTIONS and not node.keywords:
            return FUNCTIONS[node.func.id](*map(value, node.args))
        raise ValueError("the checker cannot evaluate " + expression)

    size = value(ast.parse(expression.replace("^", "**"), mode="eval").body)
    require(size == int(size) and 0 <= size <= 1 << 40, expression, "is no number of bytes:", size)
    return int(size)


def size_in_bytes(text):
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([a-zA-Z]+)", text) if type(text) is str else None
    require(found and found[2] in UNITS, "no size:", text)
    size = float(found[1]) * UNITS[found[2]]
    require(size == int(size), "no whole number of bytes:", text)
    return int(size)


COMMON = "kind pieces seed format format_version $schema"
# The keys of each family of promises, also those that only describe how a built-in algorithm would keep the promise.
KEYS = {
    "held": "ranks held owed ordered same_bits idempotent",
    "torus": "torus neighborhood periodic block_sizes dimension_order shortest_wrap basis printed",
    "graph": "graph root block_sizes theta tie suitors half cumulative persistent build_cost setup",
    "senders": "senders receivers torus block_sizes allgather broadcast building_blocks selector printed",
    "all": "ranks root block_sizes commutative same_bits segment radix group_size distances children extents "
    "hierarchy benchmark",
}
# The kinds that have a key which other kinds of their family do not have.
ROOTED = "bcast gather scatter reduce sparse_bcast sparse_gather sparse_scatter sparse_reduce".split()
SIZED = ("gather scatter allgather alltoall reduce_scatter isomorphic_alltoall intergroup_allgather neighbor_allgather "
         "neighbor_alltoall").split()  # fmt: skip
REDUCING = "reduce reduce_scatter scan exscan allreduce".split()
OF_SOME = {"root": ROOTED, "block_sizes": SIZED, "commutative": REDUCING, "same_bits": ["allreduce", "stated"]}


class Promise:
    """The blocks that each rank holds and is owed. `held` and `owed` return lists by slot. An entry of `held` is a
    block and its rank. An entry of `owed` is a block with the runs of ranks that contribute to it, or None if nothing
    is owed in this slot."""

    def __init__(self, said, block_bytes):
        self.said, self.kind, self.root = said, said["kind"], said.get("root", 0)
        require(said.get("format", "rondo-promise") == "rondo-promise", "no format of promises:", said.get("format"))
        require(said.get("format_version", 1) == 1, "no version of promises:", said.get("format_version"))
        family = next((k for k in ("held", "senders", "torus", "graph") if k in said), "all")
        require((family == "held") == (self.kind == "stated"), "a promise of an unknown kind:", self.kind)
        known_keys(said, set((COMMON + " " + KEYS[family]).split()), "the promise")
        for key, kinds in OF_SOME.items():
            require(key not in said or self.kind in kinds, "a promise of", self.kind, "has no", key)
        self.block_bytes, self.sizes, self.size_number = block_bytes, None, None
        self.ranks, self.whole_held, self.whole_owed = getattr(self, "of_" + family)(said)
        require(type(self.root) is int and 0 <= self.root < self.ranks, "no root:", self.root)
        ordered = said.get("ordered", not flag(said.get("commutative", True), "commutative"))
        rules = [ordered, said.get("same_bits", False), said.get("idempotent", self.kind == "barrier")]
        require(not (flag(rules[2], "idempotent") and (flag(rules[0], "ordered") or flag(rules[1], "same_bits"))),
                "idempotent beside an order or the same bits")
        self.algebra = Algebra(self.ranks, *rules)
        self.pieces = self.read_pieces(said.get("pieces", 1))

    def read_pieces(self, pieces):
        if type(pieces) is not list:
            return integer(pieces, 1, 1 << 20, "pieces")
        listed(pieces, "pieces", self.said["senders"] if self.kind == "intergroup_allgather" else self.ranks)
        return [integer(each, 1, 1 << 20, "pieces") for each in pieces]

    def pieces_of(self, origin):
        return self.pieces if type(self.pieces) is int else self.pieces[origin]

    def held(self, rank):
        """A pair (block, rank of origin) for each send slot."""
        return [(block * count + k, origin) for block, origin in self.whole_held(rank)
                for count in [self.pieces_of(origin)] for k in range(count)]

    def owed(self, rank):
        """For each receive slot a list of runs (block, first rank, ranks, times), or None."""
        result = []
        for entry in self.whole_owed(rank):
            if entry is None:
                result.append(None)
                continue
            block, runs = entry
            count = self.pieces_of(runs[0][0])
            if type(self.pieces) is list:
                ranks = (each for first, some in runs for each in range(first, first + some))
                require(all(self.pieces_of(each) == count for each in ranks), "pieces of one reduction differ")
            require(block * count + count - 1 < 1 << 32, "pieces with numbers past 2^32")
            result += [[(block * count + k, first, some, 1) for first, some in runs] for k in range(count)]
        return result

    def send_sizes(self, rank):
        """For each block that a rank holds: the number of its pieces, and the sum of their bytes."""
        for block, origin in self.whole_held(rank):
            size = self.block_bytes if self.sizes is None else self.sizes[self.size_number(origin, block)]
            yield self.pieces_of(origin), size

    def take_sizes(self, number, count, names):
        """Reads `block_sizes`, which is a list or an expression of `names(i)`. `number` gives the index of a block's
        size."""
        stated = self.said.get("block_sizes")
        if stated is None:
            return
        if type(stated) is str:
            self.sizes = [evaluate(stated, {"m": self.block_bytes, **names(i)}) for i in range(count)]
        else:
            self.sizes = [size_in_bytes(each) for each in listed(stated, "block_sizes", count)]
        self.size_number = number

    def offsets(self, hood, dimensions):
        kind = hood["kind"]
        if hood.get("printed"):
            require(kind == "octant" and dimensions == 3 and hood["radius"] == 1, "nothing is printed")
            return [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 0]]
        if kind == "offsets":
            for offset in listed(hood["offsets"], "offsets"):
                for move in listed(offset, "an offset", dimensions):
                    integer(move, -(1 << 20), 1 << 20, "a coordinate")
            return hood["offsets"]
        radii = hood.get("radii", [hood.get("radius", 0)])
        reach = range(0 if kind == "octant" else -max(radii, default=0), max(radii, default=0) + 1)
        norm = {"von_neumann": lambda c: 0 < sum(map(abs, c)) <= radii[0],
                "shales": lambda c: max(map(abs, c)) in radii}.get(kind, any)  # fmt: skip
        require(kind in ("moore", "von_neumann", "octant", "shales"), "no neighborhood:", kind)
        return [c for c in product(reach, repeat=dimensions) if norm(c)]

    def torus(self, extents):
        listed(extents, "torus")
        ranks = math.prod(integer(extent, 1, MOST_RANKS, "an extent") for extent in extents)
        return extents, integer(ranks, 1, MOST_RANKS, "the ranks of a torus")

    def of_torus(self, said):
        extents, ranks = self.torus(said["torus"])
        each = self.kind == "isomorphic_alltoall"
        require(each or self.kind == "isomorphic_allgather", "a promise of an unknown kind:", self.kind)
        closed = listed(said.get("periodic", [True] * len(extents)), "periodic", len(extents))
        offsets = self.offsets(said["neighborhood"], len(extents))
        names = lambda i: {**{f"c{j}": c for j, c in enumerate(offsets[i])}, "d": len(extents),
                           "l1": sum(map(abs, offsets[i])), "linf": max(map(abs, offsets[i]), default=0)}
        if each:
            self.take_sizes(lambda origin, block: block, len(offsets), names)

        def owed(rank):
            sources = [add(extents, rank, [-c for c in offset], closed) for offset in offsets]
            return [None if s is None else (i if each else 0, [(s, 1)]) for i, s in enumerate(sources)]

        return ranks, lambda r: [(i, r) for i in range(len(offsets) if each else 1)], owed

    def edges_of(self, graph):
        kind = graph["kind"]
        if kind == "edges" and "edges" in graph:
            ranks = integer(graph["ranks"], 1, MOST_RANKS, "ranks")
            for edge in graph["edges"]:
                require(len(edge) in (2, 3), "no edge:", edge)
                [integer(end, 0, ranks - 1, "an end of an edge") for end in edge[:2]]
            return ranks, sorted(graph["edges"], key=lambda edge: edge[0])
        require(kind in ("moore", "offsets"), "the graph is not listed: write the promise out")
        extents, ranks = self.torus(graph["torus"])
        offsets, closed = self.offsets(graph, len(extents)), [True] * len(extents)
        edges = [(r, add(extents, r, offset, closed)) for r in range(ranks) for offset in offsets]
        return ranks, edges if kind == "offsets" else [e for e in dict.fromkeys(edges) if e[0] != e[1]]

    def of_graph(self, said):
        p, edges = self.edges_of(said["graph"])
        sparse = self.kind[7:] if self.kind.startswith("sparse_") else ""
        known = sparse in ("allreduce", "bcast", "gather", "scatter", "reduce", "barrier")
        require(known or self.kind in ("neighbor_allgather", "neighbor_alltoall"), "an unknown kind:", self.kind)
        if sparse in ("bcast", "scatter", "gather", "reduce"):
            edges = [e for e in edges if e[sparse in ("gather", "reduce")] == self.root]
        if sparse in ("bcast", "barrier"):
            edges = list(dict.fromkeys((e[0], e[1]) for e in edges if e[0] != e[1]))
        each, joins = self.kind in ("neighbor_alltoall", "sparse_scatter"), self.kind.endswith("reduce")
        targets, sources, first_edge = [0] * p, [[] for _ in range(p)], [0] * (p + 1)
        for source, target, *_ in edges:
            sources[target].append((targets[source] if each else 0, [(source, 1)]))
            targets[source] += 1
        for r in range(p):
            first_edge[r + 1] = first_edge[r] + targets[r]
        of_edge = lambda i: {"source": edges[i][0], "target": edges[i][1], "p": p, "w": [*edges[i], 1][2]}
        of_rank = lambda r: {"r": r, "targets": targets[r], "sources": len(sources[r]), "p": p}
        if self.kind == "neighbor_alltoall":
            self.take_sizes(lambda origin, block: first_edge[origin] + block, len(edges), of_edge)
        elif self.kind == "neighbor_allgather":
            self.take_sizes(lambda origin, block: origin, p, of_rank)
        joined = lambda r: [(0, [run for _, (run,) in sources[r]])] if sources[r] else []
        held = lambda r: [(i, r) for i in range(targets[r] if each else 1)]
        return p, held, joined if joins else sources.__getitem__

    def of_senders(self, said):
        senders, receivers = (integer(said[key], 1, MOST_RANKS, key) for key in ("senders", "receivers"))
        names = lambda i: {"i": i, "senders": senders, "receivers": receivers}
        if self.kind == "intergroup_allgather":
            self.take_sizes(lambda origin, block: origin, senders, names)
        gathered, returned = ([(0, [(r, 1)]) for r in group] for group in (range(senders), range(senders, senders + receivers)))
        own = lambda r: [(0, r)]
        of_senders = lambda r: own(r) if r < senders else []
        of_root = lambda r: gathered if r == senders else []
        known = {
            "intergroup_allgather": (of_senders, lambda r: gathered if r >= senders else []),
            "intergroup_exchange": (own, lambda r: gathered if r >= senders else returned),
            "intergroup_gather": (of_senders, of_root),
            "intergroup_scatter": (lambda r: [(i, 0) for i in range(receivers)] if r == 0 else [],
                                   lambda r: [(r - senders, [(0, 1)])] if r >= senders else []),
            "intergroup_reduce": (of_senders, lambda r: [(0, [(0, senders)])] if r == senders else []),
        }
        require(self.kind in known, "a promise of an unknown kind:", self.kind)
        return (senders + receivers, *known[self.kind])

    def of_held(self, said):
        p, most_number = integer(said["ranks"], 1, MOST_RANKS, "ranks"), (1 << 30) - 1
        for key in ("held", "owed"):
            require(len(listed(said[key], key, p)) > 0, "nobody is promised anything")
            [listed(each, key) for each in said[key]]

        def block(rank, value):
            if type(value) is not list:
                return integer(value, 0, most_number, "a block"), rank
            origin, number = listed(value, "a block", 2)
            return integer(number, 0, most_number, "a block"), integer(origin, 0, p - 1, "a rank")

        def entry(rank, value):
            if value is None:
                return None
            if type(value) is not dict:
                number, origin = block(rank, value)
                return number, [(origin, 1)]
            require(value.keys() == {"block", "from"}, "no reduction:", value)
            number, ranks = integer(value["block"], 0, most_number, "a block"), value["from"]
            if type(ranks) is list:
                require(ranks, "a reduction of nobody")
                return number, [(integer(r, 0, p - 1, "a rank"), 1) for r in ranks]
            if ranks == "all":
                return number, [(0, p)]
            require(type(ranks) is dict and ranks.keys() == {"first", "last"}, "no ranks:", ranks)
            first, last = (integer(ranks[key], 0, p - 1, key) for key in ("first", "last"))
            require(first <= last, "no ranks from", first, "to", last)
            return number, [(first, last - first + 1)]

        held = [[block(rank, each) for each in said["held"][rank]] for rank in range(p)]
        owed = [[entry(rank, each) for each in said["owed"][rank]] for rank in range(p)]
        require(all(len(set(blocks)) == len(blocks) for blocks in held), "a rank holds a block twice")
        there = {each for blocks in held for each in blocks}
        for number, runs in {(e[0], tuple(e[1])) for entries in owed for e in entries if e}:
            lacks = (r for first, count in runs for r in range(first, first + count) if (number, r) not in there)
            require(next(lacks, None) is None, "block", number, "is owed of a rank of which nobody holds it")
        return p, held.__getitem__, owed.__getitem__

    def of_all(self, said):
        kind, p, root = self.kind, integer(said["ranks"], 1, MOST_RANKS, "ranks"), self.root
        everything, own = [(0, [(0, p)])], lambda r, blocks=1: [(block, r) for block in range(blocks)]
        gathered = [(0, [(s, 1)]) for s in range(p)] if "gather" in kind else []
        held = {"bcast": lambda r: own(r, r == root), "scatter": lambda r: own(r, p * (r == root)),
                "alltoall": lambda r: own(r, p), "reduce_scatter": lambda r: own(r, p)}.get(kind, own)
        owed = {"bcast": lambda r: [(0, [(root, 1)])] if r != root else [],
                "gather": lambda r: gathered if r == root else [],
                "scatter": lambda r: [(r, [(root, 1)])], "allgather": lambda r: gathered,
                "alltoall": lambda r: [(r, [(s, 1)]) for s in range(p)], "reduce_scatter": lambda r: [(r, [(0, p)])],
                "reduce": lambda r: everything if r == root else [], "scan": lambda r: [(0, [(0, r + 1)])],
                "exscan": lambda r: [(0, [(0, r)])] if r else [], "allreduce": lambda r: everything,
                "barrier": lambda r: everything}  # fmt: skip
        require(kind in owed, "a promise of an unknown kind:", kind)
        number = {"gather": lambda origin, block: origin, "allgather": lambda origin, block: origin,
                  "scatter": lambda origin, block: block, "reduce_scatter": lambda origin, block: block,
                  "alltoall": lambda origin, block: origin * p + block}.get(kind)  # fmt: skip
        if number:
            pairs = kind == "alltoall"
            names = lambda i: {"source": i // p, "target": i % p, "p": p} if pairs else {"r": i, "p": p}
            self.take_sizes(number, p * p if pairs else p, names)
        return p, held, owed[kind]


def said_promise(schedule, inside, promise_file=None):
    """The promise as it is written: in the named file, else in the schedule, else in the file beside it; else None."""
    beside = os.path.splitext(schedule)[0] + ".promise.json"
    if promise_file:
        inside = load(promise_file)
    elif type(inside) is str:
        inside = load(os.path.join(os.path.dirname(schedule), inside))
    elif inside is None and os.path.exists(beside):
        inside = load(beside)
    if type(inside) is dict and inside.get("format") == "rondo-schedule":
        inside = inside.get("promise")
    require(inside is None or type(inside) is dict, "no promise")
    return inside
