"""The routes of messages (docs/model-network.md, "Routing")."""

from fractions import Fraction

from units import first_number, splitmix64


def failed_links(network, told):
    """The numbers of the links that have failed."""
    if isinstance(told, dict):
        pairs = drawn_pairs(network, Fraction(str(told["fraction"])), told.get("seed", 0))
    else:
        pairs = [tuple(pair) for pair in told]
    both = set(pairs) | {(b, a) for a, b in pairs}
    return {number for number, link in network.links.items() if link[:2] in both}


def drawn_pairs(network, fraction, seed):
    listed = [network.links[number][:2] for number in sorted(network.links)]
    listed = [pair for pair in listed if pair[0] < pair[1]]
    n = len(listed)
    k = int(fraction * n + Fraction(1, 2))
    numbers = splitmix64(seed)
    for i in range(k):
        j = i + next(numbers) % (n - i)
        listed[i], listed[j] = listed[j], listed[i]
    return listed[:k]


class Routes:
    def __init__(self, network, machine):
        self.network = network
        self.kind = machine.get("routing", "minimal")
        self.failed = failed_links(network, machine.get("failed_links", []))
        self.state = first_number(machine.get("routing_seed", 0))
        self.lengths = {}
        self.known = {}

    def drawn(self, a, b):
        """The random numbers for messages from host a to host b."""
        return splitmix64(self.state ^ (a * 2**32 + b))

    def lengths_to(self, target):
        """The length of a shortest route from each router to the target: (links between groups, links)."""
        if target not in self.lengths:
            coming = {}
            for number, (a, b, _, wide) in self.network.links.items():
                if number not in self.failed:
                    coming.setdefault(b, []).append((a, wide))
            best, left = {}, {target: (0, 0)}
            while left:
                router = min(left, key=lambda each: left[each])
                best[router] = groups, links = left.pop(router)
                for a, wide in coming.get(router, []):
                    length = (groups + wide, links + 1)
                    if a not in best and (a not in left or length < left[a]):
                        left[a] = length
            self.lengths[target] = best
        return self.lengths[target]

    def shortest(self, a, b):
        numbers = self.drawn(a, b)
        at, target = self.network.router_of(a), self.network.router_of(b)
        best = self.lengths_to(target)
        route = []
        while at != target:
            begins = []
            for number in self.network.leaving[at]:
                _, to, _, wide = self.network.links[number]
                if number not in self.failed and to in best and (best[to][0] + wide, best[to][1] + 1) == best[at]:
                    begins.append(number)
            taken = begins[next(numbers) % len(begins)] if len(begins) > 1 else begins[0]
            route.append(taken)
            at = self.network.links[taken][1]
        return route

    def minimal(self, a, b):
        route = self.network.minimal(a, b)
        return self.shortest(a, b) if self.failed.intersection(route) else route

    def valiant(self, a, b):
        middle = next(self.drawn(a, b)) % self.network.hosts
        return self.without_loops(self.network.router_of(a), self.minimal(a, middle) + self.minimal(middle, b))

    def without_loops(self, start, route):
        routers = [start] + [self.network.links[link][1] for link in route]
        kept, at = [], 0
        while at < len(route):
            last = max(i for i, router in enumerate(routers) if router == routers[at])
            if last == len(route):
                break
            kept.append(route[last])
            at = last + 1
        return kept

    def choose(self, a, b, load):
        """The route from host a to host b. `ugal` compares the present loads of two routes by `load(route)`."""
        key = (a, b)
        if key not in self.known:
            if self.kind == "ecmp":
                self.known[key] = [self.shortest(a, b)]
            elif self.kind == "valiant":
                self.known[key] = [self.valiant(a, b)]
            elif self.kind == "ugal":
                self.known[key] = [self.minimal(a, b), self.valiant(a, b)]
            else:
                self.known[key] = [self.minimal(a, b)]
        ways = self.known[key]
        return ways[0] if len(ways) == 1 or load(ways[0]) <= load(ways[1]) else ways[1]

    def connected(self):
        """Whether all hosts can reach each other."""
        routers = {self.network.router_of(host) for host in range(self.network.hosts)}
        if None in routers:
            return True
        return all(routers <= set(self.lengths_to(target)) for target in routers)
