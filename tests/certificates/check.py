#!/usr/bin/env python3
"""Checks a certificate of `rondo prove --certificate`. It shares no code with Rondo.

    check.py SCHEDULE CERTIFICATE [PROMISE]
    check.py --list FILE        a line of FILE is a case, with the names between tabs; prints a line for each case

It reads a schedule (rondo-schedule JSON), its promise (a given file, in the schedule, or a file beside it) and the
certificate. The certificate lists the content that arrives in each place.

Each rank is checked alone. It begins with the blocks that it holds by the promise, and receives the contents of the
certificate. It must have the contents that it sends, and must end with the contents that it is owed.

The sent contents must be the received ones. Each message is hashed with its ranks, its number between them, its round,
the bytes of each of its places and their contents, under a random key of this run. The sums of the hashes of all sends
and of all receives must be equal modulo 2^256. Both ends of a message are in one round. Therefore no rank waits for
ever, whether sends are buffered or wait for their receives. By induction over the rounds, the arriving contents are
those of the certificate.

Each rank must also keep the rules of places. The send buffer is only read. No content is lost that was never read. In a
round at most one message stores into a place, and none stores into a place that is being sent. Joins follow it.

tasks.py checks schedules of tasks (MSCCL XML, GOAL, Chakra traces). Exit code 0: the certificate holds; 1: it does not.
"""

import hashlib
import os
import sys
import xml.parsers.expat
from collections import Counter
from itertools import count, repeat

import tasks
from promises import MOST_RANKS, Algebra, Promise, add, integer, known_keys, listed, loads, require, said_promise

BUFFERS = ("send", "receive", "intermediate")
OF_PROGRAM, OF_ROUND = {"ranks", "buffers", "copies", "rounds"}, {"sends", "receives", "copies"}
OF_SEND = frozenset(("rank", "offset", "bytes", "places", "label"))
OF_RECEIVE = OF_SEND | {"join"}
MOST_BYTES, MOST_SLOTS = 1 << 40, 1 << 30
KEY = os.urandom(32)


def programs_of(file):
    """The head of a schedule, and an iterator over its programs. If each program has its own line, as in Rondo's files,
    the programs are read one by one."""
    first, second = file.readline().rstrip(), file.readline().rstrip()
    if first.endswith(",") and second == '"programs":[' and '"programs"' not in first:
        return loads(first[:-1] + "}"), program_lines(file)
    file.seek(0)
    whole = loads(file.read())
    require(type(whole) is dict, "a schedule is an object")
    return {key: whole[key] for key in whole if key != "programs"}, iter(listed(whole["programs"], "programs"))


def program_lines(file):
    """The programs, each on a line, up to the line that ends the list and the schedule."""
    more = True
    for line in map(str.rstrip, file):
        if line in ("]}", "]"):
            rest = line + file.read()
            require("".join(rest.split()) == "]}", "what stands behind the programs is not read")
            return
        require(more, "two programs stand side by side")
        more = line.endswith(",")
        yield loads(line[:-1] if more else line)
    require(False, "the programs have no end")


class Head:
    """The members of a schedule before its programs."""

    KEYS = frozenset(("$schema", "format", "format_version", "collective", "algorithm", "ranks", "block_bytes", "torus",
                      "promises", "promise"))  # fmt: skip

    def __init__(self, said):
        known_keys(said, self.KEYS, "the schedule")
        require(said.get("format") == "rondo-schedule", "no schedule")
        require(said.get("format_version", 1) == 1 and said.get("format_version") is not True, "an unknown version")
        require(all(type(said.get(key, "")) is str for key in ("collective", "algorithm")), "names are strings")
        self.block_bytes = integer(said.get("block_bytes", 1), 0, MOST_BYTES, "block_bytes")
        self.torus = said.get("torus")
        size = None
        if self.torus is not None:
            size = 1
            for extent in listed(self.torus, "torus"):
                size *= integer(extent, 1, MOST_RANKS, "an extent")
        self.ranks = integer(said.get("ranks", size), 1, MOST_RANKS, "ranks")
        require(size in (None, self.ranks), "ranks are not those of the torus")
        promises = known_keys(said.get("promises", {}), {"ports", "links"}, "promises")
        self.ports = integer(promises.get("ports", 0), 0, MOST_RANKS, "ports")
        self.links = promises.get("links", "any")
        require(self.links == "any" or self.links in ("unit", "axis") and self.torus is not None, "links:", self.links)
        self.inside = said.get("promise")
        require("promise" not in said or type(self.inside) in (dict, str), "no promise")
        self.styles, self.labels, self.rounds, self.last_is_used = set(), set(), 0, True

    def distances(self, first, second):
        """The distance of two ranks in each dimension of the torus, from the last dimension on. All are closed."""
        for extent in reversed(self.torus):
            apart = abs(first % extent - second % extent)
            yield min(apart, extent - apart)
            first, second = first // extent, second // extent

    def joined(self, first, second):
        """Whether the promised links join two ranks."""
        if self.links == "any":
            return True
        distances = list(self.distances(first, second))
        return sum(distances) == 1 if self.links == "unit" else sum(map(bool, distances)) == 1


