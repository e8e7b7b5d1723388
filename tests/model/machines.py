"""Random machines of a scenario, small enough for a simulation in exact fractions."""

from network import network
from units import rate


def topology(draw):
    kind = draw.choice(["fully_connected", "ring", "torus", "mesh", "dragonfly", "dragonfly", "fat_tree", "fat_tree"])
    if kind in ("fully_connected", "ring"):
        return {"kind": kind, "hosts": draw.randint(2, 16)}
    if kind in ("torus", "mesh"):
        return {"kind": kind, "dims": draw.choice([[2, 3], [4, 4], [3, 5], [2, 2, 3], [2, 2, 2, 2], [1, 7], [6, 2], [4, 1, 3], [5, 3]])}
    if kind == "dragonfly":
        told = {"kind": kind, "groups": draw.randint(1, 7), "chassis": draw.randint(1, 3), "routers": draw.randint(1, 3),
                "hosts_per_router": draw.randint(1, 2)}
        return {**told, "cables": [draw.randint(1, 3) for _ in range(3)]} if draw.random() < 0.6 else told
    levels = draw.randint(1, 3)
    told = {"kind": kind, "down": [draw.randint(2, 4 if levels < 3 else 3) for _ in range(levels)],
            "up": [1] + [draw.randint(1, 3) for _ in range(levels - 1)]}
    return {**told, "parallel": [1] + [draw.randint(1, 3) for _ in range(levels - 1)]} if draw.random() < 0.5 else told


def numbers(draw):
    """Two functions, which draw times and bandwidths. The values are round, so that many events have the same time, or
    odd, some with many digits."""
    kind = draw.random()
    if kind < 0.4:
        return (lambda most=2: f"{draw.randint(0, most)}us"), (lambda: draw.choice(["1GBps", "2GBps", "500MBps"]))
    if kind < 0.7:
        return (lambda most=2: f"{draw.randint(0, most * 10**6) / 1000}ns"), (lambda: f"{draw.randint(10**8, 10**10)}Bps")
    return (lambda most=2: f"{draw.randint(0, most * 1000)}ns"), (lambda: f"{draw.randint(101, 9999)}MBps")


def failed(draw, told):
    links = network(told["topology"]).links
    if not links:
        return
    if draw.random() < 0.5:
        pairs = sorted({link[:2] for link in links.values()})
        told["failed_links"] = [list(draw.choice(pairs)) for _ in range(draw.randint(1, 2))]
    else:
        told["failed_links"] = {"fraction": draw.choice([0.05, 0.1, 0.25]), "seed": draw.randint(0, 99)}


def inside(draw, told, time, bandwidth):
    """Several ranks per host, and their connection."""
    told["ranks_per_host"] = n = draw.randint(2, 4)
    if draw.random() < 0.6:
        told["intra_latency"] = time(1)
    if draw.random() < 0.6:
        told["intra_bandwidth"] = bandwidth()
    if draw.random() < 0.5:
        told["island"] = {"kind": draw.choice(["memory", "switch", "links"]), "bandwidth": bandwidth()}
    hosts = network(told["topology"]).hosts
    placement = draw.choice(["block", "cyclic", "list"])
    if placement == "list":
        placement = [host for host in range(hosts) for _ in range(n)]
        draw.shuffle(placement)
    told["placement"] = placement


def several_nics(draw, told):
    told["nics"] = draw.randint(2, 4)
    told["nic_of"] = draw.choice(["block", "cyclic", "striped"])
    if draw.random() < 0.5:
        told["rails"] = True
    if told["nic_of"] == "striped" and draw.random() < 0.6:
        told["stripe_from"] = draw.choice(["1B", "1000B", "5000B"])


def flow(draw, told, time, bandwidth):
    told["timing"] = "flow"
    told["flow"] = costs = {}
    for key in ("o_send", "o_recv", "match"):
        if draw.random() < 0.6:
            costs[key] = time(1)
    if draw.random() < 0.7:
        costs["eager"] = draw.choice(["0B", "100B", "1000B", "5000B", "1MB"])
    if draw.random() < 0.3:
        costs["handshake"] = time(1)
    if draw.random() < 0.4:
        told["reduce"] = f"{draw.randint(1, 9)}ns/B" if draw.random() < 0.5 else "1ns/B"
    if draw.random() < 0.3:
        told["nic_gap"] = time(1)


