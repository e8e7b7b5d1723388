"""A schedule as JSON, rank by rank and round by round, in the order of posting (docs/model.md, "The order of posting")."""

from units import first_number


class Message:
    """A send or a receive of a round: the partner, the payload, and the bytes that are joined."""

    __slots__ = ("partner", "payload", "joined", "shift")

    def __init__(self, partner, payload, joined, shift):
        self.partner, self.payload, self.joined, self.shift = partner, payload, joined, shift


class Round:
    __slots__ = ("sends", "receives", "joined")

    def __init__(self, sends, receives, joined):
        self.sends, self.receives, self.joined = sends, receives, joined


def programs(schedule, posting, seed):
    """For each rank a pair: the bytes that it joins before its first round, and its rounds."""
    ranks = schedule.get("ranks")
    torus = schedule.get("torus")
    if ranks is None:
        ranks = 1
        for extent in torus:
            ranks *= extent
    graph = listed(schedule.get("promise"), ranks)
    result = [None] * ranks
    for program in schedule["programs"]:
        slots = Slots(program.get("buffers", {}), schedule.get("block_bytes", 1))
        alike = program["ranks"] == "all" and any("offset" in m for r in program["rounds"] for m in r.get("sends", []))
        for rank in range(ranks) if program["ranks"] == "all" else program["ranks"]:
            rounds = []
            for number, told in enumerate(program["rounds"], 1):
                sends = [end(m, rank, ranks, torus, slots, +1) for m in told.get("sends", [])]
                receives = [end(m, rank, ranks, torus, slots, -1) for m in told.get("receives", [])]
                order = Order(posting, seed, rank, ranks, number, alike, graph)
                sends.sort(key=order.of_sends)
                if not any(m.joined for m in receives) and not any("join" in m for m in told.get("receives", [])):
                    receives.sort(key=order.of_receives)
                rounds.append(Round(sends, receives, sum(m.joined for m in receives) + slots.joined(told.get("copies", []))))
            result[rank] = (slots.joined(program.get("copies", [])), rounds)
    return [each or (0, []) for each in result]


class Slots:
    def __init__(self, buffers, block):
        self.buffers, self.block = buffers, block

    def bytes(self, place):
        told = self.buffers.get(place[0], {}).get("bytes")
        return self.block if told is None else told[place[1]] if isinstance(told, list) else told

    def joined(self, copies):
        return sum(self.bytes(copy[1]) for copy in copies if len(copy) > 2)


def end(told, rank, ranks, torus, slots, sign):
    payload = told.get("bytes")
    if payload is None:
        payload = sum(slots.bytes(place) for place in told["places"])
    if "offset" in told:
        partner, zero = moved(rank, told["offset"], torus), moved(0, [sign * x for x in told["offset"]], torus)
    else:
        partner = told["rank"]
        zero = None
    return Message(partner, payload, payload if "join" in told else 0, zero)


def moved(rank, offset, torus):
    """The rank at an offset on a torus. The last coordinate changes fastest."""
    coordinates = []
    for extent in reversed(torus):
        rank, coordinate = divmod(rank, extent)
        coordinates.append(coordinate)
    result = 0
    for extent, coordinate, by in zip(torus, reversed(coordinates), offset):
        result = result * extent + (coordinate + by) % extent
    return result


def listed(promise, ranks):
    """The targets and the sources of each rank on the graph of a promise; None without a graph."""
    graph = promise.get("graph") if isinstance(promise, dict) else None
    if graph is None:
        return None
    if graph["kind"] == "offsets":
        edges = [(rank, moved(rank, offset, graph["torus"])) for rank in range(ranks) for offset in graph["offsets"]]
    else:
        assert graph["kind"] == "edges", graph["kind"]
        edges = [tuple(edge[:2]) for edge in graph["edges"]]
    targets, sources = {}, {}
    for source, target in edges:
        targets.setdefault(source, []).append(target)
        sources.setdefault(target, []).append(source)
    return targets, {rank: sorted(those) for rank, those in sources.items()}


class Order:
    def __init__(self, posting, seed, rank, ranks, number, alike, graph):
        self.posting, self.seed, self.rank, self.ranks, self.number, self.alike, self.graph = posting, seed, rank, ranks, number, alike, graph

    def of_sends(self, message):
        return self.key(message, (message.partner - self.rank) % self.ranks, 1)

    def of_receives(self, message):
        return self.key(message, (self.rank - message.partner) % self.ranks, 2)

    def key(self, message, shift, which):
        if self.alike:
            shift = message.shift
        if self.posting == "neighbors":
            if self.graph is None:
                return 0
            near = self.graph[which - 1].get(self.rank, [])
            return (0, near.index(message.partner)) if message.partner in near else (1, shift)
        if self.posting == "ascending":
            return message.partner
        if self.posting == "shifted":
            return shift
        assert self.posting == "random", self.posting
        state = first_number(self.seed) ^ (0 if self.alike else 3 * self.rank + which)
        return first_number(first_number(first_number(state) ^ self.number) ^ (shift if self.alike else message.partner))
