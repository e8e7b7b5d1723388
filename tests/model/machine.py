"""A machine of a scenario: the hosts of the ranks, the costs of a message, and the resources of its flows
(docs/model.md, "Hosts, ranks, NICs" and "The inside of hosts")."""

from fractions import Fraction

from network import network
from routing import Routes
from units import per_byte, rate, seconds, size


class Machine:
    def __init__(self, told, ranks):
        self.told = told
        self.timing = told.get("timing", "linear")
        self.network = network(told["topology"])
        self.routes = Routes(self.network, told)
        self.latency, self.bandwidth = seconds(told["latency"]), rate(told["bandwidth"])
        self.hop = seconds(told.get("hop_latency", "0s"))
        self.intra_latency = seconds(told.get("intra_latency", told["latency"]))
        self.intra_bandwidth = rate(told.get("intra_bandwidth", told["bandwidth"]))
        self.link_bandwidth = rate(told.get("link_bandwidth", told["bandwidth"]))
        self.pieces = [(size(p["up_to"]), seconds(p["latency"]), rate(p["bandwidth"])) for p in told.get("pieces", [])]
        self.ports, self.envelope = told.get("ports", 1), size(told.get("envelope", "0B"))
        self.shared = told.get("links", "unshared") == "shared"
        self.nics, self.nic_of = told.get("nics", 1), told.get("nic_of", "block")
        self.stripe_from, self.rails = size(told.get("stripe_from", "0B")), told.get("rails", False)
        self.nic_gap, self.reduce = seconds(told.get("nic_gap", "0s")), per_byte(told.get("reduce", "0ns/B"))
        flow = told.get("flow", {})
        self.o_send, self.o_recv = seconds(flow.get("o_send", "0s")), seconds(flow.get("o_recv", "0s"))
        self.match, self.eager = seconds(flow.get("match", "0s")), size(flow.get("eager", "0B"))
        self.handshake = seconds(flow.get("handshake", "0s"))
        island = told.get("island", {"kind": "memory"})
        self.island = island["kind"]
        self.island_bandwidth = rate(island["bandwidth"]) if "bandwidth" in island else self.intra_bandwidth
        self.capacity = {}
        self.loads = {}
        self.place(ranks)

    def place(self, ranks):
        n, placement = self.told.get("ranks_per_host", 1), self.told.get("placement", "block")
        self.ranks_per_host = n
        places = self.network.hosts * n
        if placement == "block":
            self.host = [place // n for place in range(places)]
        elif placement == "cyclic":
            self.host = [place % self.network.hosts for place in range(places)]
        else:
            self.host = placement
        assert ranks <= places
        on_host, self.nic, self.first_of_nic = {}, [], {}
        for rank, host in enumerate(self.host):
            i = on_host.get(host, 0)
            on_host[host] = i + 1
            self.nic.append(i % self.nics if self.nic_of == "cyclic" else i * self.nics // n)
            self.first_of_nic.setdefault((host, self.nic[-1]), rank)

    def piece(self, payload):
        """The latency and bandwidth of a message between hosts."""
        for up_to, latency, bandwidth in self.pieces:
            if payload <= up_to:
                return latency, bandwidth
        return self.latency, self.bandwidth

    def resource(self, key, capacity):
        self.capacity.setdefault(key, capacity)
        return key

    def memory(self, host):
        """The resources of a flow through a host's memory. Flows share the memory only under flow timing."""
        return [self.resource(("memory", host), self.island_bandwidth)] if self.timing == "flow" else []

    def way(self, source, target, payload):
        """A message that starts now: (start-up, [(bytes, fastest rate, resources)] of its flows, the links that it
        loads)."""
        late = self.handshake if self.timing == "flow" and payload > self.eager else 0
        if self.host[source] == self.host[target]:
            return self.intra_latency + late, [self.within(source, target, payload)], ()
        a, b = self.host[source], self.host[target]
        networks = self.networks(source, payload)
        route = self.routes.choose(a, b, lambda links: self.load(links, networks))
        latency, bandwidth = self.piece(payload)
        startup = latency + (max(1, len(route)) - 1) * self.hop + late
        loaded = {(net, link) for net in networks for link in route}
        if self.striped(payload):
            part = -(-(payload + self.envelope) // self.nics)
            return startup, [(part, bandwidth, self.crossed(source, c, target, c, route)) for c in range(self.nics)], loaded
        leaves = self.nic[source]
        enters = leaves if self.rails else self.nic[target]
        crossed = self.crossed(source, leaves, target, enters, route)
        if enters != self.nic[target] and self.nic_of != "striped":
            startup += self.intra_latency
            more, bandwidth = self.forwarded(target, enters, bandwidth)
            crossed = crossed + more
        return startup, [(payload + self.envelope, bandwidth, crossed)], loaded

    def striped(self, payload):
        return self.nic_of == "striped" and self.nics > 1 and payload >= self.stripe_from

    def networks(self, source, payload):
        if not self.rails:
            return (0,)
        return tuple(range(self.nics)) if self.striped(payload) else (self.nic[source],)

    def nics_passed(self, source, target, payload):
        """The NICs that a message passes. Two messages pass a NIC at least `nic_gap` apart."""
        if self.host[source] == self.host[target]:
            return []
        leaves = range(self.nics) if self.striped(payload) else [self.nic[source]]
        enters = leaves if self.striped(payload) or self.rails else [self.nic[target]]
        return [("out", self.host[source], c) for c in leaves] + [("in", self.host[target], c) for c in enters]

    def crossed(self, source, leaves, target, enters, route):
        keys = []
        if self.timing == "flow" or self.ranks_per_host > 1:
            keys.append(self.resource(("out", self.host[source], leaves), self.ports * self.bandwidth))
            keys.append(self.resource(("in", self.host[target], enters), self.ports * self.bandwidth))
        if self.shared:
            net = leaves if self.rails else 0
            for link in route:
                keys.append(self.resource((net, link), self.link_bandwidth * self.network.links[link][2]))
        return keys

    def within(self, source, target, payload):
        count, host = payload + self.envelope, self.host[source]
        if self.island == "memory":
            return count, min(self.intra_bandwidth, self.island_bandwidth), self.memory(host)
        if self.island == "switch":
            keys = [self.resource(("up", source), self.island_bandwidth), self.resource(("down", target), self.island_bandwidth)]
        else:
            keys = [self.resource(("pair", source, target), self.island_bandwidth)]
        return count, self.intra_bandwidth, keys

    def forwarded(self, target, nic, bandwidth):
        """The further resources of a flow that arrives through the NIC of other ranks, and its fastest rate."""
        host = self.host[target]
        if self.island == "memory":
            return self.memory(host), min(bandwidth, self.intra_bandwidth, self.island_bandwidth)
        if self.island == "switch":
            return [self.resource(("down", target), self.island_bandwidth)], bandwidth
        return [self.resource(("pair", self.first_of_nic[host, nic], target), self.island_bandwidth)], bandwidth

    def load(self, route, networks):
        most = [Fraction(self.loads.get((net, link), 0) + 1, self.network.links[link][2]) for net in networks for link in route]
        return len(route) * max(most, default=0)

    def take(self, loaded, by):
        for key in loaded:
            self.loads[key] = self.loads.get(key, 0) + by
