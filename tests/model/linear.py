"""Linear timing (docs/model.md, "Linear timing")."""

from clock import Clock, Flow


class Pair:
    """A message with its send and its receive, from the first posting until it has ended."""

    __slots__ = ("source", "target", "payload", "sent", "received", "place", "ready", "parts", "loaded")

    def __init__(self, source, target):
        self.source, self.target, self.payload, self.parts, self.loaded = source, target, None, 0, ()
        self.sent = self.received = self.ready = self.place = None


class Linear:
    def __init__(self, machine, programs, arrivals, noise):
        self.machine, self.programs, self.arrivals, self.noise = machine, programs, arrivals, noise
        self.clock = Clock(machine.capacity)
        self.number = 0  # the number of the moment
        ranks = len(programs)
        self.round, self.owed = [-1] * ranks, [0] * ranks
        self.finish = [0] * ranks
        self.sends_free, self.receives_free = [machine.ports] * ranks, [machine.ports] * ranks
        self.open_sends, self.open_receives = {}, {}
        self.posted, self.waiting = [0] * ranks, []

    def run(self):
        """The time at which the last rank finishes."""
        for rank, time in enumerate(self.arrivals):
            if time:
                self.clock.at(time, rank)
        self.go_on([rank for rank, time in enumerate(self.arrivals) if not time])
        self.start()
        while (moment := self.clock.moment()) is not None:
            self.number += 1
            events, over = moment
            ended, come = [], []
            for event in events:
                if isinstance(event, int):
                    come.append(event)
                    self.finish[event] = self.clock.now
                elif isinstance(event, Flow):
                    self.clock.begin(event)
                else:
                    self.part_ended(event, ended)
            for flow in over:
                self.part_ended(flow.owner, ended)
            for pair in ended:
                self.end(pair)
            self.go_on(sorted({rank for pair in ended for rank in (pair.source, pair.target)} | set(come)))
            self.start()
        assert not self.waiting and not any(self.owed), "deadlock"
        return max(self.finish, default=0)

    def part_ended(self, pair, ended):
        pair.parts -= 1
        if pair.parts == 0:
            ended.append(pair)

    def end(self, pair):
        self.sends_free[pair.source] += 1
        self.receives_free[pair.target] += 1
        self.machine.take(pair.loaded, -1)
        for rank in (pair.source, pair.target):
            self.owed[rank] -= 1
            self.finish[rank] = self.clock.now

    def go_on(self, ranks):
        for rank in ranks:
            rounds = self.programs[rank][1]
            while self.owed[rank] == 0 and self.round[rank] + 1 < len(rounds):
                self.round[rank] += 1
                self.post(rank, rounds[self.round[rank]])

    def post(self, rank, what):
        for message in what.receives:
            self.owed[rank] += 1
            pair = self.meet(self.open_receives, self.open_sends, message.partner, rank)
            pair.received = self.number
            self.posted_both(pair)
        for message in what.sends:
            self.owed[rank] += 1
            pair = self.meet(self.open_sends, self.open_receives, rank, message.partner)
            pair.payload, pair.sent, pair.place = message.payload, self.number, self.posted[rank]
            self.posted[rank] += 1
            self.posted_both(pair)

    def meet(self, mine, theirs, source, target):
        """The message whose send or receive is posted. It is new if its other end has not been posted."""
        waiting = theirs.get((source, target))
        if waiting:
            return waiting.pop(0)
        pair = Pair(source, target)
        mine.setdefault((source, target), []).append(pair)
        return pair

    def posted_both(self, pair):
        if pair.sent is not None and pair.received is not None:
            pair.ready = self.number
            self.waiting.append(pair)

    @staticmethod
    def order(pair):
        return pair.ready, pair.sent, pair.source, pair.place

    def start(self):
        self.waiting.sort(key=self.order)
        left = []
        for pair in self.waiting:
            if self.sends_free[pair.source] and self.receives_free[pair.target]:
                self.sends_free[pair.source] -= 1
                self.receives_free[pair.target] -= 1
                self.set_out(pair)
            else:
                left.append(pair)
        self.waiting = left

    def ends_of(self, pair):
        """The ranks of a message, and its number among the sends of the source."""
        return pair.source, pair.target, pair.place

    def set_out(self, pair):
        source, target, number = self.ends_of(pair)
        startup, flows, pair.loaded = self.machine.way(source, target, pair.payload)
        startup += self.noise.startup(source, number)
        self.machine.take(pair.loaded, 1)
        pair.parts = len(flows)
        for count, fastest, crosses in flows:
            if crosses and count:
                self.clock.at(self.clock.now + startup, Flow(count, fastest, crosses, pair))
            else:
                self.clock.at(self.clock.now + startup + count / fastest, pair)
