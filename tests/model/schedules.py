"""Random schedules as JSON, which no algorithm generates, and random problems for the algorithms of the library."""


def custom(draw, ranks):
    """Random messages between random ranks in a random order. Some are joined with the content of their place. Nothing
    is owed."""
    sizes = draw.choice([[1000], [0, 1, 1000, 5000], [draw.randint(0, 9999) for _ in range(6)]])
    programs = [Program(rank) for rank in range(ranks)]
    for number in range(draw.randint(1, 4)):
        for program in programs:
            program.rounds.append({"sends": [], "receives": [], "copies": []})
        for _ in range(draw.randint(1, min(3 * ranks, 24))):
            source, target = draw.sample(range(ranks), 2)
            count = draw.choice(sizes)
            programs[source].send(target, count)
            programs[target].receive(source, count, draw.random() < 0.25, draw.random() < 0.5)
        for program in programs:
            program.shuffle(draw)
            if draw.random() < 0.2:
                program.copy(draw.choice(sizes), draw.random() < 0.7)
    # Each rank has one block, which is cut into the pieces that it sends and a rest.
    block = 1 + max(sum(program.slots["send"]) for program in programs)
    for program in programs:
        program.slot("send", block - sum(program.slots["send"]))
    promise = {"format": "rondo-promise", "format_version": 1, "kind": "stated", "ranks": ranks,
               "held": [[0] for _ in programs], "owed": [[] for _ in programs],
               "pieces": [len(program.slots["send"]) for program in programs]}
    return {"format": "rondo-schedule", "format_version": 1, "ranks": ranks, "block_bytes": block, "promise": promise,
            "programs": [program.written() for program in programs]}


class Program:
    def __init__(self, rank):
        self.rank, self.slots, self.first, self.rounds = rank, {"send": [], "intermediate": []}, [], []

    def slot(self, buffer, count):
        self.slots[buffer].append(count)
        return [buffer, len(self.slots[buffer]) - 1]

    def send(self, target, count):
        self.rounds[-1]["sends"].append({"rank": target, "places": [self.slot("send", count)]})

    def receive(self, source, count, joins, before):
        place = self.slot("intermediate", count)
        told = {"rank": source, "places": [place]}
        if joins:
            self.first.append([self.slot("send", count), place])
            told["join"] = "before" if before else "after"
        self.rounds[-1]["receives"].append(told)

    def copy(self, count, joins):
        """A local copy before the first round. If `joins`, also a joining copy, after the round or before the first."""
        into = self.slot("intermediate", count)
        self.first.append([self.slot("send", count), into])
        if joins:
            behind = self.rounds[-1]["copies"] if len(self.rounds) % 2 else self.first
            behind.append([self.slot("send", count), into, "after"])

    def shuffle(self, draw):
        """Shuffles the sends and the receives of the round. Messages with one partner keep their order."""
        for key in ("sends", "receives"):
            told = self.rounds[-1][key]
            partners = [each["rank"] for each in told]
            draw.shuffle(partners)
            queues = {}
            for each in told:
                queues.setdefault(each["rank"], []).append(each)
            self.rounds[-1][key] = [queues[partner].pop(0) for partner in partners]

    def written(self):
        buffers = {name: {"slots": len(sizes), "bytes": sizes} for name, sizes in self.slots.items() if sizes}
        return {"ranks": [self.rank], "buffers": buffers, "copies": self.first, "rounds": self.rounds}


CLASSICAL = {
    "bcast": ["linear", "chain", "pipeline", "binary", "split_binary", "binomial", "knomial", "double_tree", "scatter_allgather", "bine"],
    "reduce": ["linear", "chain", "pipeline", "binary", "binomial", "knomial", "rabenseifner"],
    "allreduce": ["linear", "ring", "segmented_ring", "recursive_doubling", "rabenseifner", "circulant", "double_tree"],
    "reduce_scatter": ["ring", "pairwise", "recursive_halving", "circulant"],
    "allgather": ["linear", "ring", "bruck", "recursive_doubling", "neighbor_exchange", "sparbit", "circulant"],
    "alltoall": ["linear", "pairwise", "bruck", "spread_out", "linear_sync", "ring"],
    "gather": ["linear", "binomial", "linear_sync"],
    "scatter": ["linear", "binomial"],
    "scan": ["linear", "recursive_doubling"],
    "barrier": ["linear", "dissemination", "recursive_doubling", "binomial", "ring"],
}


def extents(draw, ranks):
    """A torus with this number of ranks."""
    for first in draw.sample(range(2, ranks + 1), ranks - 1):
        if ranks % first == 0 and ranks > first:
            return [first, ranks // first]
    return [ranks]


def problem(draw, ranks):
    """A collective of the library, an algorithm and a block size. The algorithm may not accept this number of ranks."""
    block = f"{draw.choice([1, 8, 1000, draw.randint(1, 9999)])}B"
    kind = draw.choice(list(CLASSICAL) + ["isomorphic", "isomorphic", "intergroup", "neighbor", "neighbor"])
    if kind == "isomorphic":
        torus = extents(draw, ranks)
        offsets = [[draw.randint(-2, 2) for _ in torus] for _ in range(draw.randint(1, 6))]
        kind = draw.choice(["isomorphic_alltoall", "isomorphic_allgather"])
        collective = {"kind": kind, "torus": torus, "neighborhood": {"kind": "offsets", "offsets": offsets}}
        return collective, draw.choice(["straightforward", "posted", "posted", "torus", "direct", "basis"]), block
    if kind == "intergroup":
        senders = draw.randint(1, ranks - 1)
        collective = {"kind": "intergroup_allgather", "senders": senders, "receivers": ranks - senders}
        return collective, draw.choice(["group_allgather", "root_gathering", "ring_optimal", "ring_allgather", "torus_rings"]), block
    if kind == "neighbor":
        edges = [[draw.randrange(ranks), draw.randrange(ranks)] for _ in range(draw.randint(1, 3 * ranks))]
        kind = draw.choice(["neighbor_allgather", "neighbor_alltoall"])
        graph = {"kind": "edges", "ranks": ranks, "edges": edges}
        if draw.random() < 0.3:
            torus = extents(draw, ranks)
            graph = {"kind": "offsets", "torus": torus, "offsets": [[draw.randint(-2, 2) for _ in torus] for _ in range(draw.randint(1, 6))]}
        return {"kind": kind, "graph": graph}, draw.choice(["naive", "common_neighbors"]), block
    collective = {"kind": kind, "ranks": ranks}
    if kind in ("bcast", "reduce", "gather", "scatter"):
        collective["root"] = draw.randrange(ranks)
    return collective, draw.choice(CLASSICAL[kind]), "0B" if kind == "barrier" else block