class Program:
    """A program, with the checks that are the same for all ranks that follow it."""

    def __init__(self, head, said):
        self.head = head
        known_keys(said, OF_PROGRAM, "a program")
        self.of_all = said["ranks"] == "all"
        self.ranks = range(head.ranks) if self.of_all else listed(said["ranks"], "the ranks of a program")
        for rank in () if self.of_all else self.ranks:
            integer(rank, 0, head.ranks - 1, "a rank")
        self.followers = self.ranks if self.of_all else set(self.ranks)
        self.buffers = dict(map(self.buffer, known_keys(said.get("buffers", {}), set(BUFFERS), "buffers").items()))
        self.copies = self.read_copies(said)
        self.rounds = [self.read_round(each) for each in listed(said.get("rounds", []), "rounds")]
        used = any(self.rounds[-1][:2]) if self.rounds else False
        if len(self.rounds) > head.rounds:
            head.rounds, head.last_is_used = len(self.rounds), False
        if len(self.rounds) == head.rounds > 0 and used and self.ranks:
            head.last_is_used = True

    def buffer(self, item):
        name, said = item
        known_keys(said, {"slots", "bytes"}, "a buffer")
        slots = integer(said["slots"], 0, MOST_SLOTS, "slots")
        if "bytes" in said:
            [integer(size, 0, MOST_BYTES, "bytes") for size in listed(said["bytes"], "bytes", slots)]
        return name, (slots, said.get("bytes"))

    def slots(self, name):
        return self.buffers[name][0] if name in self.buffers else 0

    def size(self, place):
        sizes = self.buffers[place[0]][1]
        return self.head.block_bytes if sizes is None else sizes[place[1]]

    def place(self, said):
        name, slot = listed(said, "a place", 2)
        if type(name) is not str or type(slot) is not int or not 0 <= slot < self.slots(name):
            raise ValueError(f"no place: {said}")
        return (name, slot)

    def join(self, said):
        require(said in ("before", "after"), "no join:", said)
        return said

    def read_copies(self, said):
        copies = []
        for copy in listed(said.get("copies", []), "copies"):
            require(type(copy) is list and 2 <= len(copy) <= 3, "no copy:", copy)
            source, target = map(self.place, copy[:2])
            alike = not self.ranks or self.size(source) == self.size(target)
            require(alike, "a copy between slots of other sizes:", copy)
            copies.append((source, target, self.join(copy[2]) if copy[2:] else None))
        return copies

    def read_round(self, said):
        known_keys(said, OF_ROUND, "a round")
        sends = [self.transfer(each, OF_SEND) for each in listed(said.get("sends", []), "sends")]
        receives = [self.transfer(each, OF_RECEIVE) for each in listed(said.get("receives", []), "receives")]
        most, ports = max(len(sends), len(receives)), self.head.ports
        require(not self.ranks or not ports or most <= ports, "more messages in a round than ports are promised")
        return sends, receives, self.read_copies(said)

    def transfer(self, said, keys):
        known_keys(said, keys, "a message")
        places = [self.place(place) for place in listed(said["places"], "places")]
        sizes = tuple(map(self.size, places))
        if "bytes" in said:
            total = sum(sizes)
            require(type(said["bytes"]) is int and said["bytes"] == total, "bytes are not those of the places")
        join = self.join(said["join"]) if "join" in said else None
        if keys is OF_RECEIVE and not join and len(places) > 1:
            require(len(set(places)) == len(places), "a message that is stored writes a place twice")
        if "label" in said:
            require(type(said["label"]) is str, "no label")
            self.head.labels.add(said["label"])
            require(len(self.head.labels) < 256, "more than 255 labels")
        return self.partner(said), places, sizes, join

    def partner(self, said):
        """The partner of a message: a rank, or an offset modulo the torus."""
        require(("rank" in said) != ("offset" in said), "a message has a rank or an offset")
        self.head.styles.add("rank" in said)
        require(len(self.head.styles) == 1, "partners are ranks everywhere or offsets everywhere")
        if "rank" in said:
            rank = integer(said["rank"], 0, self.head.ranks - 1, "a partner")
            require(rank not in self.followers, "a partner follows the program itself:", rank)
            return rank
        require(self.head.torus, "an offset without a torus")
        offset = listed(said["offset"], "an offset", len(self.head.torus))
        away = [integer(c, -MOST_RANKS, MOST_RANKS, "a coordinate") % e for c, e in zip(offset, self.head.torus)]
        require(any(away), "an offset that leads back to the rank itself")
        return tuple(away)


