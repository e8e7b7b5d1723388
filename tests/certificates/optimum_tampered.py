#!/usr/bin/env python3
"""Tests that check_optimum.py refuses changed proofs of optima: optimum_tampered.py RONDO FOLDER [quick|all]

RONDO proves the optima of small problems, and check_optimum.py must accept the proofs. Then each proof is changed so
that its claim is false or is no longer proved, and check_optimum.py must refuse it. Prints the number of refused
proofs. Exit code 1 if a right proof is refused or a changed one is accepted. "quick" (the default) leaves out the slow
problems.
"""

import copy
import json
import os
import signal
import subprocess
import sys

import check_optimum

MACHINE = {"latency": "1us", "bandwidth": "1GBps"}


def scenario(topology, collective, **more):
    return {"machine": {"topology": topology, **MACHINE, **more}, "collective": collective, "algorithm": "ring",
            "block": "3KiB", "engine": "native"}


def ring(p, offset):
    neighborhood = {"kind": "offsets", "offsets": [[offset], [-offset]]}
    of = {"kind": "isomorphic_alltoall", "torus": [p], "neighborhood": neighborhood}
    return {**scenario({"kind": "ring", "hosts": p}, of, neighbors_only=True), "algorithm": "torus"}


def full(p):
    return {"kind": "fully_connected", "hosts": p}


# The NVLinks of a DGX-1V, by `nvidia-smi topo -m`: two GPUs, and the number of links between them (default 1).
DGX_1 = [[0, 1], [0, 2], [0, 3, 2], [0, 4, 2], [1, 2, 2], [1, 3], [1, 5, 2], [2, 3, 2], [2, 6], [3, 7], [4, 5], [4, 6],
         [4, 7, 2], [5, 6, 2], [5, 7], [6, 7, 2]]


def dgx_1(pieces, rounds, optimum):
    """A row of table 4 in Cai et al., Synthesizing Optimal Collective Algorithms (PPoPP 2021): an allgather with their
    numbers of chunks and steps, and their least number of rounds, which is the number of critical blocks here."""
    machine = scenario({"kind": "graph", "hosts": 8, "links": DGX_1}, {"kind": "allgather", "ranks": 8}, ports=6)
    words = ["--pieces", str(pieces), "--rounds", str(rounds)]
    return f"dgx-1-{pieces}-{rounds}", machine, words, optimum


# The name, the scenario, options of `rondo optimum`, and the optimum. The optima were found by SAT solvers of other
# authors, are stated in an issue, or were counted by hand.
PROBLEMS = [
    ("ring-5-by-2", ring(5, 2), [], 3),
    ("ring-7-by-3", ring(7, 3), [], 4),
    ("ring-9-by-3", ring(9, 3), [], 5),
    ("torus-3x3", scenario({"kind": "torus", "dims": [3, 3]}, {"kind": "allgather", "ranks": 9}, neighbors_only=True),
     ["--message-blocks", "1"], 8),
    # Two links have failed. A rank still receives its 8 blocks one by one.
    ("torus-3x3-failed", scenario({"kind": "torus", "dims": [3, 3]}, {"kind": "allgather", "ranks": 9},
                                  neighbors_only=True, failed_links=[[0, 1], [4, 7]]), ["--message-blocks", "1"], 8),
    # A ring of 5 with a failed link is a line. For 4 rounds the blocks of both ends would have to move in every round.
    # They would arrive together at the rank in the middle, which receives one message per round.
    ("line-of-5", scenario({"kind": "ring", "hosts": 5}, {"kind": "reduce_scatter", "ranks": 5}, neighbors_only=True,
                           failed_links=[[4, 0]]), [], 5),
    # Rank 0 sends to 1 and 4, which send to the other two.
    ("graph-failed", {**scenario({"kind": "graph", "hosts": 5,
                                  "links": [[0, 1, 2], [1, 2], [2, 3], [3, 4], [4, 0], [0, 2]]},
                                 {"kind": "bcast", "ranks": 5}, ports=2, failed_links=[[0, 2]]), "algorithm": "linear"},
     ["--message-blocks", "1"], 2),
    ("ring-of-12", scenario({"kind": "ring", "hosts": 12}, {"kind": "allgather", "ranks": 12}, neighbors_only=True), [], 6),
    ("bcast-9-by-3", {**scenario(full(9), {"kind": "bcast", "ranks": 9, "segment": "1KiB"}), "algorithm": "pipeline"},
     ["--message-blocks", "1"], 6),
    ("groups-2-3", {**scenario(full(5), {"kind": "intergroup_allgather", "senders": 2, "receivers": 3}),
                    "algorithm": "group_allgather"}, [], 3),
    ("reduce-scatter-6", scenario(full(6), {"kind": "reduce_scatter", "ranks": 6}), [], 3),
    ("all-to-all-5", {**scenario(full(5), {"kind": "alltoall", "ranks": 5}), "algorithm": "pairwise"}, ["--rounds", "3"], 5),
    # Each rank sends 3 blocks in 2 rounds. One of them goes through another rank, so a rank sends 4 blocks on average.
    ("all-to-all-4", {**scenario(full(4), {"kind": "alltoall", "ranks": 4}), "algorithm": "pairwise"}, ["--rounds", "2"], 4),
    dgx_1(1, 2, 2), dgx_1(2, 2, 3), dgx_1(6, 3, 7),
]
# The search or the check of these problems takes seconds.
SLOW = ("torus-3x3", "all-to-all-5", "dgx-1-6-3")


