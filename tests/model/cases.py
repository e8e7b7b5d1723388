"""Case number n of a seed: a machine, a schedule and the order of posting. The seed and n determine the case."""

import random

from machines import arrival, close, loggp, machine, noise
from network import network
from routing import Routes
from schedules import custom, problem

POSTINGS = ["neighbors", "neighbors", "ascending", "shifted", "random"]
MOST = 24  # ranks
ROOM = 60  # the most places for ranks


class Case:
    def __init__(self, seed, number):
        self.number = number
        draw = random.Random(f"{seed}/{number}")
        while True:
            self.machine = {8: close, 9: loggp}.get(number % 10, machine)(draw)
            net = network(self.machine["topology"])
            places = net.hosts * self.machine.get("ranks_per_host", 1)
            if 2 <= places <= ROOM and Routes(net, self.machine).connected():
                break
        self.seed, self.posting = draw.randint(0, 10**6), draw.choice(POSTINGS)
        self.smpi = draw.random() if number % 10 != 9 else 1  # LogGP is not for SMPI
        self.schedule = self.collective = None
        self.algorithm = "custom"
        most = min(places, MOST)
        ranks = most if draw.random() < 0.7 else draw.randint(2, most)
        if draw.random() < 0.6:
            self.schedule = custom(draw, ranks)
            self.collective = {"kind": "custom", "schedule": f"schedule-{number}.json"}
            self.block = f"{self.schedule['block_bytes']}B"
        else:
            self.collective, self.algorithm, self.block = problem(draw, ranks)
            if "torus" in self.collective and self.posting == "ascending":
                self.posting = "shifted"
        self.arrival = arrival(draw, ranks) if draw.random() < 0.25 else {"kind": "none"}
        if draw.random() < 0.25 and number % 10 != 8:
            self.machine["noise"] = noise(draw)

    def point(self):
        """The values of this case by the pointers that are swept together."""
        return {"/machine": f"machine-{self.number}.json", "/collective": self.collective, "/algorithm": self.algorithm,
                "/block": self.block, "/posting": self.posting, "/seed": self.seed, "/arrival": self.arrival}
