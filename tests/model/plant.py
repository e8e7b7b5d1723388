"""Faults that are planted in the model of this folder. Each breaks a rule of docs/model.md. The comparison must find
each."""

import contextlib
from fractions import Fraction

import clock
import flow
import linear
import loggp
import machine
import network
import routing
import schedule


def ties_by_target(pair):
    return pair.ready, pair.sent, pair.target, pair.place


def later_posted_first(pair):
    return pair.ready, pair.sent, pair.source, -pair.place


def ready_order_forgotten(pair):
    return pair.sent, pair.source, pair.place


def equal_shares(flows, capacity):
    """Equal shares of each resource. Bandwidth that a flow does not use is not given to others."""
    counts = {}
    for each in flows:
        for key in each.crosses:
            counts[key] = counts.get(key, 0) + 1
    for each in flows:
        each.rate = min([each.fastest] + [Fraction(capacity[key]) / counts[key] for key in each.crosses])


def loops_stay(_, __, route):
    return route


def links_all_alike(told):
    """A dragonfly that does not distinguish the links between groups from other links."""
    made = network.dragonfly_as_written(told)
    made.links = {number: link[:3] + (False,) for number, link in made.links.items()}
    return made


def drawn_for_the_way_back(self, a, b):
    return self.__class__.drawn_as_written(self, b, a)


def arrivals_before_posts(self):
    for rank, cpu in enumerate(self.cpus):
        while cpu.arrived and not cpu.busy:
            self.take_in(rank, cpu.arrived.pop(0))
    return self.__class__.steps_as_written(self)


def length_alone(_, route, __):
    return len(route)


def no_envelope(self, ranks):
    self.__class__.place_as_written(self, ranks)
    self.envelope = 0


def first_piece(self, _):
    return self.pieces[0][1:] if self.pieces else (self.latency, self.bandwidth)


def own_nic_always_first(self, ranks):
    self.__class__.place_as_written(self, ranks)
    self.nic = [0 for _ in self.nic]


def nothing_inside(_, __, ___, bandwidth):
    return [], bandwidth


def gaps_forgotten(*_):
    return []


def shifted_the_other_way(self, message):
    return self.key(message, (self.rank - message.partner) % self.ranks, 1)


def posted_without_calculation(self, rank):
    self.post(rank)


FAULTS = {
    "ties go by the target": (linear.Linear, "order", staticmethod(ties_by_target)),
    "what was posted later starts first": (linear.Linear, "order", staticmethod(later_posted_first)),
    "it does not matter which message was ready first": (linear.Linear, "order", staticmethod(ready_order_forgotten)),
    "shares are equal, not max-min": (clock, "share", equal_shares),
    "moments have no length": (clock, "CLOSE", Fraction(1)),
    "moments are three times as long": (clock, "CLOSE", 1 + Fraction(3, 10**12)),
    "loops of Valiant's routes stay": (routing.Routes, "without_loops", loops_stay),
    "shortest ways do not spare links between groups": (network, "dragonfly", links_all_alike),
    "arrivals are served before posts": (flow.Flows, "steps", arrivals_before_posts),
    "loads are only lengths": (machine.Machine, "load", length_alone),
    "envelopes weigh nothing": (machine.Machine, "place", no_envelope),
    "the first piece is taken for all sizes": (machine.Machine, "piece", first_piece),
    "ranks use NIC 0": (machine.Machine, "place", own_nic_always_first),
    "what is forwarded crosses nothing within the host": (machine.Machine, "forwarded", nothing_inside),
    "rounds of many messages need no CPU between them": (loggp.LogGP, "calculation", posted_without_calculation),
    "NICs keep no gap": (machine.Machine, "nics_passed", gaps_forgotten),
    "shifts of sends are those of receives": (schedule.Order, "of_sends", shifted_the_other_way),
    "a pair draws what the pair of the way back draws": (routing.Routes, "drawn", drawn_for_the_way_back),
}


@contextlib.contextmanager
def planted(name, faults=None):
    where, key, fault = (faults or FAULTS)[name]
    right = where.__dict__[key]
    setattr(where, key + "_as_written", right)
    setattr(where, key, fault)
    try:
        yield
    finally:
        setattr(where, key, right)