def accepted(scenario_path, proof_path):
    try:
        check_optimum.check(scenario_path, proof_path)
        return True
    except (AssertionError, AttributeError, ValueError, KeyError, TypeError, IndexError, OSError, RecursionError):
        return False


def false_claims(proof):
    """Pairs of a change's name and the changed proof. No changed proof proves its claim."""
    def changed(what, act):
        other = copy.deepcopy(proof)
        act(other)
        return what, other

    yield changed("at_least + 1", lambda q: q.update(at_least=q["at_least"] + 1))
    yield changed("at_most - 1", lambda q: q.update(at_most=q["at_most"] - 1))
    yield changed("both + 1", lambda q: q.update(at_least=q["at_least"] + 1, at_most=q["at_most"] + 1))
    yield changed("both - 1", lambda q: q.update(at_least=q["at_least"] - 1, at_most=q["at_most"] - 1))
    yield changed("a port more", lambda q: q.update(ports=q["ports"] + 1))
    yield changed("reversed", lambda q: q.update(reversed=not q["reversed"]))
    one_number = proof["message_blocks"] == 1 or proof["of"] == "critical_blocks" and proof["rounds"] == proof["at_most"]
    if not one_number:  # the numbers of rounds and of critical blocks differ
        yield changed("of another goal", lambda q: q.update(of={"rounds": "critical_blocks"}.get(q["of"], "rounds")))
    yield changed("another format", lambda q: q.update(format="x"))
    yield changed("a block less", lambda q: q["blocks"].pop())
    yield changed("a block wants less", lambda q: q["blocks"][0]["wanted"].pop())
    yield changed("a block is held by more", lambda q: q["blocks"][0]["held"].append(q["blocks"][0]["wanted"][0]))
    yield changed("no argument", lambda q: q.update(lower={"by": "nothing", "at_least": q["at_least"]}))
    yield changed("an unknown argument", lambda q: q["lower"].update(by="symmetry"))
    if proof["links"] != "any":
        yield changed("a link less", lambda q: q["links"].pop())
        yield changed("any links", lambda q: q.update(links="any"))
    else:
        yield changed("links", lambda q: q.update(links=[[0, 1, 1]]))
    yield changed("more pieces", lambda q: q.update(pieces=q.get("pieces", 1) + 1))
    if proof["lower"]["by"] == "search":
        yield changed("refutes another number", lambda q: q["lower"].update(rounds=q["lower"]["rounds"] + 1))
        yield changed("refutes smaller messages", lambda q: q["lower"].update(message_blocks=1, merged=False))
    # Each message and each block in it is needed: no block arrives twice or is never used.
    for i, move in enumerate(proof["schedule"]):
        yield changed(f"without message {i}", lambda q, i=i: q["schedule"].pop(i))
        yield changed(f"message {i} to its sender", lambda q, i=i: q["schedule"][i].__setitem__(2, q["schedule"][i][1]))
        if len(move[3]) > 1:
            yield changed(f"message {i} without a block", lambda q, i=i: q["schedule"][i][3].pop())


def main(rondo, folder, which="quick"):
    refused, wrong = 0, []
    for name, problem, words, optimum in PROBLEMS:
        if which == "quick" and name in SLOW:
            continue
        path, proof_path = os.path.join(folder, name + ".json"), os.path.join(folder, name + ".proof")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(problem, file)
        command = [rondo, "optimum", path, "--format", "jsonl", "--proof", proof_path, "--timeout", "600s", *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as search:
            search.stdout.readline()  # the proof is complete with the first answer
            search.send_signal(signal.SIGINT)
            search.stdout.read()
        with open(proof_path, encoding="utf-8") as file:
            proof = json.load(file)
        if (proof["at_least"], proof["at_most"]) != (optimum, optimum) or not accepted(path, proof_path):
            wrong.append(f"{name}: expected the optimum {optimum} and its proof")
        for what, other in false_claims(proof):
            with open(proof_path, "w", encoding="utf-8") as file:
                json.dump(other, file)
            if accepted(path, proof_path):
                wrong.append(f"{name}: accepted: {what}")
            refused += 1
        with open(proof_path, "w", encoding="utf-8") as file:
            json.dump(proof, file)
        if proof["lower"]["by"] == "search":
            for text in ("", "0\n", "1 0\n-1 0\n0\n"):
                with open(proof_path + ".drat", "w", encoding="ascii") as file:
                    file.write(text)
                if accepted(path, proof_path):
                    wrong.append(f"{name}: accepted: the refutation {text!r}")
                refused += 1
    print("\n".join(wrong) if wrong else f"{refused} refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
