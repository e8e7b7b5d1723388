#!/usr/bin/env python3
"""Checks a proof of `rondo optimum --proof`. It shares no code with Rondo.

    check_optimum.py SCENARIO PROOF

From the scenario it calculates the promise of the collective, and which ranks may communicate. It checks that the
schedule of the proof delivers every block within the claimed number of rounds or blocks. Then it checks that no
schedule takes less. If the proof names a counting argument, it calculates the bound of this argument. Otherwise it
generates the formula of the problem (docs/optima.md describes it) and compares it with PROOF.cnf. It checks that each
lemma of PROOF.drat follows by unit propagation (RUP) from the formula and the lemmas before it, up to the empty clause.
Exit code 0: the proof holds; 1: it does not.
"""

import sys
from collections import namedtuple
from itertools import combinations, product

from promises import Promise, flag, integer, listed, load, require, size_in_bytes

FAR, VECTORS = 1 << 20, ("bcast", "reduce", "allreduce", "barrier")


def promise_of(scenario, written, pieces):
    collective = dict(scenario["collective"])
    if collective["kind"] == "custom":
        collective = collective["promise"]
        require(type(collective) is dict, "a promise in another file: write it out")
    block = size_in_bytes(scenario["block"]) if "block" in scenario else 0
    if collective["kind"] in VECTORS and "segment" in collective:
        collective["pieces"] = max(-(-block // (size_in_bytes(collective["segment"]) or max(block, 1))), 1)
    require(collective.setdefault("pieces", pieces) == pieces or pieces == 1, "pieces of pieces")
    if scenario["machine"]["topology"]["kind"] == "mesh" and "torus" in collective:
        collective.setdefault("periodic", [False] * len(collective["torus"]))
    promise, said = Promise(collective, block), Promise(written, block)
    require(promise.ranks == said.ranks, "the promise is of other ranks")
    for rule in ("ordered", "same_bits", "idempotent"):
        require(getattr(promise.algebra, rule) == getattr(said.algebra, rule), "another rule of reductions:", rule)
    for rank in range(promise.ranks):
        require(promise.held(rank) == said.held(rank), "rank", rank, "holds something else")
        require(promise.owed(rank) == said.owed(rank), "rank", rank, "is owed something else")
    return promise


def blocks_of(promise):
    """For each block that a rank lacks: the ranks that hold it, and the ranks that want it. Also whether the promise is
    a reduction, which is treated as broadcasts in reverse."""
    held, wanted, joins = {}, {}, {}
    for rank in range(promise.ranks):
        for number, origin in promise.held(rank):
            held.setdefault((origin, number), set()).add(rank)
    for rank in range(promise.ranks):
        for entry in filter(None, promise.owed(rank)):
            number, sources = entry[0][0], [r for _, first, some, _ in entry for r in range(first, first + some)]
            if len(sources) == 1:
                wanted.setdefault((sources[0], number), set()).add(rank)
            else:
                require(sorted(sources) == list(range(promise.ranks)), "not every rank contributes once")
                require(number not in joins, "two ranks want one reduction")
                require(all(held.get((r, number)) == {r} for r in sources), "a contribution that its rank lacks")
                joins[number] = rank
    if joins:
        require(not wanted, "reductions beside blocks")
        require(not (promise.algebra.ordered or promise.algebra.same_bits), "a reduction with an order")
        names = sorted((rank, number) for number, rank in joins.items())
        return [([rank], [r for r in range(promise.ranks) if r != rank]) for rank, _ in names], True
    require(all(name in held for name in wanted), "a block that nobody holds")
    pairs = ((sorted(held[name]), sorted(wanted[name] - held[name])) for name in sorted(wanted))
    return [pair for pair in pairs if pair[1]], False


def links_of(machine, ranks):
    """Pairs of ranks that may communicate, with their number of messages per round. None: all pairs, limited by
    ports."""
    topology, ports, per_host = machine["topology"], machine.get("ports", 1), machine.get("ranks_per_host", 1)
    graph = topology["kind"] == "graph"
    if not flag(machine.get("neighbors_only", False), "neighbors_only") and (not graph or topology.get("switches", 0)):
        return None
    require(machine.get("placement", "block") == "block", "a placement that is not known here")
    failed, both = machine.get("failed_links", []), not topology.get("directed", False)
    require(isinstance(failed, list), "failed links that are drawn")
    lost = {(a, b) for a, b in failed} | {(b, a) for a, b in failed if both}
    if graph:
        require(per_host == 1, "several ranks on a host")
        links = [(a, b, *(width or [1])) for a, b, *width in topology["links"] if a < ranks and b < ranks]
        return sorted(link for link in links + [(b, a, w) for a, b, w in links if both] if link[:2] not in lost)
    require(topology["kind"] in ("ring", "torus", "mesh"), "no neighbors on", topology["kind"])
    extents = [topology["hosts"]] if topology["kind"] == "ring" else topology["dims"]
    links, places = [], list(product(*map(range, extents)))
    for a, b in product(range(ranks), repeat=2):
        far = [(abs(x - y), e) for x, y, e in zip(places[a // per_host], places[b // per_host], extents)]
        distance = sum(d if topology["kind"] == "mesh" else min(d, e - d) for d, e in far)
        if a != b and distance <= 1 and (a // per_host, b // per_host) not in lost:
            links.append((a, b, 1 if distance else ports))
    return links


class Question(namedtuple("Question", "ranks ports links blocks")):
    def merged(self):
        """The question in which blocks with equal holders are one block. It is equivalent if messages have any size."""
        of = {}
        for held, wanted in self.blocks:
            of.setdefault(tuple(held), set()).update(wanted)
        blocks = [(list(held), sorted(of[held])) for held in sorted(of)]
        return self._replace(blocks=blocks)

    def width(self):
        if self.links is None:
            return {pair: self.ports for pair in product(range(self.ranks), repeat=2) if pair[0] != pair[1]}
        return {(a, b): width for a, b, width in self.links}

    def channels(self, any_size):
        return [pair for pair, w in self.width().items() for _ in range(1 if any_size else min(w, self.ports))]

    def distances(self, sources):
        far, queue, pairs = {rank: 0 for rank in sources}, list(sources), list(self.width())
        for at in queue:
            for a, b in pairs:
                if a == at and b not in far:
                    far[b] = far[at] + 1
                    queue.append(b)
        return far


def check_schedule(question, moves, rounds, message_blocks):
    """Replays the schedule. Returns the blocks of the largest message of each round, summed over the rounds."""
    width, critical, by_round = question.width(), 0, {}
    has = [{i for i, (held, _) in enumerate(question.blocks) if rank in held} for rank in range(question.ranks)]
    for t, source, target, blocks in moves:
        by_round.setdefault(integer(t, 1, rounds, "a round"), []).append((source, target, blocks))
    for t in sorted(by_round):
        sent, received, used, before, largest = {}, {}, {}, [set(each) for each in has], 0
        for source, target, blocks in by_round[t]:
            require((source, target) in width, "ranks", source, "and", target, "do not talk")
            for count, key in ((sent, source), (received, target), (used, (source, target))):
                count[key] = count.get(key, 0) + 1
            require(message_blocks is None or len(blocks) <= message_blocks, "a message is too large")
            require(set(listed(blocks, "blocks")) <= before[source], "rank", source, "sends what it lacks")
            has[target].update(blocks)
            largest = max(largest, len(blocks))
        require(all(n <= question.ports for count in (sent, received) for n in count.values()), "too many ports")
        require(all(n <= width[pair] for pair, n in used.items()), "too many messages over a link")
        critical += largest
    for i, (_, wanted) in enumerate(question.blocks):
        require(all(i in has[rank] for rank in wanted), "block", i, "does not come to all that want it")
    return critical


growth = lambda start, goal, ports: 0 if start >= goal else 1 + growth(start * (ports + 1), goal, ports)


def counted(question, lower, of, message_blocks):
    """The lower bound that a counting argument proves."""
    by, k, blocks = lower["by"], question.ports, question.blocks
    rank = integer(lower["rank"], 0, question.ranks - 1, "a rank") if "rank" in lower else None
    if by in ("doubling", "distance"):
        held, wanted = blocks[integer(lower["block"], 0, len(blocks) - 1, "a block")]
        if by == "doubling":
            return growth(len(held), len(held) + len(wanted), k)
        require(rank in wanted, "a rank that does not want the block")
        return question.distances(held).get(rank, FAR)
    if by == "hearing":
        heard = {held[0] for held, wanted in blocks if len(held) == 1 and rank in wanted}
        return growth(1, 1 + len(heard), k)
    # A schedule with c critical blocks becomes one with c rounds of one block. So bounds for one block count here.
    size = 1 if of == "critical_blocks" else message_blocks
    require(size is not None, "messages of any size are not counted")
    if by == "departures":
        require(of == "rounds", "departures count rounds")
        chosen = [blocks[integer(i, 0, len(blocks) - 1, "a block")] for i in set(lower["blocks"])]
        require(chosen and all(held == [rank] for held, _ in chosen), "a block that another rank holds too")
        fewest = min(len(wanted) for _, wanted in chosen)
        return -(-len(chosen) // (k * size)) - 1 + growth(1, 1 + fewest, k)
    require(by == "cut", "no argument:", by)
    inside = {integer(r, 0, question.ranks - 1, "a rank") for r in lower["ranks"]}
    others = set(range(question.ranks)) - inside
    owed = sum(1 for held, wanted in blocks if inside & set(wanted) and not inside & set(held))
    out, into = dict.fromkeys(others, 0), dict.fromkeys(inside, 0)
    for (a, b), width in question.width().items():
        if a in others and b in inside:
            out[a] += width
            into[b] += width
    messages = min(sum(min(n, k) for n in side.values()) for side in (out, into))
    return (-(-owed // (messages * size)) if messages else FAR) if owed else 0


class Formula:
    """The question as clauses. A clause is a list of literals."""

    def __init__(self, question, rounds, limit, critical):
        self.clauses, p, count = [], question.ranks, len(question.blocks)
        channels = question.channels(limit is None and critical is None)
        width = len(channels)
        start = 1 + (rounds + 1) * p * count
        has = lambda t, r, i: 1 + (t * p + r) * count + i
        sends = lambda t, c: start + (t - 1) * width + c
        carries = lambda t, c, i: start + rounds * width + ((t - 1) * width + c) * count + i
        self.next = carries(rounds, width - 1, count - 1) + 1
        add = self.clauses.append
        for r, i in product(range(p), range(count)):
            add([has(0, r, i) if r in question.blocks[i][0] else -has(0, r, i)])
        for t in range(1, rounds + 1):
            for r in range(p):
                for end in (0, 1):
                    self.at_most([sends(t, c) for c in range(width) if channels[c][end] == r], question.ports)
            for r in range(p):
                into = [c for c in range(width) if channels[c][1] == r]
                for i in range(count):
                    add([-has(t, r, i), has(t - 1, r, i)] + [carries(t, c, i) for c in into])
            for c in range(width):
                for i in range(count):
                    add([-carries(t, c, i), sends(t, c)])
                    add([-carries(t, c, i), has(t - 1, channels[c][0], i)])
                self.at_most([carries(t, c, i) for i in range(count)], count if limit is None else limit)
        for i in range(count):
            for r in question.blocks[i][1]:
                add([has(rounds, r, i)])
        if critical is None:
            return
        most, every = min(count if limit is None else limit, critical, count), []
        for t in range(1, rounds + 1):
            largest = range(self.next, self.next + most)
            self.next += most
            for c in range(width):
                counts = self.counter([carries(t, c, i) for i in range(count)], most)
                self.clauses += [[-number, each] for number, each in zip(counts, largest)]
            every += largest
        self.at_most(every, critical)

    def at_most(self, literals, most):
        if 0 == most < len(literals):
            self.clauses += [[-each] for each in literals]
        elif 1 == most < len(literals) <= 16:
            self.clauses += [[-a, -b] for a, b in combinations(literals, 2)]
        elif most < len(literals):
            self.counter(literals, most)

    def counter(self, literals, most):
        add, before = self.clauses.append, []
        for n, literal in enumerate(literals):
            now = list(range(self.next, self.next + min(n + 1, most)))
            self.next += len(now)
            add([-literal, now[0]])
            for j, each in enumerate(before):
                add([-each, now[j]])
                if j + 1 < len(now):
                    add([-literal, -each, now[j + 1]])
            if len(before) == most:
                add([-literal, -before[-1]])
            before = now
        return before


class Propagation:
    """Unit propagation with two watched literals per clause. The literal of variable v is 2 v, or 2 v + 1 if
    negated."""

    def __init__(self, variables):
        self.values = [None] * (2 * variables + 2)
        self.watches = [[] for _ in self.values]
        self.trail, self.done, self.refuted = [], 0, False

    def add(self, clause):
        values, literals = self.values, {2 * l if l > 0 else 1 - 2 * l for l in clause}
        if any(l ^ 1 in literals for l in literals):
            return
        literals = sorted(literals, key=lambda l: values[l] is False)
        for literal in literals[:2] if len(literals) > 1 else ():
            self.watches[literal].append(literals)
        if not literals or values[literals[0]] is False:
            self.refuted = True
        elif (len(literals) == 1 or values[literals[1]] is False) and values[literals[0]] is None:
            self.assign(literals[0])
            self.refuted = self.propagate() or self.refuted

    def assign(self, literal):
        self.values[literal], self.values[literal ^ 1] = True, False
        self.trail.append(literal)

    def propagate(self):
        """Whether propagation makes a clause false."""
        values, trail, watches = self.values, self.trail, self.watches
        while self.done < len(trail):
            false = trail[self.done] ^ 1
            self.done += 1
            watching, kept = watches[false], []
            for number, clause in enumerate(watching):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                for k in range(2, 0 if values[first] else len(clause)):
                    if values[clause[k]] is not False:
                        clause[1], clause[k] = clause[k], false
                        watches[clause[1]].append(clause)
                        break
                else:
                    kept.append(clause)
                    if values[first] is False:
                        watches[false] = kept + watching[number + 1:]
                        return True
                    if values[first] is None:
                        self.assign(first)
            watches[false] = kept
        return False

    def follows(self, clause):
        """Whether a clause follows: if all its literals are false, propagation makes a clause false."""
        if self.refuted:
            return True
        level, conflict = len(self.trail), False
        for literal in (2 * l + 1 if l > 0 else -2 * l for l in clause):
            conflict = conflict or self.values[literal] is False
            if self.values[literal] is None:
                self.assign(literal)
        conflict = conflict or self.propagate()
        for literal in self.trail[level:]:
            self.values[literal] = self.values[literal ^ 1] = None
        del self.trail[level:]
        self.done = level
        return conflict


def integers(line):
    numbers = [int(word) for word in line.split()]
    require(numbers and numbers[-1] == 0 and 0 not in numbers[:-1], "no clause:", line)
    return numbers[:-1]


def check_refutation(question, lower, proof):
    formula = Formula(question, *(lower[key] for key in ("rounds", "message_blocks", "critical_blocks")))
    with open(proof + ".cnf", encoding="ascii") as file:
        head = file.readline().split()
        require(head == ["p", "cnf", str(formula.next - 1), str(len(formula.clauses))], "another formula:", *head)
        for expected in formula.clauses:
            line = file.readline()
            require(integers(line) == expected, "another clause:", line)
        require(not file.read().strip(), "the formula has more clauses")
    state, lemmas = Propagation(formula.next - 1), 0
    for clause in formula.clauses:
        state.add(clause)
    with open(proof + ".drat", encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("d "):
                continue  # a deleted clause may be kept: propagation with more clauses proves at least as much
            clause, lemmas = integers(line), lemmas + 1
            require(all(abs(literal) < formula.next for literal in clause), "line", number, "has a new variable")
            require(state.follows(clause), "line", number, "does not follow:", line)
            state.add(clause)
    require(state.refuted, "the proof does not end in the empty clause")
    require(lower["lemmas"] == lemmas, "the proof has", lemmas, "lemmas")


def check_lower(question, proof, name):
    of, lower, size, least = proof["of"], proof["lower"], proof["message_blocks"], proof["at_least"]
    require(least == lower["at_least"], "the argument is for another number")
    if lower["by"] != "search":
        return require(least == 0 or counted(question, lower, of, size) >= least, "the argument proves less")
    rounds = integer(lower["rounds"], 1, 1 << 16, "rounds")
    require(rounds == (least - 1 if of == "rounds" else proof["rounds"]), "it refutes other rounds")
    require(lower["critical_blocks"] == (None if of == "rounds" else least - 1), "it refutes other volumes")
    require(lower["message_blocks"] == size, "it refutes another size of messages")
    merged = flag(lower["merged"], "merged")
    require(not merged or size is None and of == "rounds", "these blocks do not travel together")
    return check_refutation(question.merged() if merged else question, lower, name)


def check(scenario_file, proof_file):
    scenario, proof = load(scenario_file), load(proof_file)
    require(proof["format"] == "rondo-optimum-proof" and proof["format_version"] == 1, "no such proof")
    require("sweep" not in scenario, "a sweep: write its point out")
    require(type(scenario["machine"]) is dict, "a machine in another file: write it out")
    other = [key for key in ("machine", "collective", "block") if proof["scenario"].get(key) != scenario.get(key)]
    require(not other, "the proof is of another scenario:", *other)
    promise, machine = promise_of(scenario, proof["promise"], proof.get("pieces", 1)), scenario["machine"]
    blocks, backwards = blocks_of(promise)
    ports, links = machine.get("ports", 1), links_of(machine, promise.ranks)
    links = sorted((b, a, width) for a, b, width in links) if backwards and links is not None else links
    require(flag(proof["reversed"], "reversed") == backwards and proof["ports"] == ports, "another direction, or ports")
    require(proof["links"] == ("any" if links is None else [list(each) for each in links]), "other links")
    require(proof["blocks"] == [{"held": h, "wanted": w} for h, w in blocks], "other blocks")
    question, of, size = Question(promise.ranks, ports, links, blocks), proof["of"], proof["message_blocks"]
    require(of in ("rounds", "critical_blocks"), "least of what:", of)
    require(size is None or integer(size, 1, 1 << 20, "message_blocks"), "no size of messages")
    rounds = integer(proof["rounds"], 0, 1 << 16, "rounds")
    critical = check_schedule(question, proof["schedule"], rounds, size)
    require((rounds if of == "rounds" else critical) == proof["at_most"], "the schedule takes", critical, "blocks")
    integer(proof["at_least"], 0, proof["at_most"], "at_least")
    check_lower(question, proof, proof_file)
    return proof


def main():
    try:
        require(len(sys.argv) == 3, "expected SCENARIO and PROOF")
        proof = check(*sys.argv[1:])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError, RecursionError) as why:
        print(f"REFUSED: {type(why).__name__}: {str(why).strip()}")
        return 1
    pieces = f" in {proof['pieces']} pieces a block" if "pieces" in proof else ""
    print(f"holds: {proof['of']}: at least {proof['at_least']}, at most {proof['at_most']}, by {proof['lower']['by']}{pieces}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