class Replay:
    """Replays one rank without the others."""

    def __init__(self, head, promise, rank, program, arrives):
        self.head, self.me, self.program, self.algebra = head, rank, program, promise.algebra
        self.arrives, self.sum = iter(arrives), 0
        self.sent, self.received = Counter(), Counter()
        self.cells, self.read, self.stored, self.owed = {}, {}, {}, {}
        held = promise.held(rank)
        self.require(len(held) <= program.slots("send"), "has too few send slots")
        for slot, (block, origin) in enumerate(held):
            self.cells["send", slot] = self.algebra.block(block, origin)
        slot = 0
        for pieces, size in promise.send_sizes(rank):
            sizes = sum(program.size(("send", slot + k)) for k in range(pieces))
            self.require(sizes == size, "holds a block of", size, "bytes in", sizes)
            slot += pieces
        for slot, runs in enumerate(promise.owed(rank)):
            self.require(slot < program.slots("receive"), "has too few receive slots")
            if runs is not None:
                self.owed["receive", slot] = self.algebra.reduction(runs)

    def require(self, holds, *words):
        require(holds, "rank", self.me, *words)

    def content(self, place, number):
        """The content of a place that is sent or copied in a round."""
        self.require(place in self.cells, "reads", place, "where nothing lies")
        self.read[place] = number
        return self.cells[place]

    def put(self, place, content, join, number, by_message):
        self.require(place[0] != "send", "writes into its send buffer")
        there = self.cells.get(place)
        if join:
            self.require(there, "joins into", place, "where nothing lies")
            content = self.algebra.join(content, there) if join == "before" else self.algebra.join(there, content)
        elif there:
            if by_message:
                self.require(self.stored.get(place) != number, "receives twice in a round into", place)
                self.require(self.read.get(place) != number, "receives into", place, "while it is sent")
            if place not in self.read:
                self.require(there[0] == content[0], "loses", place, "which was never read")
                self.require(there[0] != self.owed.get(place), "is delivered the same once more in", place)
        if join or by_message:
            self.stored[place] = number
        self.read.pop(place, None)
        self.cells[place] = content

    def message(self, sign, ends, *what):
        words = repr((ends, what)).encode()
        self.sum += sign * int.from_bytes(hashlib.blake2b(words, digest_size=32, key=KEY).digest(), "big")

    def arriving(self):
        label = next(self.arrives, None)
        self.require(label is not None, "gets less by the certificate than by the schedule")
        return content_of(label, self.algebra)

    def copy(self, copies, number):
        for source, target, join in copies:
            self.put(target, self.content(source, number), join, number, False)

    def peer(self, partner):
        torus = self.head.torus
        peer = partner if type(partner) is int else add(torus, self.me, partner, repeat(True, len(torus)))
        self.require(self.head.joined(self.me, peer), "talks to", peer, "over no promised link")
        return peer

    def run(self):
        self.copy(self.program.copies, 0)
        for number, (sends, receives, copies) in enumerate(self.program.rounds, 1):
            for partner, places, sizes, _ in sends:
                peer, contents = self.peer(partner), [self.content(place, number) for place in places]
                self.sent[peer] += 1
                self.message(1, (self.me, peer), self.sent[peer], number, sizes, contents)
            for partner, places, sizes, join in receives:
                peer, contents = self.peer(partner), [self.arriving() for _ in places]
                self.received[peer] += 1
                self.message(-1, (peer, self.me), self.received[peer], number, sizes, contents)
                for place, content in zip(places, contents):
                    self.put(place, content, join, number, True)
            self.copy(copies, number)
        self.require(next(self.arrives, None) is None, "gets more by the certificate than by the schedule")
        for place, owed in self.owed.items():
            self.require(self.cells.get(place, [None])[0] == owed, "is owed another content in", place)
        return self.sum


