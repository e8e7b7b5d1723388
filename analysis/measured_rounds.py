"""The model by which predict.py predicts times: the rounds of the busiest rank of a schedule, and their costs.

`rounds` lists the rounds on the longest path of a row's schedule. `amounts` counts how often each cost of COSTS is paid
on this path. The predicted time is the sum of amounts times prices. The prices of a machine are in measured_costs.json.
They are times, times per byte, and times per message. Therefore a larger message takes no less time, whatever the
prices are. The costs are:

- round: a message of few bytes, from the call of the sender to the return of the receiver
- round with GPUs: in addition for a round between nodes, if the job asked for GPUs (the buffers are in host memory)
- byte: each byte of the first message of a round; "byte up to U": in addition, each of its first U bytes
- step U: in addition for a round whose messages have more than U bytes (a switch of protocol)
- post, posted byte: each further message of a round, and its bytes; peer: in addition for such a message if every
  message goes to another rank
- taper: each byte to a distant rank, for each doubling of the distance beyond 16 nodes, if all ranks send (there are
  fewer links between groups of nodes than within them)
- inside, inside byte: a round within a node, and its bytes
- node byte: instead of byte and posted byte, if nodes have several ranks: the bytes that all ranks of a node send at
  the same time
- shared memory: the bytes that the other ranks of the node copy, allocate and join
- copy, fresh, join: the bytes that are copied, newly allocated and joined; each has an additional cost for vectors of
  LARGE bytes or more
- piece: a block that is copied or packed alone
- call: a call
- port: a further port of uTofu, in each round
- handshake: the put that reports readiness, for messages of more than 1 KiB that are joined
- register: in each round and port, if the algorithm has no preallocated buffer; register twice: in addition for the
  algorithms that reduce and then gather

On Fugaku, `crowding` says how many messages of a round share a link of the torus.
"""

import json
import math
from typing import NamedTuple

import measured_table

SIZES = (256, 16384, 131072)  # bytes; protocols may switch at these sizes
COSTS = ("round", "round with GPUs", *(f"byte up to {size}" for size in SIZES), *(f"step {size}" for size in SIZES), "byte", "post", "peer", "posted byte", "taper",
         "inside", "inside byte", "node byte", "shared memory", "copy", "copy large", "fresh", "fresh large", "join", "join large", "piece", "call",
         "port", "handshake", "register", "register twice")
MEMORY = {"copy": "copy", "copy large": "copy_large", "fresh": "fresh", "fresh large": "fresh_large", "join": "reduce", "join large": "reduce_large",
          "piece": "piece"}
NEAR = 4  # a binary logarithm: 2^4 nodes are near
HANDSHAKE = 1024  # bytes
# On Leonardo, the scripts of the measurements ask for GPUs if a job has more than 64 nodes. All jobs of more than 256
# nodes ran by the version of 2025-03-28, which asks for GPUs only up to 256 nodes (HLC-Lab/pico,
# config/environments/leonardo.sh).
WITH_GPUS = {"leonardo": range(65, 257)}
NEIGHBOR = 0  # the distance in a ring, in which every rank sends to the next one


class Round(NamedTuple):
    """`times` rounds in which the busiest rank sends `messages` of `size` bytes to ranks at `distance` (None: mixed).

    The longest path waits until `posts` further messages have been posted (None: all further ones)."""

    times: float
    size: float
    messages: float = 1
    distance: float | None = None
    posts: float | None = None

    def waits(self):
        return self.messages - 1 if self.posts is None else self.posts


class Problem(NamedTuple):
    """The facts from which the rounds of a row follow: p ranks, n bytes in all, m bytes in a block (n and m of one
    port), and the schedule of Rondo."""

    collective: str
    schedule: str
    name: str
    p: int
    n: float
    m: float
    options: dict
    segment: float  # bytes; 0: no segments
    share: int  # ranks per node

    @property
    def steps(self):
        return (self.p - 1).bit_length()

    @property
    def power(self):
        return 1 << (self.p.bit_length() - 1)

    @property
    def rest(self):
        """1 if the number of ranks is not a power of two, else 0."""
        return int(self.p != self.power)


def halves(problem, times=1):
    """Rounds with messages of n/2, n/4, ... bytes at distances 1, 2, ..."""
    return [Round(times, problem.n / 2**k, 1, 2 ** (k - 1)) for k in range(1, problem.power.bit_length())]


def doubled(problem):
    """Rounds with a message of 1, 2, 4, ... blocks at distances 1, 2, 4, ..."""
    return [Round(1, problem.m * min(2**k, problem.p - 2**k), 1, 2**k) for k in range(problem.steps)]