def loggp(draw):
    """A machine with LogGP timing. Its times are mostly whole nanoseconds, so that events often have the same time."""
    told = {"L": f"{draw.choice([0, 1, 1000, 1234])}ns", "o": f"{draw.choice([0, 77, 100])}ns", "g": f"{draw.choice([0, 50, 100, 333])}ns",
            "G": f"{draw.choice(['0', '0.3', '1', '2'])}ns/B"}
    if draw.random() < 0.5:
        told["O"] = f"{draw.choice([1, 3])}ns/B"
    if draw.random() < 0.7:
        told["S"] = draw.choice(["0B", "50B", "1000B"])
    return {"topology": {"kind": "fully_connected", "hosts": draw.randint(2, 12)}, "timing": "loggp", "loggp": told}


def close(draw):
    """A machine with links that take about 10^-12 of the time of a message. The ends of messages then lie within one
    moment, or just outside of it."""
    kind = draw.choice(["ring", "mesh", "mesh", "torus"])
    shape = {"hosts": draw.randint(4, 16)} if kind == "ring" else {"dims": draw.choice([[8], [4, 3], [4, 4]])}
    told = {"topology": {"kind": kind, **shape}, "latency": draw.choice(["0us", "1us"]), "bandwidth": "1GBps",
            "hop_latency": f"0.000000000{draw.choice([37, 70, 83])}ns"}
    if draw.random() < 0.4:
        told["ports"] = 2
    if draw.random() < 0.3:
        told["timing"] = "flow"
        told["flow"] = {"match": draw.choice(["0us", "250ns"]), "o_recv": "500ns", "eager": draw.choice(["0B", "1000B"])}
    elif draw.random() < 0.3:
        told["links"] = "shared"
    return told


TRACES = {"durations.txt": "0\n1500\n250 # longer\n4000\n", "trace.txt": "# begin, duration\n300\t400\n2000\t1500\n9000\t10\n12345\t0\n"}


def noise(draw):
    """Noise. Its times have the size of start-ups."""
    def law():
        kind = draw.choice(["uniform", "normal", "exponential", "trace"])
        time = f"{draw.randint(1, 3000)}ns"
        return {"kind": kind, **{"uniform": {"spread": time}, "normal": {"mean": time, "spread": f"{draw.randint(1, 2000)}ns"},
                                 "exponential": {"mean": time}, "trace": {"path": draw.choice(list(TRACES))}}[kind]}
    return {key: law() for key in draw.choice([["cpu"], ["latency"], ["cpu", "latency"]])}


def arrival(draw, ranks):
    kind = draw.choice(["one_late", "linear", "uniform", "normal", "exponential", "list"])
    if kind == "list":
        return {"kind": kind, "values": [f"{draw.choice([0, 0, 1000, draw.randint(1, 9999)])}ns" for _ in range(ranks)]}
    return {"kind": kind, "spread": f"{draw.randint(1, 20000)}ns"}


def pieces(draw, told, time):
    """Pieces. No piece has more bandwidth than the machine."""
    fastest = int(rate(told["bandwidth"]) / 10**6)
    sizes = sorted(draw.sample([0, 1, 100, 999, 1000, 4000, 10000], draw.randint(1, 3)))
    told["pieces"] = [{"up_to": f"{each}B", "latency": time(), "bandwidth": f"{draw.randint(50, fastest)}MBps"} for each in sizes]


def machine(draw):
    time, bandwidth = numbers(draw)
    told = {"topology": topology(draw), "latency": time(), "bandwidth": bandwidth()}
    if draw.random() < 0.4:
        told["hop_latency"] = time(1)
    if draw.random() < 0.4:
        told["ports"] = draw.randint(2, 4)
    if draw.random() < 0.5 and told["topology"]["kind"] != "fully_connected":
        told["links"] = "shared"
        if draw.random() < 0.6:
            told["link_bandwidth"] = bandwidth()
    if told["topology"]["kind"] in ("dragonfly", "fat_tree"):
        told["routing"] = draw.choice(["minimal", "ecmp", "valiant"] + ["ugal", "ugal"] * ("links" in told))
        if draw.random() < 0.5:
            told["routing_seed"] = draw.randint(0, 9999)
    if draw.random() < 0.25:
        failed(draw, told)
    if draw.random() < 0.35:
        inside(draw, told, time, bandwidth)
    if draw.random() < (0.5 if "ranks_per_host" in told else 0.15):
        several_nics(draw, told)
    if draw.random() < 0.25:
        told["envelope"] = draw.choice(["1B", "16B", "64B"])
    if draw.random() < 0.25:
        pieces(draw, told, time)
    if draw.random() < 0.5:
        flow(draw, told, time, bandwidth)
    return told
