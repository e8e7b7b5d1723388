"""Workloads under linear timing (docs/model.md, "Workloads"): the parts of each rank in each step, and their times."""

from linear import Linear
from noise import drawn, numbers
from schedule import programs
from units import seconds

COMPUTE = 3  # a kind of draws, beside those of noise.py


def groups_of(told, ranks):
    """The groups of a step. A group is a list of ranks."""
    if told == "all":
        return [list(range(ranks))]
    if isinstance(told, list):
        return told
    (key, value), = told.items()
    if key in ("every", "size"):
        def number(rank):
            return rank % value if key == "every" else rank // value
    else:
        last, below_first = value[-1], ranks // value[0]

        def number(rank):
            return rank // last if key == "rows" else rank % below_first
    groups = {}
    for rank in range(ranks):
        groups.setdefault(number(rank), []).append(rank)
    return list(groups.values())


def carried_out(workload):
    """All steps of all repetitions as pairs (step, numbers of the steps that it waits for)."""
    steps, all_of_them, before = workload["steps"], [], None
    names = [step["name"] for step in steps]
    for _ in range(workload.get("repeat", 1)):
        first = len(all_of_them)
        for step in steps:
            if "after" in step:
                after = [first + names.index(name) for name in step["after"]]
            else:
                after = [] if before is None else [before]
            if not step.get("overlap", False):
                before = len(all_of_them)
            all_of_them.append((step, after))
    return all_of_them


class Part:
    """The part of one rank in one step of one repetition."""

    def __init__(self, rank, step):
        self.rank, self.step, self.rounds, self.calculation = rank, step, [], 0
        self.after, self.waits, self.followers, self.sends_before = [], 0, [], 0
        self.begin = self.end = None


def parts_of(workload, schedule_of, noise):
    """All parts, rank after rank and in the order of the steps. `schedule_of(step, ranks)` is the schedule of a
    group."""
    ranks, carried = workload["ranks"], carried_out(workload)
    at = {}  # (rank, step) -> the group, and the rank's place in it
    for number, (step, _) in enumerate(carried):
        for group in groups_of(step.get("groups", "all"), ranks):
            for place, rank in enumerate(group):
                at[rank, number] = group, place
    parts, found = [], {}
    for rank in range(ranks):
        for number in range(len(carried)):
            if (rank, number) in at:
                found[rank, number] = len(parts)
                parts.append(Part(rank, number))
    for rank in range(ranks):
        sends = calculations = 0
        for number, (step, after) in enumerate(carried):
            if (rank, number) not in at:
                continue
            part = parts[found[rank, number]]
            part.after = sorted(set(ends(after, rank, carried, found)))
            part.sends_before = sends
            if "compute" in step:
                time = seconds(step["compute"])
                law = step.get("noise", noise.laws.get("compute"))
                if law is not None and time:
                    time += drawn(law, numbers(noise.seed, 0, COMPUTE, rank, calculations), time, noise.folder)
                part.calculation = time
                calculations += 1
                continue
            group, place = at[rank, number]
            part.rounds = programs(schedule_of(step, len(group)), "neighbors", 1)[place][1]
            for each in part.rounds:
                sends += len(each.sends)
                for message in each.sends + each.receives:
                    message.partner = found[group[message.partner], number]
    for number, part in enumerate(parts):
        part.waits = len(part.after)
        for before in part.after:
            parts[before].followers.append(number)
    return parts


def ends(after, rank, carried, found):
    """The parts of the rank that must have ended. If the rank has no part in a step, the steps before that step
    count."""
    for number in after:
        if (rank, number) in found:
            yield found[rank, number]
        else:
            yield from ends(carried[number][1], rank, carried, found)


class Parts(Linear):
    """The linear model with parts instead of ranks. The parts of a rank share its ports and its CPU."""

    def __init__(self, machine, parts, arrivals, noise):
        super().__init__(machine, [(0, part.rounds) for part in parts], [0] * len(parts), noise)
        ranks = len(arrivals)
        self.parts, self.came = parts, list(arrivals)
        self.sends_free, self.receives_free = [machine.ports] * ranks, [machine.ports] * ranks
        self.busy, self.queue, self.asking = [False] * ranks, [[] for _ in range(ranks)], []

    def run(self):
        for rank, time in enumerate(self.came):
            if time:
                self.clock.at(time, ("comes", rank))
        self.moment([rank for rank, time in enumerate(self.came) if not time], [], [])
        while (moment := self.clock.moment()) is not None:
            self.number += 1
            come, calculated, ended = [], [], []
            for event in moment[0]:
                if isinstance(event, tuple):
                    (come if event[0] == "comes" else calculated).append(event[1])
                elif hasattr(event, "owner"):
                    self.clock.begin(event)
                else:
                    self.part_ended(event, ended)
            for flow in moment[1]:
                self.part_ended(flow.owner, ended)
            self.moment(come, calculated, ended)
        assert all(part.end is not None for part in self.parts), "deadlock"
        return max((part.end for part in self.parts), default=0)

    def moment(self, come, calculated, ended):
        touched = set()
        for pair in ended:
            self.sends_free[self.parts[pair.source].rank] += 1
            self.receives_free[self.parts[pair.target].rank] += 1
            self.machine.take(pair.loaded, -1)
            for number in (pair.source, pair.target):
                self.owed[number] -= 1
                touched.add(number)
        for number in touched:
            self.go_on([number])
        for number in calculated:
            self.busy[self.parts[number].rank] = False
            self.over(number)
        for number, part in enumerate(self.parts):
            if part.rank in come and not part.after:
                self.begin(number)
        self.calculate()
        self.start()

    def begin(self, number):
        part = self.parts[number]
        part.begin = self.clock.now
        if part.calculation:
            self.asking.append(number)
        else:
            self.go_on([number])

    def go_on(self, ranks):
        super().go_on(ranks)
        for number in ranks:
            if self.owed[number] == 0:
                self.over(number)

    def over(self, number):
        part = self.parts[number]
        part.end = self.clock.now
        for follower in part.followers:
            self.parts[follower].waits -= 1
            if self.parts[follower].waits == 0:
                self.begin(follower)

    def calculate(self):
        for number in sorted(self.asking):
            self.queue[self.parts[number].rank].append(number)
        self.asking = []
        for rank, queue in enumerate(self.queue):
            if queue and not self.busy[rank]:
                number = queue.pop(0)
                self.busy[rank] = True
                self.clock.at(self.clock.now + self.parts[number].calculation, ("calculated", number))

    def start(self):
        self.waiting.sort(key=self.order)
        left = []
        for pair in self.waiting:
            source, target = self.parts[pair.source].rank, self.parts[pair.target].rank
            if self.sends_free[source] and self.receives_free[target]:
                self.sends_free[source] -= 1
                self.receives_free[target] -= 1
                self.set_out(pair)
            else:
                left.append(pair)
        self.waiting = left

    def ends_of(self, pair):
        source = self.parts[pair.source]
        return source.rank, self.parts[pair.target].rank, source.sends_before + pair.place


def step_times(workload, parts):
    """The time of each step by name: the last end minus the first begin, summed over the repetitions."""
    times = {step["name"]: 0 for step in workload["steps"]}
    for number, (step, _) in enumerate(carried_out(workload)):
        own = [part for part in parts if part.step == number]
        times[step["name"]] += max(part.end for part in own) - min(part.begin for part in own)
    return times