def one_by_one(problem, block):
    """The rounds of `doubled`, with a message for each block."""
    return [Round(1, block, min(2**k, problem.p - 2**k), 2**k) for k in range(problem.steps)]


def allgather(problem):
    p, m = problem.p, problem.m
    if problem.schedule == "ring":
        return [Round(p - 1, m, 1, NEIGHBOR)]
    if problem.schedule == "neighbor_exchange":
        return [Round(1, m, 1, NEIGHBOR), Round(p / 2 - 1, 2 * m, 1, NEIGHBOR)]
    if problem.schedule in ("sparbit", "bine_block_by_block"):
        return [each._replace(distance=2 ** (problem.steps - 1 - k)) for k, each in enumerate(one_by_one(problem, m))]
    if problem.schedule in ("recursive_doubling", "bruck", "bine"):
        found = doubled(problem)
        if problem.schedule == "bine" and problem.options.get("distances") != "rising":  # most bytes go to the nearest
            found = [each._replace(distance=2 ** (problem.steps - 1 - k)) for k, each in enumerate(found)]
        return found + ([Round(1, m, 1, p // 2)] if "send" in problem.name.lower() else [])
    return None


def allreduce(problem):
    p, n = problem.p, problem.n
    if problem.schedule in ("recursive_doubling", "bine_latency"):
        return [Round(problem.power.bit_length() - 1 + 2 * problem.rest, n)]
    if problem.schedule == "ring":
        return [Round(2 * (p - 1), n / p, 1, NEIGHBOR)]
    if problem.schedule == "circulant":
        return [each._replace(times=2) for each in one_by_one(problem, n / p)]
    if problem.schedule == "linear":
        return [Round(2, n, p - 1)]
    if problem.schedule in ("rabenseifner", "bine"):
        back = halves(problem)
        there = [part for each in back for part in segmented(each, problem.segment)]
        odd = [Round(2, n / 2), Round(1, n)] if problem.schedule == "rabenseifner" else [Round(2, n)]
        return there + back + (odd if problem.rest else [])
    return None


def segmented(each, segment):
    """The rounds of a message that is sent in segments, one after the other."""
    return [Round(math.ceil(each.size / segment), segment, 1, each.distance)] if 0 < segment < each.size else [each]


def alltoall(problem):
    p, n, m = problem.p, problem.n, problem.m
    return {"pairwise": [Round(p - 1, m, 1, p // 2)], "linear": [Round(1, m, p - 1, p // 2)],
            "bruck": [Round(problem.steps, n / 2)], "bine": [Round(problem.steps, n / 2)]}.get(problem.schedule)


def tree(problem):
    """The rounds of a bcast or a reduce: levels of a tree, or a scatter and a gather."""
    p, n, levels = problem.p, problem.n, problem.power.bit_length() - 1
    parts = math.ceil(n / problem.segment) if 0 < problem.segment < n else 1
    size = n / parts if parts == 1 else problem.segment
    if problem.schedule == "rabenseifner":
        return halves(problem, 2) + ([Round(2, n / 2)] if problem.rest else [])
    scattered = [each._replace(distance=p / 2 / each.distance) for each in halves(problem._replace(p=1 << problem.steps))]
    if problem.schedule in ("scatter_allgather", "bine_scatter_allgather"):
        return [each._replace(times=2) for each in scattered]
    if problem.schedule == "scatter_ring_allgather":
        return [*scattered, Round(p - 1, n / p, 1, NEIGHBOR)]
    if problem.options.get("children") == "at_once" and problem.schedule in ("binomial", "bine", "knomial"):
        return all_children(problem)
    # If p = 2^levels, the last rank is the only child of its parent.
    last = [Round(1, n, 1)] if levels > 1 and not problem.rest else [Round(1, n, 2)]
    full = [Round(levels - 1, n, 2), *last]
    return {"binomial": [Round(problem.steps * parts, size)], "bine": [Round(problem.steps * parts, size)],
            "binary": full if parts == 1 else [Round(levels + parts - 1, size, 2)],
            "in_order_binary": [Round(levels + parts - 1, size, 2), Round(1, n)],
            "split_binary": [*(each._replace(size=n / 2) for each in full), Round(1, n / 2)],
            "linear": [Round(1, n, p - 1)], "chain": [Round(1, size, 4), Round(p / 4 + parts - 2, size)],
            "pipeline": [Round(p + parts - 2, size)]}.get(problem.schedule)


def all_children(problem):
    """The rounds of a tree whose ranks send to all children at once.

    All messages of a rank end with its last byte. Therefore the child with the largest subtree, of k children, waits
    for k messages. This child has k - 1 children (or k - (radix - 1)), and so on. Messages within a node and messages
    to other nodes do not wait for each other."""
    if problem.schedule == "knomial":
        radix = int(problem.options["radix"])
        levels = max(1, math.ceil(math.log2(problem.p) / math.log2(radix)))
        top = math.ceil(problem.p / radix ** (levels - 1)) - 1
        distances, children = [radix**k for k in range(levels - 1, -1, -1)], [top, *[radix - 1] * (levels - 1)]
    else:
        distances, children = [2**k for k in range(problem.steps)], [1] * problem.steps
        if problem.options.get("distances") == "falling":
            distances.reverse()
    inside = [distance < problem.share for distance in distances]
    waits = [sum(more for more, same in zip(children[k:], inside[k:]) if same == inside[k]) for k in range(len(distances))]
    return [Round(1, problem.n, each, distance, more - 1) for each, distance, more in zip(waits, distances, children)]


def rooted(problem):
    """The rounds of a gather or a scatter."""
    p, m = problem.p, problem.m
    if problem.schedule in ("binomial", "bine"):
        return [each._replace(distance=p / 2 / each.distance) for each in halves(problem._replace(p=1 << problem.steps))]
    return {"linear": [Round(1, m, p - 1, p // 2)], "linear_sync": [Round(p - 1, 0), Round(p - 1, m)]}.get(problem.schedule)


def reduce_scatter(problem):
    p, n, m = problem.p, problem.n, problem.m
    if problem.schedule in ("ring", "pairwise"):
        return [Round(p - 1, m, 1, NEIGHBOR if problem.schedule == "ring" else p // 2)]
    if problem.schedule == "circulant":
        return one_by_one(problem, m)
    if problem.schedule == "recursive_doubling":
        return [Round(1, n - 2**k * m, 1, 2**k) for k in range(problem.steps)]
    if problem.schedule not in ("recursive_halving", "bine"):
        return None
    found = halves(problem)
    if problem.schedule == "recursive_halving" and "distance_doubling" not in problem.name:
        found = [each._replace(distance=problem.power / 2 / each.distance) for each in found]
    if "block_by_block" in problem.name:
        found = [Round(1, m, problem.power / 2 ** (k + 1), each.distance) for k, each in enumerate(found)]
    own = [Round(1, m, 1, p // 2)] if "send" in problem.name or "distance_doubling" in problem.name else []
    return found + ([Round(1, n), Round(1, m)] if problem.rest else []) + own


KINDS = {"allgather": allgather, "allreduce": allreduce, "alltoall": alltoall, "bcast": tree, "reduce": tree, "gather": rooted,
         "scatter": rooted, "reduce_scatter": reduce_scatter}


def segment_of(row) -> float:
    """The bytes of a segment by the row; 0: no segments."""
    text = row.get("segment_bytes") or "0"
    try:
        return max(0.0, float(text))
    except ValueError:
        raise measured_table.BadTable(f'column segment_bytes: expected a number of at least 0, got "{text}"') from None


def share_of(row) -> int:
    """The number of ranks per node."""
    return max(1, round(row["ranks"] / row["nodes"]))


def problem_of(row, line):
    ports = measured_table.ports_of(row["algorithm"])
    n, p = row["bytes"] / ports, int(row["ranks"])
    options = json.loads(line["options"] or "{}")
    segment = options.get("segment", 0)
    if isinstance(segment, list):  # entries [up to, segment]
        segment = next(size for up_to, size in segment if up_to is None or n <= up_to)
    if "segmented_over" in row["algorithm"]:
        segment = segment_of(row)
        if not segment and row["algorithm"].endswith("over") and row.get("archive", "") < "2025_05_27":
            segment = n / (1 << (p.bit_length() - 1))  # before that day, blocks are sent one by one
    return Problem(row["collective"], line["algorithm"], row["algorithm"], p, n, (row["block_bytes"] or 0) / ports, options, float(segment),
                   share_of(row))


def rounds(row, algorithms):
    """The rounds of a row; None if its schedule is not known."""
    line = algorithms.of(row)
    if line is None or not line["algorithm"] or row["collective"] not in KINDS:
        return None
    found = KINDS[row["collective"]](problem_of(row, line))
    segment = segment_of(row)
    if found is None or "UTOFU" not in row["algorithm"] or not segment:
        return found
    # uTofu puts all segments of a message without waiting between them.
    return [each._replace(size=segment, messages=math.ceil(each.size / segment)) if each.size > segment else each for each in found]


def extents(nodes):
    """The three extents of a torus of `nodes` nodes. Each prime factor, largest first, multiplies the smallest
    extent."""
    found, left, factor, factors = [1, 1, 1], nodes, 2, []
    while left > 1:
        while left % factor == 0:
            factors.append(factor)
            left //= factor
        factor += 1
    for factor in reversed(factors):
        found[found.index(min(found))] *= factor
    return sorted(found, reverse=True)


def crowding(row, problem, found):
    """For each round, the number of its messages that share the busiest link of Fugaku's torus. The torus is assumed to
    be as near to a cube as possible.

    At distance 2^j in a ring of e nodes all messages go in the same direction, and 2^j of them share a link. At
    distance e/2 both directions are equally long. This divides the number by sqrt(2) in large rings, and makes it 1 if
    e is 4 (the network has six dimensions)."""
    nodes, steps = extents(int(row["nodes"])), problem.steps
    hops = [(2**j, extent) for extent in nodes for j in range(extent.bit_length() - 1)]

    def mean(share):
        return sum(max(1.0, share(*hop)) for hop in hops) / max(len(hops), 1)

    def tied(distance, extent):
        return (1.0 if extent == 4 else distance / math.sqrt(2)) if 2 * distance == extent > 2 else distance

    if measured_table.ports_of(row["algorithm"]) > 1 or "UTOFU" in row["algorithm"]:
        return [utofu_crowding(row, mean)] * len(found)
    if row["collective"] == "allreduce" and problem.schedule == "recursive_doubling":
        return [mean(lambda distance, extent: 1.1 * distance if extent > 4 else tied(distance, extent))] * len(found)
    if row["collective"] == "alltoall" and problem.schedule in ("pairwise", "linear"):
        return [max(1.0, max(nodes) * (0.95 if problem.schedule == "pairwise" else 1 / 3))] * len(found)
    if row["collective"] in ("bcast", "reduce") and problem.schedule in ("binomial", "binary") and found[0].times <= steps + 1:
        return [sum((extent.bit_length() - 1) * extent.bit_length() / 2 for extent in nodes) / steps] * len(found)
    if row["collective"] in ("allgather", "reduce_scatter") and problem.schedule in ("recursive_doubling", "bruck", "recursive_halving"):
        shares = [max(1.0, tied(*hop)) for hop in hops]
        shares = shares if row["collective"] == "allgather" else shares[::-1]
        return [shares[k] if k < len(shares) else 1.0 for k in range(len(found))]
    if row["collective"] == "alltoall" and problem.schedule == "bruck":
        return [mean(tied)] * len(found)
    return [1.0] * len(found)


def utofu_crowding(row, mean):
    """The same number for uTofu's algorithms. Algorithms that send all bytes over all distances fill the links of the
    torus. Further ports then help little."""
    if not (row["collective"] == "allreduce" and "-L-" in row["algorithm"]):
        return 1.0
    ports = measured_table.ports_of(row["algorithm"])
    share = mean(lambda distance, _: 0.5 * (1.5 if distance > 1 else 1) * distance if "BINE" in row["algorithm"] else 0.85 * distance)
    return max(1.0, share * ports / 1.5) if share > 1.2 and ports > 1 else share


def links_short(row):
    """The number of ports that share a link. A ring of two nodes has one link, a larger one has two. The binomial
    reduce sends through one port."""
    ports = measured_table.ports_of(row["algorithm"])
    if row["collective"] == "reduce" and "BINOMIAL" in row["algorithm"]:
        return ports
    text = row.get("dims") or "x".join(map(str, extents(int(row["nodes"]))))
    if not all(extent.isdecimal() for extent in text.split("x")):
        raise measured_table.BadTable(f'column dims: expected such as 4x4x4, got "{text}"')
    dims = [int(extent) for extent in text.split("x")]
    return math.ceil(ports / max(1, sum(1 if extent == 2 else 2 for extent in dims if extent > 1)))


def places(row, problem, each):
    """The destinations of a round's messages, as triples: a share of the round, whether it stays within the node, and
    the number of ranks of the node that send to other nodes at the same time."""
    ranks = problem.share
    if ranks == 1:
        return [(1.0, False, 1.0)]
    if each.distance == NEIGHBOR:  # a block passes all links of the ring, so the mean over the links counts
        return [(1 - 1 / ranks, True, 1.0), (1 / ranks, False, 1.0)]
    inside = max(1, round(math.log2(ranks))) / problem.steps
    falling = problem.options.get("distances") == "falling" or problem.schedule == "knomial"
    if row["collective"] == "alltoall" and each.distance is not None:
        return [(1.0, False, ranks)]
    if row["collective"] == "alltoall" or problem.schedule in ("recursive_doubling", "bine_latency") and each.distance is None:
        return [(inside, True, 1.0), (1 - inside, False, ranks)]
    if each.distance is not None:
        one = row["collective"] in ("gather", "scatter") or falling  # one rank of a node sends at a time
        return [(1.0, True, 1.0)] if each.distance < ranks else [(1.0, False, 1.0 if one else ranks)]
    if problem.schedule in ("binomial", "bine"):
        return [(inside, True, 1.0), (1 - inside, False, 1.0 if falling else ranks)]
    return [(1.0, False, 1.0 if problem.schedule == "linear" else min(ranks, 2))]


def amounts(row, algorithms):
    """The amount of each cost of COSTS that a row pays; None if its schedule is not known."""
    found = rounds(row, algorithms)
    if found is None:
        return None
    problem = problem_of(row, algorithms.of(row))
    paid = dict.fromkeys(COSTS, 0.0)
    torus = row["system"] == "fugaku"
    crowded = crowding(row, problem, found) if torus else [1.0] * len(found)
    few = row["collective"] in ("bcast", "reduce", "gather", "scatter")  # few ranks send at a time
    for each, share in zip(found, crowded):
        for part, inside, sharing in places(row, problem, each):
            times = each.times * part
            if inside:
                paid["inside"] += times
                paid["inside byte"] += times * each.size * each.messages
                paid["post"] += times * each.waits()
            else:
                pay_message(paid, times, each, share * (links_short(row) if torus else 1))
                paid["round with GPUs"] += times * (row["nodes"] in WITH_GPUS.get(row["system"], ()))
                paid["node byte"] += times * sharing * each.size * each.messages
                paid["taper"] += 0.0 if torus or few else times * each.size * each.messages * doublings(problem, each.distance)
    work = algorithms.work(row)
    for cost, name in MEMORY.items():
        paid[cost] += work[name]
    paid["copy"] += paid["copy large"]
    paid["fresh"] += paid["fresh large"]
    paid["shared memory"] = (problem.share - 1) * sum(paid[cost] for cost in ("copy", "fresh", "join"))
    paid["call"] = 1.0
    paid.update({"node byte": 0.0} if problem.share == 1 else {"byte": 0.0, "posted byte": 0.0})
    if problem.schedule == "linear" and row["collective"] not in ("gather", "reduce"):
        paid["peer"] = paid["post"]
    if "UTOFU" in row["algorithm"]:
        pay_ports(paid, row, found)
    return paid


def doublings(problem, distance):
    """How often the distance of a message doubles beyond 2^NEAR nodes; a message at distance d passes up to 2 d ranks.

    For the distance None it is the mean over the distances 1, 2, 4, ... of ranks."""
    if distance == NEIGHBOR:
        return 0.0
    distances = [2**step for step in range(problem.steps)] if distance is None else [distance]
    return sum(max(0.0, math.log2(2 * each / problem.share) - NEAR) for each in distances) / len(distances)


def pay_message(paid, times, each, share):
    paid["round"] += times
    for size in SIZES:
        paid[f"byte up to {size}"] += times * share * min(each.size, size)
        paid[f"step {size}"] += times * (each.size > size)
    paid["byte"] += times * share * each.size
    paid["post"] += times * each.waits()
    paid["posted byte"] += times * share * (each.messages - 1) * each.size


def pay_ports(paid, row, found):
    """Adds the costs of uTofu's ports. One CPU serves all ports."""
    name, ports = row["algorithm"], measured_table.ports_of(row["algorithm"])
    paid["post"] *= ports
    for cost in ("copy", "copy large", "fresh", "fresh large"):
        paid[cost] /= ports
    for each in found:
        paid["port"] += each.times * (ports - 1)
        paid["handshake"] += each.times * ports * (each.size > HANDSHAKE and row["collective"] in ("reduce", "allreduce", "reduce_scatter"))
        paid["register"] += each.times * ports * ("TMPBUF" not in name and "-L-" not in name)
        paid["register twice"] += each.times * ports * ("B_CONT" in name)


def time(paid, prices) -> float:
    """The predicted time in nanoseconds."""
    return sum(amount * prices.get(cost, 0.0) for cost, amount in paid.items())