def content_of(label, algebra):
    """The content that a certificate writes as [BLOCK, RANK] or [BLOCK, RANK, n, RANK, n, ...].

    If blocks with several numbers are joined, or one contribution several times, it is a list of [BLOCK, RANK, n,
    TIMES]. If the promise asks for the same bits, it is the number of a join."""
    if type(label) is int:
        integer(label, 0, len(algebra.made) - 1, "a join")
        return (algebra.made[label], label)
    require(type(label) is list and len(label) > 1 or type(label[0]) is list, "no content:", label)
    if len(label) == 2 and type(label[0]) is int:
        block, rank = integer(label[0], 0, (1 << 32) - 1, "a block"), integer(label[1], 0, algebra.ranks - 1, "a rank")
        return algebra.block(block, rank)
    require(not algebra.same_bits, "a content does not say by which joins it was made")
    if type(label[0]) is list:
        return (algebra.reduction(label), None)
    block, *runs = label
    require(len(runs) % 2 == 0, "no content:", label)
    return (algebra.reduction((block, first, count, 1) for first, count in zip(runs[::2], runs[1::2])), None)


def read_joins(line, algebra):
    """Reads the joins of contents, if the promise asks for the same bits. Each is listed once, and after its
    operands."""
    for left, right in listed(loads(line)["joins"], "joins"):
        known = len(algebra.made)
        algebra.join(content_of(left, algebra), content_of(right, algebra))
        require(len(algebra.made) == known + 1, "two joins of a certificate are one")


def lines_of(arrivals, ranks):
    """A function that returns the arriving contents of a rank. The ranks may be asked for in any order."""
    lines = {}

    def line_of(rank):
        while rank not in lines:
            require(line := arrivals.readline(), "the certificate has no line of rank", rank)
            entry = known_keys(loads(line), {"rank", "arrives"}, "a line of a certificate")
            number = integer(entry["rank"], 0, ranks - 1, "the rank of a line")
            require(number not in lines, "the certificate has two lines of rank", number)
            lines[number] = entry["arrives"]
        found, lines[rank] = lines[rank], None
        return listed(found, "what arrives")

    return line_of


def made_once_alike(promise, replay, made):
    """Requires that equal owed reductions are made by the same joins, if the promise asks for the same bits."""
    for place, owed in replay.owed.items() if promise.algebra.same_bits else ():
        content = replay.cells[place]
        if type(content[1]) is int:
            require(made.setdefault(owed, content[1]) == content[1], "rank", replay.me, "has other bits in", place)


def check_rounds(said, file, arrivals, schedule, promise_file):
    head, programs = programs_of(file)
    head = Head(head)
    promise = said_promise(schedule, head.inside, promise_file)
    require(promise, "no promise")
    promise = Promise(promise, head.block_bytes)
    require(head.ranks == promise.ranks, "the ranks of the schedule are not those of the promise")
    require(said.get("ranks") == head.ranks, "the certificate is of other ranks")
    require(said.get("needs_buffered_sends", False) is False, "schedules in rounds need no buffered sends")
    if promise.algebra.same_bits:
        read_joins(arrivals.readline(), promise.algebra)
    total, seen, made, number, slots = 0, set(), {}, 0, 0
    line_of = lines_of(arrivals, head.ranks)
    for number, said_program in enumerate(programs, 1):
        program = Program(head, said_program)
        require(not program.of_all or number == 1, "a program of all ranks beside another one")
        one_for_all = program.of_all and True not in head.styles
        slots += sum(map(program.slots, BUFFERS)) * (1 if one_for_all else len(program.ranks))
        require(slots <= MOST_SLOTS, "more slots than can be followed")
        for rank in program.ranks:
            require(rank not in seen, "rank", rank, "follows two programs")
            seen.add(rank)
            replay = Replay(head, promise, rank, program, line_of(rank))
            total += replay.run()
            made_once_alike(promise, replay, made)
    require(len(seen) == head.ranks, "ranks without a program")
    require(head.last_is_used, "no rank sends or receives in the last round")
    require(said.get("rounds") == head.rounds, "the certificate is of other rounds")
    require(total % (1 << 256) == 0, "what is sent is not what is received")
    require(not arrivals.read().strip(), "the certificate has more lines than ranks")


