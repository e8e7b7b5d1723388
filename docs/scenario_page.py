#!/usr/bin/env python3
"""Writes docs/scenario.md, the reference of scenario files, from the JSON schema and the first scenarios that rondo prints:
docs/scenario_page.py RONDO. With --check it writes nothing and exits with 1 if the page is not what it would write. Units and
defaults are read off the schema's words ("a string with a unit such as ...", "... by default"); a key for which neither
they nor its enumeration give an example needs one in EXAMPLES. Examples of machines are read by the program first."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = pathlib.Path(__file__).with_name("scenario.md")
HEAD = """# Scenarios

A scenario is one JSON file, with comments (`//`, `/* */`) where they help: a machine, a collective, an algorithm, a block size, and
what else is asked of them. `rondo new KIND` writes a first one of any kind, `rondo explain FILE` says what it will do, `rondo schema`
prints the JSON schema of which `docs/scenario_page.py` makes this page; it is installed as `share/rondo/scenario.schema.json`.

Sizes are strings with a unit (`"64B"`, `"4KiB"`, `"4kB"`), times too (`"1us"`, `"250ns"`), and bandwidths (`"10GBps"`). Where a number of
bytes is computed, an expression may stand (`"m*r"`); [claims](claims.md) are expressions as well. Unknown keys are refused.

"Required" is what a scenario must have; `/algorithm`, `/block` and others may be swept instead, from pointers under `sweep`. Where
there is no default, nothing is assumed of an optional key that is left out.

## Keys without effect

Not every scenario uses every key. `link_bandwidth` needs shared links, `intra_latency` needs several ranks a host, and `radix` needs an
algorithm that reads it. A key has an effect at a point of the sweep if another value of it there would change a result, ask something
else of the proof, or be refused.

- A key without an effect at any point is an error (exit code 2). The message says what would give it an effect.
- A key with an effect at some points is named once on standard error, with the number of points where it has none. `--quiet` leaves
  this remark out.
- A machine in a file of its own (`"machine": "my-cluster.json"`) describes the machine for many scenarios. Its keys are never
  refused. Only keys of another timing model are named, such as `flow` in a machine with `linear` timing. A key that the scenario itself
  adds to the machine, by `sweep` or `--set`, counts as one of the scenario's own.
- A `promise` is the object of another collective as a whole. Its keys are named, but never refused.
- `--set` and `--engine` may take the effect of a key away. Such a key is named, but not refused; a key that `--set` states is.
- `rondo tune` tries all algorithms, so a key has an effect there if one of them reads it.

