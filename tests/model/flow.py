"""Flow timing (docs/model.md, "Flow timing")."""

from clock import Clock, Flow


class Mail:
    """A message and its state."""

    __slots__ = ("source", "target", "payload", "place", "offered", "waits", "gone", "parts", "loaded")

    def __init__(self, source, target, payload, place):
        self.source, self.target, self.payload, self.place = source, target, payload, place
        self.offered = self.waits = self.gone = False
        self.parts, self.loaded = 0, ()


class Cpu:
    def __init__(self):
        self.busy, self.posted, self.arrived = False, [], []
        self.early, self.waiting = [], []  # messages before their receive, and messages with a waiting receive


class Flows:
    def __init__(self, machine, programs, arrivals, noise):
        self.machine, self.programs, self.noise = machine, programs, noise
        self.clock = Clock(machine.capacity)
        ranks = range(len(programs))
        self.cpus, self.round, self.owed = [Cpu() for _ in ranks], [-1 for _ in ranks], [0 for _ in ranks]
        self.joins, self.through, self.finish = [programs[r][0] for r in ranks], [False for _ in ranks], [0 for _ in ranks]
        self.mails, self.counts = self.pairs(), {}
        self.leaving, self.free = [], {}
        self.away = {rank for rank, time in enumerate(arrivals) if time}
        for rank in self.away:
            self.cpus[rank].busy = True
            self.clock.at(arrivals[rank], (rank, lambda rank=rank: self.away.remove(rank)))

    def pairs(self):
        """The messages between each pair of ranks, in the order of their sends, which is the order of their
        receives."""
        mails = {}
        for rank, (_, rounds) in enumerate(self.programs):
            place = 0
            for each in rounds:
                for message in each.sends:
                    mails.setdefault((rank, message.partner), []).append(Mail(rank, message.partner, message.payload, place))
                    place += 1
        return mails

    def next_mail(self, what, source, target):
        number = self.counts.get((what, source, target), 0)
        self.counts[what, source, target] = number + 1
        return self.mails[source, target][number]

    def run(self):
        self.steps()
        while (moment := self.clock.moment()) is not None:
            events, over = moment
            arrived = []
            for event in events:
                if isinstance(event, Flow):
                    self.clock.begin(event)
                elif isinstance(event, Mail):
                    self.part_over(event, arrived)
                else:
                    rank, then = event
                    self.cpus[rank].busy = False
                    then()
            for flow in over:
                self.part_over(flow.owner, arrived)
            for mail in sorted(arrived, key=lambda each: (each.source, each.place)):
                self.machine.take(mail.loaded, -1)
                self.cpus[mail.target].arrived.append(mail)
            self.steps()
        assert all(self.through), "deadlock"
        return max(self.finish, default=0)

    @staticmethod
    def part_over(mail, arrived):
        mail.parts -= 1
        if mail.parts == 0:
            arrived.append(mail)

    def steps(self):
        ranks = range(len(self.cpus))
        again = True
        while again:
            for rank in ranks:
                self.do_posted(rank)
            before = [self.may_go_on(rank) for rank in ranks]
            for rank in ranks:
                cpu = self.cpus[rank]
                while cpu.arrived and not cpu.busy and not cpu.posted:
                    self.take_in(rank, cpu.arrived.pop(0))
            again = any(self.may_go_on(rank) and not before[rank] for rank in ranks)
        for mail in sorted(self.leaving, key=lambda each: (each.source, each.place)):
            self.set_out(mail)
        self.leaving = []

    def may_go_on(self, rank):
        return self.owed[rank] == 0 and not self.through[rank] and rank not in self.away

    def do_posted(self, rank):
        cpu = self.cpus[rank]
        while True:
            while cpu.posted and not cpu.busy:
                cpu.posted.pop(0)()
            if not self.may_go_on(rank):
                return
            self.go_on(rank)

    def go_on(self, rank):
        """Is called when all messages of a round have ended. Joins, then posts the next round."""
        rounds = self.programs[rank][1]
        if self.joins[rank]:
            joined, self.joins[rank] = self.joins[rank], 0
            self.owed[rank] += 1
            time = joined * self.machine.reduce
            time += self.noise.joining(rank, self.round[rank] + 1, time)
            self.cpus[rank].posted.append(lambda: self.work(rank, time, lambda: self.ended(rank)))
            return
        self.round[rank] += 1
        if self.round[rank] == len(rounds):
            self.through[rank] = True
            self.finish[rank] = self.clock.now
            return
        what = rounds[self.round[rank]]
        self.joins[rank] = what.joined
        for message in what.receives:
            mail = self.next_mail("receive", message.partner, rank)
            self.owed[rank] += 1
            self.cpus[rank].posted.append(lambda mail=mail: self.receive(rank, mail))
        for message in what.sends:
            mail = self.next_mail("send", rank, message.partner)
            self.owed[rank] += 1
            self.cpus[rank].posted.append(lambda mail=mail: self.work(rank, self.posting(mail), lambda: self.offer(mail)))

    def posting(self, mail):
        return self.machine.o_send + self.noise.posting(mail.source, mail.place, self.machine.o_send)

    def taking(self, mail):
        return self.machine.o_recv + self.noise.taking(mail.source, mail.place, self.machine.o_recv)

    def work(self, rank, time, then):
        """Keeps the CPU busy for a time and then calls `then`. Without a time it calls `then` immediately."""
        if time == 0:
            then()
        else:
            self.cpus[rank].busy = True
            self.clock.at(self.clock.now + time, (rank, then))

    def ended(self, rank):
        self.owed[rank] -= 1

    def offer(self, mail):
        mail.offered = True
        if mail.payload <= self.machine.eager:
            self.ended(mail.source)
        self.may_leave(mail)

    def may_leave(self, mail):
        if mail.offered and not mail.gone and (mail.waits or mail.payload <= self.machine.eager):
            mail.gone = True
            self.leaving.append(mail)

    def receive(self, rank, mail):
        cpu = self.cpus[rank]
        looked = cpu.early.index(mail) + 1 if mail in cpu.early else len(cpu.early)
        if mail in cpu.early:
            cpu.early.remove(mail)
            self.work(rank, looked * self.machine.match + self.taking(mail), lambda: self.ended(rank))
            return

        def wait():
            mail.waits = True
            cpu.waiting.append(mail)
            self.may_leave(mail)

        self.work(rank, looked * self.machine.match, wait)

    def take_in(self, rank, mail):
        cpu = self.cpus[rank]
        if mail not in cpu.waiting:
            self.work(rank, len(cpu.waiting) * self.machine.match, lambda: cpu.early.append(mail))
            return
        looked = cpu.waiting.index(mail) + 1
        cpu.waiting.remove(mail)

        def end():
            self.ended(rank)
            if mail.payload > self.machine.eager:
                self.ended(mail.source)

        self.work(rank, looked * self.machine.match + self.taking(mail), end)

    def set_out(self, mail):
        now = self.clock.now
        sets_out = now
        for nic in self.machine.nics_passed(mail.source, mail.target, mail.payload) if self.machine.nic_gap else []:
            passes = max(now, self.free.get(nic, 0))
            self.free[nic] = passes + self.machine.nic_gap
            sets_out = max(sets_out, passes)
        startup, flows, mail.loaded = self.machine.way(mail.source, mail.target, mail.payload)
        startup += self.noise.startup(mail.source, mail.place)
        self.machine.take(mail.loaded, 1)
        mail.parts = len(flows)
        for count, fastest, crosses in flows:
            self.clock.at(sets_out + startup, Flow(count, fastest, crosses, mail) if count else mail)