def check_tasks(said, given, arrivals, schedule, promise_file):
    graph = tasks.Graph(given)
    require(said.get("ranks") == given.ranks and said.get("tasks") == len(graph.tasks), "the certificate is of others")
    known = given.buffers is not None
    for sends, receives in graph.channels.values():
        sizes = [[(graph.tasks[i].amount, graph.tasks[i].count) for i in end] for end in (sends, receives)]
        # If places are not known, the messages of a channel may match in an order that depends on time.
        require(sizes[0] == sizes[1] or not known and sorted(sizes[0]) == sorted(sizes[1]), "sizes differ at both ends")
    order = graph.in_order()
    require(graph.ends(True), "a circular wait")
    require(not known or len(order) == 2 * len(graph.tasks), "a circular wait")
    require(not known or len(graph.in_order(graph.slots())) == len(order), "a circular wait for room in channels")
    require(said.get("needs_buffered_sends") is (not graph.ends(False)), "another word on buffered sends")
    if known:
        tasks.check_races(graph, order)
    promise = said_promise(schedule, None, promise_file)
    require(known or promise is None, "a promise, and nobody says what becomes of blocks")
    if promise is not None:
        require(not promise.get("benchmark"), "a promise of tasks is no benchmark")
        promise = Promise(tasks.with_pieces(given, promise), 1)
        require(promise.ranks == given.ranks, "the ranks of the promise are others")
        held, owed = ([slots(r) for r in range(given.ranks)] for slots in (promise.held, promise.owed))
        algebra = promise.algebra
        if given.tagged:
            held, owed = tasks.by_tags(given, held, owed)
    elif given.chunks:
        (held, owed), algebra = given.chunks, Algebra(given.ranks, False, False, False)
    else:
        require(not arrivals.read().strip(), "the certificate has lines of ranks that are promised nothing")
        return
    if algebra.same_bits:
        read_joins(arrivals.readline(), algebra)
    arrive, at = {}, 0
    line_of = lines_of(arrivals, given.ranks)
    for rank in range(given.ranks):
        labels, at = line_of(rank), 0
        for i, task in enumerate(graph.tasks):
            if task.rank == rank and task.kind == "receive":
                arrive[i] = [content_of(label, algebra) for label in labels[at : at + task.count]]
                at += task.count
        require(at == len(labels), "rank", rank, "gets another number of places by the certificate")
    require(not arrivals.read().strip(), "the certificate has more lines than ranks")
    tasks.check_contents(graph, order, held, owed, algebra, arrive.__getitem__)


def traces_of(first):
    """The name of the trace of rank 0, and the names of the traces of the other ranks beside it."""
    for rank in count():
        name = f"{first[: -len('0.et')]}{rank}.et"
        if not os.path.exists(name):
            return
        yield name


def check(schedule, certificate, promise_file=None):
    with open(schedule, "rb") as file, open(certificate, encoding="utf-8") as arrivals:
        said = loads(arrivals.readline())
        require(type(said) is dict and said.get("format") == "rondo-certificate", "no certificate")
        require(said.get("format_version") == 1, "an unknown version of certificates")
        begin = file.read(4096).lstrip()[:1]
        file.seek(0)
        if schedule.endswith(".xml") or begin == b"<":
            return check_tasks(said, tasks.read_msccl(file.read()), arrivals, schedule, promise_file)
        if file.read(8) == (4223).to_bytes(8, "little"):
            file.seek(0)
            return check_tasks(said, tasks.read_goal_binary(file.read()), arrivals, schedule, promise_file)
        file.seek(0)
        if schedule.endswith(".goal"):
            return check_tasks(said, tasks.read_goal(file.read().decode()), arrivals, schedule, promise_file)
        if schedule.endswith(".0.et"):
            return check_tasks(said, tasks.read_traces(list(traces_of(schedule))), arrivals, schedule, promise_file)
        with open(schedule, encoding="utf-8") as text:
            check_rounds(said, text, arrivals, schedule, promise_file)


REFUSALS = (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, OSError, StopIteration,
            xml.parsers.expat.ExpatError)  # fmt: skip


def why_not(names):
    try:
        check(*names)
    except REFUSALS as error:
        return f"{type(error).__name__}: {error}" if type(error) is not ValueError else str(error) or "no"
    return None


def check_list(path):
    with open(path, encoding="utf-8") as cases:
        for case in cases:
            names = case.rstrip("\n").split("\t")
            why = why_not(names)
            print(f"{names[1]}: " + ("holds" if why is None else "refused: " + why.replace("\n", " ")))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--list":
        sys.exit(check_list(sys.argv[2]))
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    refusal = why_not(sys.argv[1:])
    if refusal is not None:
        sys.exit(f"{sys.argv[2]}: refused: {refusal}")
    print(f"{sys.argv[2]}: holds")
