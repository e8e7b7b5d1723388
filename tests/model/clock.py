"""Moments (docs/model.md, "Moments") and flows that share resources max-min fairly, in exact fractions."""

import heapq
from fractions import Fraction

CLOSE = 1 + Fraction(1, 10**12)


class Flow:
    __slots__ = ("rest", "fastest", "crosses", "rate", "owner")

    def __init__(self, rest, fastest, crosses, owner):
        self.rest, self.fastest, self.crosses, self.owner, self.rate = rest, fastest, crosses, owner, None


class Clock:
    """The known future: events at fixed times, and flows whose ends follow from their rates."""

    def __init__(self, capacity):
        self.now, self.capacity = Fraction(0), capacity
        self.heap, self.sequence, self.flows, self.changed = [], 0, [], False

    def at(self, time, event):
        self.sequence += 1
        heapq.heappush(self.heap, (time, self.sequence, event))

    def begin(self, flow):
        self.flows.append(flow)
        self.changed = True

    def ends(self):
        """The time at which each flow ends at its present rate."""
        if self.changed:
            share(self.flows, self.capacity)
            self.changed = False
        return [self.now + flow.rest / flow.rate for flow in self.flows]

    def moment(self):
        """Goes to the next moment. Returns its events and the flows that end in it, in the order in which they became
        known; None if there is no next moment."""
        ends = self.ends()
        times = ends + ([self.heap[0][0]] if self.heap else [])
        if not times:
            return None
        now = min(times)
        last = now * CLOSE
        events = []
        while self.heap and self.heap[0][0] <= last:
            events.append(heapq.heappop(self.heap)[2])
        over, left = [], []
        for flow, end in zip(self.flows, ends):
            if end <= last:
                over.append(flow)
            else:
                flow.rest -= flow.rate * (now - self.now)
                left.append(flow)
        if over:
            self.flows, self.changed = left, True
        self.now = now
        return events, over


def share(flows, capacity):
    """Gives each flow its max-min fair rate. All rates grow equally. A rate stops at its fastest value, or when a
    resource of the flow is full."""
    crossing = {}
    for flow in flows:
        flow.rate = flow.fastest
        for key in flow.crosses:
            crossing.setdefault(key, []).append(flow)
    # A resource that can carry all its flows at their fastest rates is never full.
    free, waiting = {}, {}
    for key, those in crossing.items():
        if sum(flow.fastest for flow in those) > capacity[key]:
            free[key], waiting[key] = Fraction(capacity[key]), those
    growing = {id(flow): flow for those in waiting.values() for flow in those}
    while growing:
        level, full = None, None
        for key, those in waiting.items():
            count = sum(id(flow) in growing for flow in those)
            if count and (level is None or free[key] / count < level):
                level, full = free[key] / count, key
        fastest = min(flow.fastest for flow in growing.values())
        if level is None or fastest <= level:
            level = fastest
            fixed = [flow for flow in growing.values() if flow.fastest == level]
        else:
            fixed = [flow for flow in waiting[full] if id(flow) in growing]
        for flow in fixed:
            flow.rate = level
            del growing[id(flow)]
            for key in flow.crosses:
                if key in free:
                    free[key] -= level
