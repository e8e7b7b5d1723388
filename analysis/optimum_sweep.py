"""Compares the algorithms of isomorphic collectives with `rondo optimum`, on all small neighborhoods.

    optimum_sweep.py RONDO OUT.csv [--most-ranks P] [--most-offsets T] [--links unit,any] [--timeout TIME] [--jobs N]

A case is a torus of 2 to P ranks (default 12) with a set of 1 to T offsets (default 4). Sets that differ only by
reflections of dimensions or by swaps of equal dimensions are one case. Ranks have one port. Links are those of the
torus (`unit`), or join any two ranks (`any`). For each case it finds the fewest rounds of all algorithms with all their
options, and bounds of the fewest rounds of any schedule. A line of OUT.csv is a case:

    kind, torus, offsets, links, algorithm, rounds (of the best algorithm), at_least, at_most (of any schedule)

Prints for each kind and each class of links how many cases are optimal, beaten by 1, 2, ... rounds (at_most < rounds)
or open. Exit code 1: an algorithm takes fewer rounds than a search has proved to be possible.
"""

import argparse
import csv
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ALGORITHMS = {"isomorphic_alltoall": ["straightforward", "torus", "direct", "basis", "parity"],
              "isomorphic_allgather": ["straightforward", "torus", "direct", "basis", "parity", "steiner"]}


def tori(most_ranks):
    def extend(prefix, product):
        if prefix:
            yield tuple(prefix)
        for extent in range(prefix[-1] if prefix else 2, most_ranks // product + 1):
            yield from extend(prefix + [extent], product * extent)
    return sorted(extend([], 1))


def images(torus):
    """The maps of an offset: the reflections of dimensions and the swaps of equal extents."""
    dims = range(len(torus))
    for order in itertools.permutations(dims):
        if any(torus[order[j]] != torus[j] for j in dims):
            continue
        for signs in itertools.product((1, -1), repeat=len(torus)):
            yield lambda o, order=order, signs=signs: tuple(signs[j] * o[order[j]] % torus[j] for j in dims)


def neighborhoods(torus, most_offsets):
    cells = [cell for cell in itertools.product(*map(range, torus)) if any(cell)]
    maps = list(images(torus))
    for count in range(1, min(most_offsets, len(cells)) + 1):
        for chosen in itertools.combinations(cells, count):
            if chosen == min(tuple(sorted(map(each, chosen))) for each in maps):
                yield chosen


def scenario(kind, torus, offsets, links):
    if links == "any":
        machine = {"topology": {"kind": "fully_connected", "hosts": math.prod(torus)}}
    elif len(torus) == 1:
        machine = {"topology": {"kind": "ring", "hosts": torus[0]}, "neighbors_only": True}
    else:
        machine = {"topology": {"kind": "torus", "dims": list(torus)}, "neighbors_only": True}
    # The shorter direction around the torus.
    short = [[c - e if 2 * c > e else c for c, e in zip(offset, torus)] for offset in offsets]
    return {"machine": {**machine, "latency": "1us", "bandwidth": "1GBps"},
            "collective": {"kind": kind, "torus": list(torus), "neighborhood": {"kind": "offsets", "offsets": short}},
            "algorithm": "torus", "block": "8B", "engine": "native"}


def by_algorithms(rondo, case, path):
    """The best algorithm and its rounds. Algorithms that the links do not allow fail, and are ignored."""
    best = (None, None)
    for dimension_order in ("given", "best"):
        for shortest_wrap in (False, True):
            point = json.loads(json.dumps(case))
            point["collective"].update(dimension_order=dimension_order, shortest_wrap=shortest_wrap)
            point["sweep"] = {"/algorithm": ALGORITHMS[case["collective"]["kind"]]}
            with open(path, "w", encoding="utf-8") as file:
                json.dump(point, file)
            ran = subprocess.run([rondo, "run", "--quiet", "--format", "jsonl", path], capture_output=True, text=True)
            for record in map(json.loads, ran.stdout.splitlines()):
                if record.get("error") is None and record["delivered"] and (best[1] is None or record["rounds"] < best[1]):
                    best = (record["algorithm"], record["rounds"])
            if not ran.stdout:
                sys.exit(ran.stderr)
    return best


def by_search(rondo, case, path, timeout):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(case, file)
    command = [rondo, "optimum", "--format", "jsonl", "--timeout", timeout, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as search:
        first = search.stdout.readline()  # the fewest rounds; the search for critical blocks is stopped
        search.terminate()
        if not first:
            sys.exit(search.stderr.read())
    answer = json.loads(first)
    return answer["at_least"], answer["at_most"]


def judged(work):
    rondo, timeout, kind, torus, offsets, links = work
    case = scenario(kind, torus, offsets, links)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.json")
        algorithm, rounds = by_algorithms(rondo, case, path)
        at_least, at_most = by_search(rondo, case, path, timeout)
    return [kind, "x".join(map(str, torus)), json.dumps(case["collective"]["neighborhood"]["offsets"]), links, algorithm,
            rounds, at_least, at_most]


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("rondo")
    words.add_argument("out")
    words.add_argument("--most-ranks", type=int, default=12)
    words.add_argument("--most-offsets", type=int, default=4)
    words.add_argument("--links", default="unit,any")
    words.add_argument("--timeout", default="5s")
    words.add_argument("--jobs", type=int, default=os.cpu_count())
    said = words.parse_args()
    cases = [(said.rondo, said.timeout, kind, torus, offsets, links) for torus in tori(said.most_ranks)
             for offsets in neighborhoods(torus, said.most_offsets) for kind in ALGORITHMS for links in said.links.split(",")]
    counts, wrong = {}, 0
    with open(said.out, "w", encoding="utf-8", newline="") as file, ThreadPoolExecutor(said.jobs) as pool:
        rows = csv.writer(file)
        rows.writerow("kind torus offsets links algorithm rounds at_least at_most".split())
        for row in pool.map(judged, cases):
            rows.writerow(row)
            file.flush()
            rounds, at_least, at_most = row[5:]
            if rounds < at_least:
                print("fewer rounds than are possible:", *row)
                wrong = 1
            more = rounds - at_most if at_most is not None else 0
            verdict = "optimal" if rounds == at_least else f"beaten by {more}" if more > 0 else "open"
            of = counts.setdefault((row[0], row[3]), {})
            of[verdict] = of.get(verdict, 0) + 1
    for (kind, links), of in sorted(counts.items()):
        print(f"{kind}, {links} links: {sum(of.values())} cases, " + ", ".join(f"{n} {word}" for word, n in sorted(of.items())))
    return wrong


sys.exit(main())
