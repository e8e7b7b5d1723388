"""LogGP timing (docs/model.md, "LogGP")."""

import heapq

from clock import CLOSE
from units import per_byte, seconds, size


class Item:
    """A message."""

    __slots__ = ("source", "target", "payload", "place", "begun", "posted")

    def __init__(self, source, target, payload, place):
        self.source, self.target, self.payload, self.place = source, target, payload, place
        self.begun = self.posted = False  # whether its reception has begun, and its receive is posted


def count(what):
    return len(what.sends) + len(what.receives)


class LogGP:
    def __init__(self, told, programs, arrivals, noise):
        self.programs, self.noise = programs, noise
        self.latency, self.overhead, self.gap = seconds(told["L"]), seconds(told["o"]), seconds(told["g"])
        self.nic_byte, self.cpu_byte = per_byte(told["G"]), per_byte(told.get("O", "0ns/B"))
        self.eager = size(told.get("S", "65535B"))
        self.now, self.heap, self.sequence = 0, [], 0
        ranks = range(len(programs))
        self.cpu, self.out, self.into = list(arrivals), [0 for _ in ranks], [0 for _ in ranks]
        self.round, self.owed = [-1 for _ in ranks], [0 for _ in ranks]
        self.items, self.counts = {}, {}
        for rank in ranks:
            sends = [message for each in programs[rank][1] for message in each.sends]
            for place, message in enumerate(sends):
                self.items.setdefault((rank, message.partner), []).append(Item(rank, message.partner, message.payload, place))

    def run(self):
        """The time at which the last CPU is free."""
        self.go_on(range(len(self.programs)))
        while self.heap:
            self.now = self.heap[0][0]
            moment = []
            while self.heap and self.heap[0][0] <= self.now * CLOSE:
                moment.append(heapq.heappop(self.heap))
            for _, sequence, event, item in sorted(moment, key=lambda each: each[1]):
                free = event(item)
                if free is not None:
                    heapq.heappush(self.heap, (free, sequence, event, item))
        assert not any(self.owed), "deadlock"
        return max(self.cpu, default=0)

    def at(self, time, event, item):
        self.sequence += 1
        heapq.heappush(self.heap, (time, self.sequence, event, item))

    def next_item(self, what, source, target):
        number = self.counts.get((what, source, target), 0)
        self.counts[what, source, target] = number + 1
        return self.items[source, target][number]

    def go_on(self, ranks):
        """Continues the ranks whose round has ended with their next round that has messages. A calculation is placed
        between the rounds if this needs fewer requirements."""
        for rank in ranks:
            rounds = self.programs[rank][1]
            if self.owed[rank]:
                continue
            before = self.round[rank]
            self.round[rank] = following = next((i for i in range(before + 1, len(rounds)) if count(rounds[i])), len(rounds))
            if following == len(rounds):
                continue
            many = count(rounds[following])
            self.owed[rank] = many
            waits = count(rounds[before]) if before >= 0 else 0
            if waits * many > waits + many:
                self.at(max(self.now, self.cpu[rank]), self.calculation, rank)
            else:
                self.post(rank)

    def calculation(self, rank):
        """A calculation that takes no time, but waits until its CPU is free."""
        if self.cpu[rank] > self.now:
            return self.cpu[rank]
        return self.post(rank)

    def post(self, rank):
        """Posts the sends and then the receives of a round, each at the earliest time at which it can be done."""
        what = self.programs[rank][1][self.round[rank]]
        for message in what.sends:
            self.at(max(self.now, self.cpu[rank], self.out[rank]), self.send, self.next_item("send", rank, message.partner))
        for message in what.receives:
            self.at(max(self.now, self.cpu[rank]), self.receive, self.next_item("receive", message.partner, rank))

    def send(self, item):
        rank, now, more = item.source, self.now, max(item.payload - 1, 0)
        free = max(self.cpu[rank], self.out[rank])
        if free > now:
            return free
        work = self.overhead + more * self.cpu_byte
        self.cpu[rank] = now + work + self.noise.posting(rank, item.place, work)
        self.out[rank] = now + self.gap + more * self.nic_byte
        self.at(now + self.overhead + self.latency + self.noise.startup(rank, item.place), self.arrive, item)
        if item.payload <= self.eager:
            self.owed[rank] -= 1
            self.go_on([rank])
        return None

    def arrive(self, item):
        rank, now, more = item.target, self.now, max(item.payload - 1, 0)
        free = max(self.cpu[rank], self.into[rank])
        if free > now:
            return free
        work = self.overhead + more * max(self.cpu_byte, self.nic_byte)
        self.cpu[rank] = now + work + self.noise.taking(item.source, item.place, work)
        self.into[rank] = now + self.gap + more * self.nic_byte
        item.begun = True
        return self.met(item)

    def receive(self, item):
        item.posted = True
        return self.met(item)

    def met(self, item):
        """If the reception has begun and the receive is posted, ends the receive, and the send if it is not eager."""
        if item.begun and item.posted:
            ended = [item.target]
            if item.payload > self.eager:
                ended.append(item.source)
            for rank in ended:
                self.owed[rank] -= 1
            self.go_on(sorted(ended))
