"""Schedules of tasks, for check.py: readers of MSCCL XML, GOAL and Chakra traces, and the checks of tasks.

It shares no code with Rondo. A task is a send, a receive or a calculation of a rank. It starts when all tasks that it
requires have finished, or have started. `reads` and `writes` are cells. A cell is the number of a place over all ranks.
"""

import re
import struct
import xml.parsers.expat
from collections import defaultdict, deque
from dataclasses import dataclass, field

from promises import Promise, integer, require

MOST = (1 << 31) - 1


@dataclass
class Task:
    kind: str
    rank: int
    peer: int = 0
    tag: int = 0
    amount: int = 0
    count: int = 0
    reads: list = field(default_factory=list)
    writes: list = field(default_factory=list)
    passed: int = -1  # of a send: the receive whose outcome it sends; -1: none
    join: str = ""
    requires: list = field(default_factory=list)  # (task, "finish" or "start")


@dataclass
class Tasks:
    ranks: int
    tasks: list
    buffers: list = None  # per rank (first cell, cells) of send and receive buffer; None: no places
    slots: int = 0  # the number of messages that a channel holds; 0: any number
    tagged: int = 0  # the number of blocks of each rank that tags name
    chunks: tuple = None  # of MSCCL: for each rank the blocks that it holds, and the runs that it is owed by slot
    is_msccl: bool = False


# MSCCL XML

STEPS = {  # for each type, whether it reads its source, writes its target, receives, sends
    "s": (1, 0, 0, 1), "r": (0, 1, 1, 0), "rcs": (0, 1, 1, 1), "rrs": (1, 0, 1, 1), "rrc": (1, 1, 1, 0),
    "rrcs": (1, 1, 1, 1), "cpy": (1, 1, 0, 0), "re": (1, 1, 0, 0), "nop": (0, 0, 0, 0)}  # fmt: skip
SLOTS = {"Simple": 2, "LL": 8, "LL128": 8}
NESTING = ("algo", "gpu", "tb", "step")


def elements_of(data):
    """An <algo> as nested [attributes, children]."""
    stack, top = [], []

    def start(name, attributes):
        require(len(stack) < 4 and name == NESTING[len(stack)], "an element in the wrong place:", name)
        element = [attributes, []]
        (stack[-1][1] if stack else top).append(element)
        stack.append(element)

    def no_doctype(*_):
        raise ValueError("a document type declaration")

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler, parser.StartDoctypeDeclHandler = start, no_doctype
    parser.EndElementHandler = lambda name: stack.pop()
    parser.Parse(data, True)
    return top[0]


def number(attributes, name, least, most=MOST):
    text = attributes[name]
    require(re.fullmatch(r"-?[0-9]+", text), name, "is no number:", text)
    return integer(int(text), least, most, name)


def word(attributes, name, known):
    require(attributes[name] in known, name, "is unknown:", attributes[name])
    return attributes[name]