`title`, `source` and `seed` are part of every record, and always have an effect. Numbers are not judged: `segment` has an effect in
an algorithm that cuts vectors, also where one segment holds the whole vector.
"""

# Examples of the keys for which the words of the schema have none.
EXAMPLES = {
    "$schema": "scenario.schema.json", "title": "a 9-point stencil", "source": "own measurements", "topology": {"kind": "ring", "hosts": 8},
    "algorithm": "torus", "hosts": 64, "dims": [8, 8], "groups": 4, "chassis": 2, "routers": 4, "hosts_per_router": 2, "cables": [2, 1, 1],
    "levels": 2, "down": [4, 4], "up": [1, 2], "parallel": [1, 2], "path": "edges.txt", "ports": 2, "ranks_per_host": 16,
    "nics": 4, "rails": True, "island": {"kind": "switch", "bandwidth": "300GBps"},
    "pieces": [{"up_to": "8KiB", "latency": "1us", "bandwidth": "5GBps"}], "placement": "cyclic", "routing_seed": 7,
    "failed_links": [[0, 1]], "fraction": 0.01, "seed": 7, "neighbors_only": True, "flow": {"o_send": "300ns"}, "ack": False,
    "loggp": {"L": "5us", "o": "1us", "g": "2us", "G": "0.4ns/B"}, "torus": [8, 8], "neighborhood": {"kind": "moore", "radius": 1},
    "radius": 2, "radii": [1, 3], "offsets": [[0, 1], [1, 0]], "dimension_order": [1, 0], "shortest_wrap": True,
    "basis": [[1, 0], [0, 1]], "periodic": [True, False], "block_sizes": "2*m", "senders": 16, "receivers": 48, "printed": True,
    "graph": {"kind": "moore", "torus": [8, 8], "radius": 1}, "ranks": 64, "density": 0.1, "degree": 8, "edges": [[0, 1], [1, 0]],
    "theta": 8, "cumulative": True, "persistent": False, "setup": False, "pattern": {"kind": "random", "ranks": 64, "targets": 8}, "targets": 8,
    "exponent": 1.5, "most": 64, "exchanges": 10, "points": 64000, "box": [2, 1, 1], "imbalance": 0.1, "root": 3,
    "sources": ["main.c", "halo.c"], "binary": "halo", "arguments": ["{block}", "10"], "flags": ["-DN=100"],
    "environment": {"MODE": "fast"}, "algorithms": {"allreduce": "rdb"}, "allgather": "ring", "allgatherv": "ring", "allreduce": "rdb",
    "alltoall": "bruck", "alltoallv": "pair", "barrier": "ompi_bruck", "bcast": "binomial_tree", "gather": "ompi_binomial",
    "reduce": "binomial", "reduce_scatter": "mpich_noncomm", "scatter": "ompi_binomial", "radix": 4, "extents": [8, 8], "benchmark": True, "group_size": 8,
    "hierarchy": {"groups": "host", "intra": "binomial", "inter": "ring"}, "intra": "binomial", "lanes": "all",
    "inter": {"reduce_scatter": "ring", "allgather": "ring"},
    "commutative": False, "same_bits": True, "schedule": "schedule.json", "schedules": {"mine": "schedule.json"},
    "promise": {"kind": "bcast", "ranks": 8}, "sweep": {"/block": ["64B", "4KiB"]},
    "inputs": {"graph.txt": "fnv1a:0123456789abcdef 120B"}, "expect": [{"claim": "six", "that": "torus.rounds == 6"}],
    "arrival": {"kind": "one_late", "spread": "50us"}, "values": ["0us", "20us", "50us"],
    "claim": "six rounds", "that": "torus.rounds == D", "when": "m < m_cut", "across": "/algorithm", "over": "/block",
    "correction": "the paper counts one round more",
}
# Examples of keys at the places where they mean something else, by how their description begins there.
ELSEWHERE = {"a time with its unit for each rank": "arrivals.txt", "the ranks of a host, wherever placed": [4, 16], "a C, C++ or Fortran file": "halo.c", "the SimGrid platform file": "platforms/fully-connected-64.xml"}
SMALL = {"kind": "allgather", "ranks": 4}
MACHINES = {
    "a torus whose links are shared": {
        "topology": {"kind": "torus", "dims": [8, 8]}, "latency": "1us", "hop_latency": "100ns", "bandwidth": "10GBps",
        "links": "shared", "link_bandwidth": "5GBps"},
    "hosts of 16 ranks whose CPUs cost time": {
        "topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "10GBps", "ranks_per_host": 16,
        "intra_latency": "200ns", "intra_bandwidth": "20GBps", "timing": "flow",
        "flow": {"o_send": "300ns", "o_recv": "300ns", "match": "10ns", "eager": "8KiB"}},
    "LogGP, which needs neither latency nor bandwidth": {
        "topology": {"kind": "fully_connected", "hosts": 8}, "timing": "loggp",
        "loggp": {"L": "2500ns", "o": "1500ns", "g": "1us", "G": "6ns/B"}},
}
TOPOLOGIES = {
    "fully_connected": {"hosts": 64}, "ring": {"hosts": 64}, "torus": {"dims": [8, 8]}, "mesh": {"dims": [8, 8]},
    "dragonfly": {"groups": 4, "chassis": 2, "routers": 4, "hosts_per_router": 2, "cables": [2, 1, 1]},
    "fat_tree": {"levels": 2, "down": [4, 4], "up": [1, 2], "parallel": [1, 2]},
    "file": {"path": "platforms/fully-connected-64.xml"},
}
# What a string has for a unit, by the example in its words.
UNITS = ((r"ns/B$", "time per byte"), (r"GBps$", "bytes per second"), (r"[num]s$", "time"), (r"B$", "bytes"))


def text(words: str) -> str:
    return words.replace("|", "\\|").replace("<", "&lt;")


def sentence(words: str) -> str:
    return text(words[:1].upper() + words[1:]) + ".\n"


def number(value) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def such_as(node: dict) -> str:
    """The example in what is expected of a string: 64KiB of 'a string with a unit such as "64KiB"'."""
    found = re.search(r'such as "([^"]+)"$', node.get("title", ""))
    return found.group(1) if found else ""


def accepted(node: dict) -> str:
    """What a key accepts, in words."""
    if "enum" in node:
        return ", ".join(f"`{json.dumps(value)}`" for value in node["enum"])
    if "title" in node:
        return text(re.sub(r' such as ["{[].*$', "", node["title"]))
    kind = node.get("type", "any value")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind in ("integer", "number") and "minimum" in node:
        noun = "integer" if kind == "integer" else "number"
        return f"{noun} from {number(node['minimum'])}" + (f" to {number(node['maximum'])}" if "maximum" in node else "")
    return {"boolean": "`true` or `false`"}.get(kind, kind)


def unit(node: dict) -> str:
    return next((word for pattern, word in UNITS if re.search(pattern, such_as(node))), "")


def code(value) -> str:
    return f"`{json.dumps(value)}`"


def default(node: dict) -> tuple[str, str]:
    """What a key that is left out is, and what else is said of the key."""
    said = node.get("description", "")
    at_end = re.search(r"(?:^|; )([^;()]*) by default(?=$|[,;])", said)
    if at_end:
        rest = (said[:at_end.start()] + said[at_end.end():]).lstrip(", ;")
        return literal(at_end.group(1), node), rest
    word = re.search(r'(\w+)"? \((?:[^()]*; )?by default\)', said) or re.search(r"\((\w+), by default\)", said)
    if word:
        words = node.get("enum", [word.group(1)])
        return code(word.group(1) if word.group(1) in words else words[0]), said
    begins = re.search(r"by default (.*)$", said)
    return (begins.group(1), said) if begins else ("", said)


def literal(words: str, node: dict) -> str:
    """A default as JSON, if it is a value and not a phrase."""
    words = words.rstrip(",")
    first = words.partition(":")[0]
    if first in node.get("enum", []):
        return code(first)
    try:
        return code(json.loads(words))
    except ValueError:
        return text(words)


def example_of(key: str, node: dict, said_default: str) -> str:
    if such_as(node):
        return code(such_as(node))
    if "enum" in node:
        return code(next((value for value in node["enum"] if code(value) != said_default), node["enum"][0]))
    here = [value for words, value in ELSEWHERE.items() if node.get("description", "").startswith(words)]
    return code(here[0] if here else EXAMPLES[key])


def branches(node: dict):
    """The alternatives of an object by its kind: the word, and what the object then has."""
    for branch in node.get("allOf", []):
        properties = branch.get("if", {}).get("properties", {})
        if list(properties) == ["kind"] and "then" in branch:
            words = properties["kind"].get("enum") or [properties["kind"]["const"]]
            for word in words:
                yield word, branch["then"]


def needs(node: dict) -> dict[str, str]:
    """When each key must be there, in words; keys that need not be are left out."""
    result = {key: "required" for key in node.get("required", [])}
    for branch in node.get("allOf", []):
        for key in either(branch):
            result[key] = "required"
        condition = branch.get("if", {}).get("properties", {})
        for name, value in condition.items():
            if "const" in value and name != "kind":
                result |= {key: f"required with `{name}` `{value['const']}`" for key in branch["then"].get("required", [])}
                result |= {key: f"required but with `{name}` `{value['const']}`"
                           for key in branch.get("else", {}).get("required", [])}
    return result


def either(branch: dict) -> list[str]:
    """The key that a branch asks for, there or swept."""
    return branch.get("anyOf", [{}])[0].get("required", [])


def rows(node: dict, prefix: str = ""):
    """The keys of an object and of the objects in it: pointer, accepted, unit, default, example, meaning."""
    needed = needs(node)
    for key, value in node.get("properties", {}).items():
        if key == "kind":
            continue
        said, meaning = default(value)
        name = f"`{prefix}{key}`" + (f" ({needed[key]})" if key in needed else "")
        yield name, accepted(value), unit(value), said, example_of(key, value, said).replace("|", "\\|"), text(meaning)
        for word, then in branches(value):
            yield f"`{prefix}{key}/kind`: `{word}`", "", "", "", "", text(then.get("description", ""))
            yield from rows(then, f"{prefix}{key}/")
        if not list(branches(value)):
            yield from rows(value, f"{prefix}{key}/")
            if isinstance(value.get("items"), dict):
                yield from rows(value["items"], f"{prefix}{key}/N/")


def table(node: dict) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in rows(node)]
    head = ["| key | accepts | unit | default | example | meaning |", "|---|---|---|---|---|---|"]
    return "\n".join([*head, *lines]) + "\n" if lines else "No other keys.\n"


def algorithms(schema: dict, kind: str) -> str:
    for branch in schema["allOf"]:
        collective = branch.get("if", {}).get("properties", {}).get("collective", {}).get("properties", {}).get("kind", {})
        if collective.get("const") == kind or kind in collective.get("enum", []):
            words = branch["then"].get("properties", {}).get("algorithm", {}).get("enum")
            if words:
                return "Algorithms: " + ", ".join(f"`{word}`" for word in words) + ".\n"
    return ""


def example(rondo: str, kind: str) -> str:
    """The first scenario of a kind, whole, without its comments."""
    printed = subprocess.run([rondo, "new", kind], capture_output=True, text=True, check=True).stdout
    bare = "\n".join(line for line in printed.splitlines() if not re.match(r"\s*//", line))
    return f"```json\n{bare}\n```\n"


def machine(rondo: str, words: dict) -> str:
    """A machine, after the program has read it."""
    scenario = {"machine": words, "collective": SMALL, "algorithm": "ring", "block": "1B", "engine": "native"}
    platforms = PAGE.parent.parent / "platforms"
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(platforms, pathlib.Path(folder, "platforms"))
        file = pathlib.Path(folder, "scenario.json")
        file.write_text(json.dumps(scenario))
        subprocess.run([rondo, "run", "--quiet", "--allow-path", platforms, file], capture_output=True, check=True)
    keys = [f'  {json.dumps(key)}: {json.dumps(value)}' for key, value in words.items()]
    return '```json\n"machine": {\n' + ",\n".join(keys) + "\n}\n```\n"


def topologies(rondo: str, topology: dict):
    for word, then in branches(topology):
        words = {"topology": {"kind": word, **TOPOLOGIES[word]}, "latency": "1us", "bandwidth": "10GBps"}
        if {"cables", "parallel"} & set(TOPOLOGIES[word]):  # which count where links are shared
            words["links"] = "shared"
        yield from (f"### topology `{word}`\n", sentence(then["description"]), table(then), machine(rondo, words))


def page(rondo: str) -> str:
    schema = json.loads(subprocess.run([rondo, "schema"], capture_output=True, text=True, check=True).stdout)
    properties = schema["properties"]
    top = dict(schema, properties={k: v for k, v in properties.items() if k not in ("machine", "collective")})
    parts = [HEAD, "## Beside machine and collective\n", table(top), "`algorithm` and `block` are required of all collectives but "
             "`program`, and `custom`, which needs no `algorithm`.\n"]
    parts += ["## Machine\n", sentence(properties["machine"]["description"])]
    inner = properties["machine"]["properties"]
    parts += [table(dict(properties["machine"], properties={k: v for k, v in inner.items() if k != "topology"}))]
    for what, words in MACHINES.items():
        parts += [f"Such as {what}:\n", machine(rondo, words)]
    parts += ["## Topology\n", *topologies(rondo, inner["topology"]), "## Collective\n"]
    for word, then in branches(properties["collective"]):
        parts += [f"### {word}\n", sentence(then["description"]), algorithms(schema, word), table(then), example(rondo, word)]
    return "\n".join(part for part in parts if part)


def main() -> int:
    rondo = sys.argv[1]
    wanted = page(rondo)
    if "--check" not in sys.argv:
        PAGE.write_text(wanted)
    elif PAGE.read_text() != wanted:
        print(f"{PAGE}: not what {sys.argv[0]} {rondo} writes", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
