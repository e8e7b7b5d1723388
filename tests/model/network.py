"""The routers, links and minimal routes of each topology (docs/model-network.md, "Links and minimal routes")."""


class Network:
    """links: number -> (from router, to router, cables, whether it joins two groups of a dragonfly)."""

    def __init__(self, hosts, links, router_of, minimal):
        self.hosts, self.links, self.router_of, self.minimal = hosts, links, router_of, minimal
        self.leaving = {}
        for number in sorted(links):
            self.leaving.setdefault(links[number][0], []).append(number)

    def along(self, routers):
        """The numbers of the links along a list of routers. Two routers have at most one link in each direction."""
        found = []
        for a, b in zip(routers, routers[1:]):
            found.append(next(link for link in self.leaving[a] if self.links[link][1] == b))
        return found


def network(topology):
    kind = topology["kind"]
    if kind == "fully_connected":
        return Network(topology["hosts"], {}, lambda host: None, lambda a, b: [])
    if kind == "ring":
        return grid([topology["hosts"]], True)
    if kind in ("torus", "mesh"):
        return grid(topology["dims"], kind == "torus")
    if kind == "dragonfly":
        return dragonfly(topology)
    assert kind == "fat_tree", kind
    return fat_tree(topology)


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def grid(dims, closed):
    strides = [product(dims[j + 1:]) for j in range(len(dims))]

    def coordinate(router, j):
        return router // strides[j] % dims[j]

    def moved(router, j, by):
        """The neighbor of a router in dimension j; None outside a mesh."""
        old = coordinate(router, j)
        new = old + by
        if not 0 <= new < dims[j]:
            if not closed:
                return None
            new %= dims[j]
        return router + (new - old) * strides[j]

    links = {}
    hosts = product(dims)
    for router in range(hosts):
        for j, extent in enumerate(dims):
            number = 2 * (router * len(dims) + j)
            directions = [] if extent == 1 else [(0, 1)] if closed and extent == 2 else [(0, 1), (1, -1)]
            for odd, by in directions:
                target = moved(router, j, by)
                if target is not None:
                    links[number + odd] = (router, target, 1, False)

    def minimal(a, b):
        route, at = [], a
        for j, extent in enumerate(dims):
            up = coordinate(b, j) - coordinate(at, j)
            if closed:
                up %= extent
                if 2 * up > extent:
                    up -= extent
            for _ in range(abs(up)):
                route.append(2 * (at * len(dims) + j) + (0 if up > 0 else 1))
                at = moved(at, j, 1 if up > 0 else -1)
        assert at == b
        return route

    return Network(hosts, links, lambda host: host, minimal)


def dragonfly(topology):
    g, c = topology.get("groups", 3), topology.get("chassis", 3)
    r, t = topology.get("routers", 4), topology.get("hosts_per_router", 2)
    between_groups, between_chassis, within_chassis = topology.get("cables", [1, 1, 1])
    n = c * r
    numbers = r + c + (g - 1) // n + 1
    links = {}
    for router in range(g * n):
        group, chassis, place = router // n, router // r % c, router % r
        first = router * numbers
        for j in range(r):
            if j != place:
                links[first + j] = (router, router - place + j, within_chassis, False)
        for k in range(c):
            if k != chassis:
                links[first + r + k] = (router, (group * c + k) * r + place, between_chassis, False)
        for l in range((g - 1) // n + 1):
            m = l * n + router % n
            if m < g and m != group:
                links[first + r + c + l] = (router, m * n + group % n, between_groups, True)

    def within(a, b):
        """The route from router a to router b of the same group: first to b's place, then to b's chassis."""
        route = []
        if a % r != b % r:
            route.append(a * numbers + b % r)
            a = a - a % r + b % r
        if a != b:
            route.append(a * numbers + r + b // r % c)
        return route

    def minimal(host_a, host_b):
        a, b = host_a // t, host_b // t
        i, m = a // n, b // n
        if i == m:
            return within(a, b)
        leaves, ends = i * n + m % n, m * n + i % n
        return within(a, leaves) + [leaves * numbers + r + c + m // n] + within(ends, b)

    return Network(g * n * t, links, lambda host: host // t, minimal)


def fat_tree(topology):
    m, w = topology["down"], topology["up"]
    h = len(m)
    cables = topology.get("parallel", [1] * h)
    big_m = [product(m[:l]) for l in range(h + 1)]
    big_w = [product(w[:l]) for l in range(h + 1)]
    hosts = big_m[h]
    first, routers = [0] * (h + 2), 0
    for level in range(1, h + 1):
        first[level] = routers
        routers += hosts // big_m[level] * big_w[level]
    links, upwards, count = {}, {}, 0
    for level in range(1, h):
        for place in range(hosts // big_m[level] * big_w[level]):
            a, b = divmod(place, big_w[level])
            for k in range(w[level]):
                above = a // m[level] * big_w[level + 1] + b + k * big_w[level]
                low, high = first[level] + place, first[level + 1] + above
                links[2 * count] = (low, high, cables[level], False)
                links[2 * count + 1] = (high, low, cables[level], False)
                upwards[low, high] = 2 * count
                count += 1

    def minimal(a, b):
        top = 1
        while a // big_m[top] != b // big_m[top]:
            top += 1
        up = [first[level] + a // big_m[level] * big_w[level] + b % big_w[level] for level in range(1, top + 1)]
        down = [first[level] + b // big_m[level] * big_w[level] + b % big_w[level] for level in range(top, 0, -1)]
        route = [upwards[pair] for pair in zip(up, up[1:])]
        return route + [upwards[low, high] + 1 for high, low in zip(down, down[1:])]

    return Network(hosts, links, lambda host: host // m[0], minimal)