def read_msccl(data):
    algo, gpus = elements_of(data)
    require("name" in algo, "an algorithm without a name")
    slots, kind = SLOTS[word(algo, "proto", SLOTS)], word(algo, "coll", OWED)
    number(algo, "nchannels", 0)
    p, chunks = number(algo, "ngpus", 1, 1 << 20), number(algo, "nchunksperloop", 1, 1 << 26)
    in_place = number(algo, "inplace", 0, 1) == 1
    require(kind not in ("allgather", "reduce_scatter", "alltoall") or chunks % p == 0, "chunks for each gpu differ")
    inputs = chunks // p if kind == "allgather" else chunks
    outputs = chunks // p if kind == "reduce_scatter" else chunks
    by_id = {}
    for attributes, blocks in gpus:
        rank = number(attributes, "id", 0, p - 1)
        require(rank not in by_id, "a gpu stands twice:", rank)
        by_id[rank] = (attributes, blocks)
    require(len(by_id) == p, "gpus are missing")
    tasks, buffers, cell = [], [], 0
    for rank in range(p):
        attributes, blocks = by_id[rank]
        send, receive = [cell, inputs], [cell, outputs]
        if not in_place:
            receive[0] += inputs
        elif kind == "allgather":
            send[0] += rank * inputs
        elif kind == "reduce_scatter":
            receive[0] += rank * outputs
        scratch = number(attributes, "s_chunks", 0, 1 << 26)
        first = max(send[0] + inputs, receive[0] + outputs, cell + chunks)
        places = {"i": (send[0], number(attributes, "i_chunks", 0)), "o": (receive[0], number(attributes, "o_chunks", 0)),
                  "s": (first, scratch)}  # fmt: skip
        require(places["i"][1] in (0, inputs) and places["o"][1] in (0, outputs), "buffers of other sizes")
        cell = first + scratch
        buffers.append((tuple(send), tuple(receive)))
        read_gpu(rank, p, blocks, places, tasks)
    held = [[(k, r) for k in range(inputs)] if kind != "broadcast" or r == 0 else [] for r in range(p)]
    promised = (held, [[OWED[kind](r, k, p, chunks // p) for k in range(outputs)] for r in range(p)])
    return Tasks(p, tasks, buffers, slots, chunks=None if kind == "custom" else promised, is_msccl=True)


OWED = {  # for p ranks and c chunks each, the runs (block, first, ranks, times) that slot k of rank r is owed
    "allreduce": lambda r, k, p, c: [(k, 0, p, 1)], "reduce": lambda r, k, p, c: [(k, 0, p, 1)] if r == 0 else None,
    "reduce_scatter": lambda r, k, p, c: [(r * c + k, 0, p, 1)],
    "allgather": lambda r, k, p, c: [(k % c, k // c, 1, 1)],
    "alltoall": lambda r, k, p, c: [(r * c + k % c, k // c, 1, 1)], "broadcast": lambda r, k, p, c: [(k, 0, 1, 1)],
    "custom": lambda r, k, p, c: None}  # fmt: skip


def read_gpu(rank, p, blocks, places, tasks):
    by_id, ends = {}, set()
    for attributes, steps in blocks:
        block = number(attributes, "id", 0)
        require(block not in by_id, "a thread block stands twice:", block)
        peers = [number(attributes, key, -1, p - 1) for key in ("send", "recv")]
        require(rank not in peers, "a gpu talks to itself")
        channel = number(attributes, "chan", -1)
        for end in ((way, peer, channel) for way, peer in enumerate(peers) if peer >= 0):
            require(end not in ends, "two thread blocks at one end of a connection")
            ends.add(end)
        by_id[block] = (peers, channel, [read_step(i, step, places, peers) for i, (step, _) in enumerate(steps)])
    require(sorted(by_id) == list(range(len(by_id))), "thread blocks are numbered with gaps")
    waits, signals = [], {}
    for block in range(len(by_id)):
        signals[block] = add_block(rank, by_id[block], tasks, waits)
    for block in range(len(by_id)):
        for step in by_id[block][2]:
            if step["depid"] >= 0:
                require(step["depid"] in by_id and step["deps"] < len(by_id[step["depid"]][2]), "a wait for no step")
                require(any(s >= step["deps"] for s, _ in signals[step["depid"]]), "a wait for what never signals")
    for task, block, step in waits:
        tasks[task].requires.append((next(end for s, end in signals[block] if s >= step), "finish"))


def read_step(position, attributes, places, peers):
    require(number(attributes, "s", 0) == position, "steps out of order")
    kind = word(attributes, "type", STEPS)
    reads, writes, receives, sends = STEPS[kind]
    count = number(attributes, "cnt", 0 if kind == "nop" else 1, 1 << 26)
    step = {"type": kind, "count": count, "depid": number(attributes, "depid", -1)}
    step["deps"] = number(attributes, "deps", -1 if step["depid"] < 0 else 0)
    step["signals"] = number(attributes, "hasdep", 0, 1)
    for key, used in (("src", reads), ("dst", writes)):
        buffer, offset = word(attributes, key + "buf", "ios"), number(attributes, key + "off", -1)
        first, size = places[buffer]
        require(not used or 0 <= offset <= size - count, "chunks outside of their buffer")
        step[key] = list(range(first + offset, first + offset + count))
        step[key + "at"] = (buffer, offset)
    require(not sends or peers[0] >= 0, "a send to nobody")
    require(not receives or peers[1] >= 0, "a receive from nobody")
    return step


def add_block(rank, block, tasks, waits):
    """Adds the tasks of a thread block. Returns its steps that signal, each with its last task."""
    (to, of), channel, steps = block
    pending, before, reduced, signals = [], -1, None, []

    def add(kind, step, **more):
        nonlocal before
        requires = [(before, "finish")] if before >= 0 else []
        peer = {"send": to, "receive": of}.get(kind, 0)
        tag = channel + 1 if kind != "calc" else 0
        tasks.append(Task(kind, rank, peer, tag, step["count"], step["count"], requires=requires, **more))
        before = len(tasks) - 1

    for i, step in enumerate(steps):
        kind = step["type"]
        if step["depid"] >= 0:
            pending.append((step["depid"], step["deps"]))
        if kind == "nop":
            continue
        first = len(tasks)
        reads, writes, receives, sends = STEPS[kind]
        joins = "after" if kind in ("rrs", "rrc", "rrcs", "re") else ""
        source, target = step["src"] if reads else [], step["dst"] if writes else []
        if receives:
            add("receive", step, reads=source, writes=target, join=joins)
        elif not sends:
            add("calc", step, reads=source, writes=target, join=joins)
        if sends:
            add("send", step, **({"passed": before} if receives else {"reads": source}))
        fused = (reduced and kind == "re" and step["depid"] < 0 and step["dstat"] == reduced["dstat"]
                 and step["srcat"][0] == reduced["srcat"][0])  # fmt: skip
        if not fused:
            waits += [(first, *wait) for wait in pending]
            pending = []
        if step["signals"]:
            signals.append((i, before))
        reduced = step if kind == "re" and not step["signals"] else None
    return signals


# GOAL

TOKEN = re.compile(r"[ \t\r]+|(?P<note>//[^\n]*)|/\*.*?\*/|(?P<word>[A-Za-z_][A-Za-z_0-9]*)|(?P<number>[0-9]+)"
                   r"|(?P<mark>.|\n)", re.S)  # fmt: skip
NAMES = ("send", "receive", "scratch")


class Tokens:
    def __init__(self, text, first_line=1):
        self.all, self.at, line = [], 0, first_line
        for found in TOKEN.finditer(text):
            kind = found.lastgroup
            if kind and (kind != "note" or found[0].startswith("//@")):
                self.all.append((kind, found[0], line))
            line += found[0].count("\n")
        self.all.append(("end", "", line))

    @property
    def next(self):
        return self.all[self.at]

    def take(self):
        self.at += 1
        return self.all[self.at - 1]

    def accept(self, text):
        found = self.next[0] != "note" and self.next[1] == text
        self.at += found
        return found

    def expect(self, text):
        require(self.accept(text), "expected", text, "got", self.next[1], "in line", self.next[2])

    def word(self):
        require(self.next[0] == "word", "expected a word, got", self.next[1])
        return self.take()[1]

    def number(self, most):
        require(self.next[0] == "number", "expected a number, got", self.next[1])
        return integer(int(self.take()[1]), 0, most, "a number")

    def skip_line_ends(self):
        while self.next[1] in ("\n", ";"):
            self.at += 1


def read_goal(text):
    tokens = Tokens(text)
    tokens.skip_line_ends()
    tokens.expect("num_ranks")
    p = tokens.number(1 << 24)
    require(p > 0, "no ranks")
    notes, of_rank = [], {}
    tokens.skip_line_ends()
    while tokens.next[0] != "end":
        while tokens.next[0] == "note":
            notes.append((None, tokens.take()[1][3:]))
            tokens.skip_line_ends()
        tokens.expect("rank")
        rank = tokens.number(p - 1)
        require(rank not in of_rank, "a rank stands twice:", rank)
        of_rank[rank] = read_rank(tokens, rank, p)
        tokens.skip_line_ends()
    tasks = []
    for rank in range(p):
        base, (own, requirements, said) = len(tasks), of_rank.get(rank, ([], [], []))
        for task, on, until in requirements:
            own[task].requires.append((base + on, until))
        notes += [(base + task, note) for task, note in said]
        tasks += own
    return with_notes(Tasks(p, tasks), notes)


def read_rank(tokens, rank, p):
    tasks, lines, labels, pending, notes = [], [], {}, [], []

    def task():
        kind = {"calc": "calc", "send": "send", "recv": "receive"}.get(tokens.next[1])
        if tokens.next[0] != "word" or not kind:
            return False
        lines.append(tokens.take()[2])
        result = Task(kind, rank, amount=tokens.number((1 << 63) - 1))
        if kind != "calc":
            tokens.expect("b")
            tokens.expect("to" if kind == "send" else "from")
            result.peer = tokens.number(p - 1)
            if tokens.accept("tag"):
                result.tag = tokens.number((1 << 32) - 2)
        if tokens.accept("cpu"):
            tokens.number(255)
        if kind != "calc" and tokens.accept("nic"):
            tokens.number(255)
        tasks.append(result)
        return True

    def take_notes():
        tokens.skip_line_ends()
        while tokens.next[0] == "note":
            _, note, line = tokens.take()
            require(lines and lines[-1] == line, "a note stands behind no task")
            notes.append((len(tasks) - 1, note[3:]))
            tokens.skip_line_ends()

    tokens.expect("{")
    take_notes()
    while not tokens.accept("}"):
        if not task():
            label = tokens.word()
            if tokens.accept(":"):
                require(label not in labels, "a label stands twice:", label)
                labels[label] = len(tasks)
                require(task(), "a label without a task")
            else:
                until = "start" if tokens.accept("irequires") else "finish"
                if until == "finish":
                    tokens.expect("requires")
                pending.append((label, tokens.word(), until))
        require(tokens.next[1] in ("\n", ";", "}") or tokens.next[0] == "note", "a statement goes on:", tokens.next[1])
        take_notes()
    require(all(a in labels and b in labels for a, b, _ in pending), "an unknown label")
    return tasks, [(labels[a], labels[b], until) for a, b, until in pending], notes


def with_notes(graph, notes):
    if not notes:
        return graph
    require(notes[0][0] is None, "notes without their head")
    head = Tokens(notes[0][1])
    slots = [0, 0, 0]
    if head.accept("tags"):
        graph.tagged = head.number(1 << 26)
        require(graph.tagged, "no blocks of a rank")
    else:
        head.expect("buffers")
        for i, name in enumerate(NAMES):
            head.expect(name)
            slots[i] = head.number(1 << 26)
    head.expect("block")
    block, every = head.number(1 << 50), graph.tagged * graph.ranks
    require(head.next[0] == "end", "a note goes on")
    each = every or sum(slots)
    require(each * graph.ranks <= 1 << 27, "too many blocks")
    graph.buffers = [((r * each + r * graph.tagged, graph.tagged), (r * each, every)) if every
                     else ((r * each, slots[0]), (r * each + slots[0], slots[1])) for r in range(graph.ranks)]
    for task in graph.tasks if every else ():
        if task.kind != "calc":
            require(task.tag < every and task.amount == block, "a tag or a size of no block")
            cells = [task.rank * each + task.tag]
            task.count, task.reads, task.writes = 1, cells * (task.kind == "send"), cells * (task.kind != "send")
    for number_of, note in notes[1:]:
        require(number_of is not None and not every, "a note too many")
        read_note(graph.tasks[number_of], note, each, slots, block)
    return graph


def read_note(task, note, each, slots, block):
    tokens = Tokens(note)

    def places():
        cells = []
        while True:
            name = tokens.word()
            require(name in NAMES, "no buffer:", name)
            tokens.expect("[")
            first = last = tokens.number(1 << 26)
            if tokens.accept("."):
                tokens.expect(".")
                last = tokens.number(1 << 26)
            tokens.expect("]")
            buffer = NAMES.index(name)
            require(first <= last < slots[buffer], "places outside of their buffer")
            begin = task.rank * each + sum(slots[:buffer])
            cells += range(begin + first, begin + last + 1)
            if tokens.next[1] not in NAMES:
                return cells

    if task.kind == "receive" and tokens.accept("+"):
        task.join = "after"
    cells = places()
    task.count = len(cells)
    if task.kind == "send":
        task.reads = cells
    else:
        task.writes = cells
        task.reads = cells if task.join else []
    if task.kind == "calc":
        if tokens.accept("+"):
            task.join = "after"
        tokens.expect("=")
        task.reads = places()
        require(len(task.reads) == task.count, "sides of other lengths")
    else:
        require(task.amount == task.count * block, "another size than that of the blocks")
    require(tokens.next[0] == "end", "a note goes on")


# GOAL in binary form, and traces


def read_goal_binary(data):
    def take(layout, at):
        require(at + struct.calcsize("<" + layout) <= len(data), "the file ends too early")
        return struct.unpack_from("<" + layout, data, at)

    first, p = take("QI", 0)
    require(first == 4223 and 0 < p <= 1 << 24, "no binary GOAL")
    tasks = []
    for rank in range(p):
        begin = 8 + take("QQ", 14 + 16 * rank)[0]
        count, roots = take("II", begin)
        first, at, stated = len(tasks), begin + 8 + 4 * roots, []
        behind = at + 39 * count
        require(behind <= len(data), "the file ends too early")
        waits = []
        for i in range(count):
            requirements, kind, peer, amount, tag, _, _, *lists = take("IBIQIBBIIII", at + 39 * i)
            require(kind in (1, 2, 3) and amount < 1 << 63, "no task")
            require(kind == 3 or peer < p and tag < (1 << 32) - 1, "no partner, or no tag")
            tasks.append(Task({1: "send", 2: "receive", 3: "calc"}[kind], rank, peer, tag if kind < 3 else 0, amount))
            stated.append(requirements)
            for until, number_of, where in (("finish", *lists[:2]), ("start", *lists[2:])):
                for k in range(number_of):
                    waits.append((take("I", behind + 4 * (where + k))[0], i, until))
        for task, on, until in waits:
            require(task < count, "a wait of no task")
            tasks[first + task].requires.append((first + on, until))
        require([len(task.requires) for task in tasks[first:]] == stated, "tasks wait for another number")
    return Tasks(p, tasks)


def fields_of(data):
    """The fields of a protobuf message: number, wire type, value."""
    at = 0

    def varint():
        nonlocal at
        value, shift = 0, 0
        while True:
            require(at < len(data) and shift < 70, "a number has no end")
            value |= (data[at] & 127) << shift
            at, shift = at + 1, shift + 7
            if data[at - 1] < 128:
                require(value < 1 << 64, "a number past 2^64")
                return value

    def raw(size):
        nonlocal at
        require(at + size <= len(data), "a field ends behind its message")
        at += size
        return data[at - size : at]

    while at < len(data):
        key = varint()
        kind = key & 7
        require(kind in (0, 1, 2, 5) and 0 < key >> 3 < 1 << 29, "no field of protobuf")
        value = varint() if kind == 0 else raw(varint()) if kind == 2 else int.from_bytes(raw(8 if kind == 1 else 4), "little")
        yield key >> 3, kind, value


def messages_of(data):
    """The messages of a file. Each follows its length."""
    at = 0
    while at < len(data):
        size, shift, begin = 0, 0, at
        while at == begin or data[at - 1] > 127:
            require(at < len(data) and shift < 70, "a length has no end")
            size, at, shift = size | (data[at] & 127) << shift, at + 1, shift + 7
        require(at + size <= len(data), "a message ends behind its file")
        yield data[at : at + size]
        at += size


# The fields of an attribute that are integers: the wire type, and the number of bits if the integer has a sign.
INTEGERS = {7: (0, 32), 9: (0, 64), 11: (0, 0), 13: (0, 0), 15: (0, "zigzag"), 17: (0, "zigzag"), 19: (5, 0),
            21: (1, 0), 23: (5, 32), 25: (1, 64), 27: (0, 0)}  # fmt: skip


def attribute(data):
    """The name of an attribute, and its integer, or None if it has another type."""
    name, value = "", None
    for number_of, kind, read in fields_of(data):
        if number_of == 1:
            name = read.decode(errors="replace")
        elif number_of > 2:
            wire, form = INTEGERS.get(number_of, (None, None))
            value = read if kind == wire else None
            if value is not None and form == "zigzag":
                value = (value >> 1) ^ -(value & 1)
            elif value is not None and form:
                value &= (1 << form) - 1
                value -= (value >> (form - 1)) << form
    return name, value


def read_traces(names):
    tasks = []
    for rank, name in enumerate(names):
        with open(name, "rb") as file:
            head, *nodes = messages_of(file.read())
        require(all(kind == 2 for number_of, kind, _ in fields_of(head) if number_of in (1, 2)), "a trace without a head")
        by_id, waits = {}, []
        for node in nodes:
            said, on, known = {1: 0, 3: 0, 7: 0}, set(), {}
            for number_of, kind, value in fields_of(node):
                if number_of in said:
                    require(kind == 0, "no number")
                    said[number_of] = value
                elif number_of == 5:
                    on |= {value} if kind == 0 else set(packed(value))
                elif number_of == 10:
                    key, integer_of = attribute(value)
                    known[key] = integer_of
            require(said[1] not in by_id, "two nodes of one id")
            by_id[said[1]] = len(tasks)
            tasks.append(task_of(said, known, rank, len(names)))
            waits.append((tasks[-1], on))
        for task, on in waits:
            require(on <= by_id.keys(), "a wait for no node")
            task.requires = [(by_id[each], "finish") for each in sorted(on)]
    return Tasks(len(names), tasks)


def packed(data):
    values, value, shift = [], 0, 0
    for byte in data:
        value, shift = value | (byte & 127) << shift, shift + 7
        if byte < 128:
            values.append(value)
            value, shift = 0, 0
    require(shift == 0, "a number has no end")
    return values


def task_of(node, known, rank, p):
    kind = node[3]
    # A node of a collective is a calculation if it does not name the collective.
    require(kind <= 10 and (kind != 7 or "comm_type" not in known), "a node of no type, or a collective")
    if kind not in (5, 6):
        require(kind not in (4, 7) or known.get("is_cpu_op", 1) in (0, 1), "is_cpu_op is neither")
        require(kind < 2 or node[7] <= ((1 << 63) - 1) // 1000, "a duration is too long")
        return Task("calc", rank, amount=1000 * node[7] * (kind > 1))
    peer, own = ("comm_dst", "comm_src") if kind == 5 else ("comm_src", "comm_dst")
    require(own not in known or known[own] == rank, "a node of another rank")
    return Task("send" if kind == 5 else "receive", rank, integer(known[peer], 0, p - 1, peer),
                integer(known.get("comm_tag", 0), 0, (1 << 32) - 2, "comm_tag"),
                integer(known["comm_size"], 0, (1 << 63) - 1, "comm_size"))  # fmt: skip


# The checks


class Graph:
    """The tasks with the messages between them, and the order of their starts and effects."""

    def __init__(self, given):
        self.given, self.tasks, n = given, given.tasks, len(given.tasks)
        self.channels = defaultdict(lambda: ([], []))
        for i, task in enumerate(self.tasks):
            if task.kind == "send":
                self.channels[task.rank, task.peer, task.tag][0].append(i)
            elif task.kind == "receive":
                self.channels[task.peer, task.rank, task.tag][1].append(i)
        self.partner = [-1] * n
        for sends, receives in self.channels.values():
            require(len(sends) == len(receives), "a send or receive that nobody meets")
            for send, receive in zip(sends, receives):
                self.partner[send], self.partner[receive] = receive, send
        # Node t is the effect of task t, and node n + t is its start.
        self.after = [[] for _ in range(2 * n)]
        for i, task in enumerate(self.tasks):
            self.after[n + i].append(i)
            for on, until in task.requires:
                self.after[on if until == "finish" else n + on].append(n + i)
            if task.kind == "send":
                self.after[i].append(self.partner[i])

    def in_order(self, more=()):
        """The nodes, each after all nodes that happen before it. Nodes that wait for each other are missing."""
        after = self.after
        if more:
            after = [list(each) for each in after]
            for before, behind in more:
                after[before].append(behind)
        waits, order = [0] * len(after), []
        for each in after:
            for node in each:
                waits[node] += 1
        ready = deque(node for node, open_ in enumerate(waits) if not open_)
        while ready:
            node = ready.popleft()
            order.append(node)
            for each in after[node]:
                waits[each] -= 1
                if not waits[each]:
                    ready.append(each)
        return order

    def slots(self):
        """The pairs of a receive and a send that waits for it: in a channel with s slots, send k waits for receive k -
        s."""
        held = self.given.slots
        return [(receives[k - held], sends[k]) for sends, receives in self.channels.values()
                for k in range(held, len(sends)) if held]  # fmt: skip

    def ends(self, buffered):
        """Whether all tasks finish. Tasks start as early as possible, and in their order if they can start together."""
        n = len(self.tasks)
        waits, on_start, on_finish = [len(task.requires) for task in self.tasks], defaultdict(list), defaultdict(list)
        for i, task in enumerate(self.tasks):
            for on, until in task.requires:
                (on_start if until == "start" else on_finish)[on].append(i)
        posted, finished = defaultdict(lambda: (deque(), deque())), [False] * n
        ready = deque(i for i in range(n) if not waits[i])

        def release(tasks):
            for each in tasks:
                waits[each] -= 1
                if not waits[each]:
                    ready.append(each)

        def finish(task):
            finished[task] = True
            release(on_finish[task])

        while ready:
            i = ready.popleft()
            task, sends = self.tasks[i], self.tasks[i].kind == "send"
            release(on_start[i])
            if task.kind == "calc":
                finish(i)
                continue
            own, other = posted[(task.rank, task.peer, task.tag) if sends else (task.peer, task.rank, task.tag)][:: 1 if sends else -1]
            partner = None
            if other:
                partner = other.popleft()
                finish(i if not sends else partner)
                if not buffered:
                    finish(i if sends else partner)
            else:
                own.append(i)
            if sends and buffered:
                finish(i)
        return all(finished)


def check_races(graph, order):
    """Requires an order between two tasks that access a cell if one of them writes it, and between the postings of two
    messages of a channel."""
    n, tasks = len(graph.tasks), graph.tasks
    before = [0] * (2 * n)  # for each node, the set of tasks whose effects happen before it, as bits
    for node in order:
        own = before[node] | (1 << node if node < n else 0)
        for each in graph.after[node]:
            before[each] |= own
    ordered = lambda a, b: before[b] >> a & 1
    touched = defaultdict(list)
    for i, task in enumerate(tasks):
        for cell in set(task.reads) | set(task.writes):
            touched[cell].append((i, cell in task.writes))
    for cell, accesses in touched.items():
        for k, (a, a_writes) in enumerate(accesses):
            for b, b_writes in accesses[:k]:
                safe = not (a_writes or b_writes) or ordered(a, b) or ordered(b, a)
                require(safe, "tasks", b, "and", a, "race for cell", cell)
    for ends in graph.channels.values():
        for end in ends:
            end = [i for i in end if tasks[i].count]
            for a, b in zip(end, end[1:]):
                together = sorted(tasks[a].requires) == sorted(tasks[b].requires) or (a, "start") in tasks[b].requires
                require(ordered(a, b) or together, "messages of tasks", a, "and", b, "are in no order")


def check_contents(graph, order, held, owed, algebra, arrives):
    """Calculates the contents of all cells in one order, and checks the owed ones. Without races all orders are
    equal."""
    tasks, buffers, cells, outcome = graph.tasks, graph.given.buffers, {}, {}
    for rank, blocks in enumerate(held):
        first, slots = buffers[rank][0]
        require(len(blocks) <= slots, "rank", rank, "has too few slots for what it holds")
        for slot, (block, origin) in enumerate(blocks):
            cells[first + slot] = algebra.block(block, origin)

    def read(task, k):
        require(tasks[task].reads[k] in cells, "task", task, "reads where nothing lies")
        return cells[tasks[task].reads[k]]

    for i in order:
        if i >= len(tasks):
            continue
        task = tasks[i]
        if task.kind == "send":
            require(task.passed < 0 or tasks[task.passed].count >= task.count, "more is passed on than came")
            outcome[i] = [outcome[task.passed][k] if task.passed >= 0 else read(i, k) for k in range(task.count)]
            continue
        outcome[i], receives = [], task.kind == "receive"
        comes = outcome[graph.partner[i]] if receives else [read(i, k) for k in range(task.count)]
        require(not receives or arrives(i) == comes, "the certificate says that something else arrives at task", i)
        for k in range(task.count):
            content = comes[k]
            if receives and task.join:
                content = algebra.join(read(i, k), content)
            if not receives and task.join:
                require(task.writes[k] in cells, "task", i, "joins into a cell where nothing lies")
                content = algebra.join(cells[task.writes[k]], content)
            if task.writes:
                cells[task.writes[k]] = content
            outcome[i].append(content)
    made = {}
    for rank, slots in enumerate(owed):
        first, room = buffers[rank][1]
        for slot, runs in enumerate(slots):
            if runs is None:
                continue
            require(slot < room, "rank", rank, "has too few slots for what it is owed")
            content, right = cells.get(first + slot, (None, None)), algebra.reduction(runs)
            require(content[0] == right, "rank", rank, "is owed another content in slot", slot)
            alike = type(content[1]) is not int or made.setdefault(right, content[1]) == content[1]
            require(alike, "rank", rank, "has other bits in slot", slot)


def by_tags(graph, held, owed):
    """The held blocks, and the owed blocks in the slots of their tags."""
    for blocks in held:
        require(len(blocks) <= graph.tagged, "more blocks than tags")
    places = []
    for entries in owed:
        slots = [None] * (graph.ranks * graph.tagged)
        for runs in filter(None, entries):
            require(len(runs) == 1 and runs[0][2] == 1 and runs[0][0] < graph.tagged, "no block that a tag names")
            slots[runs[0][1] * graph.tagged + runs[0][0]] = runs
        places.append(slots)
    return held, places


def with_pieces(graph, said):
    """The promise. If it has a name and no pieces, each block has as many pieces as the file has chunks for a block."""
    if not graph.is_msccl or said["kind"] == "stated" or "pieces" in said:
        return said
    whole = Promise(said, 1)
    for rank in range(whole.ranks):
        blocks, chunks = len(whole.whole_held(rank)), graph.buffers[rank][0][1]
        if blocks:
            return {**said, "pieces": chunks // blocks if chunks and chunks % blocks == 0 else 1}
    return said
