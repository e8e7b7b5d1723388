#!/usr/bin/env python3
"""Writes the reference of scenario files: docs/scenario_page.py RONDO [--check].

It writes docs/scenario.md and the pages docs/scenario-*.md, from the JSON schema and the first scenarios that rondo
prints. With --check it writes nothing, and exits with 1 if a page differs from the page that it would write.

Units and defaults are found in the texts of the schema ("a string with a unit such as ...", "... by default"). If
neither these texts nor the enumeration of a key give an example, EXAMPLES must have one. The program must accept the
examples of machines."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).parent
HEAD = """# Scenarios

A scenario is a JSON file that describes a machine, a collective, an algorithm and a block size. It may contain comments
(`//`, `/* */`).

```json
{
  "schema_version": 1,
  "title": "an allreduce on 16 hosts",
  "machine": {"topology": {"kind": "fully_connected", "hosts": 16}, "latency": "1us", "bandwidth": "10GBps"},
  "collective": {"kind": "allreduce", "ranks": 16},
  "algorithm": "ring",
  "block": "1MiB",
  "engine": "native"
}
```

- `rondo new KIND` writes a first scenario of any kind.
- `rondo explain FILE` describes a scenario in words, with its machine, its messages and the time that it will take.
- `rondo schema` prints the JSON schema. It is installed as `share/rondo/scenario.schema.json`. `docs/scenario_page.py`
  makes this page and the pages that it links to from the schema.

## In an editor

With the schema an editor completes keys, explains them, and marks mistakes. `rondo schema` writes it. The site of these
pages has it too, as `scenario.schema.json` in its top folder. Its `$id` is `urn:rondo:scenario:1`, where 1 is the
`schema_version`.

```console
$ rondo schema >scenario.schema.json
```

In VS Code, put this into `.vscode/settings.json` of your folder, if your scenarios are below its folder `scenarios`.
Machines in files of their own have another format, so keep them elsewhere. The second key allows comments.

```json
{
  "json.schemas": [{"fileMatch": ["/scenarios/**/*.json"], "url": "./scenario.schema.json"}],
  "files.associations": {"**/scenarios/**/*.json": "jsonc"}
}
```

Any editor with a language server for JSON also accepts the key `$schema` in the scenario itself:
`"$schema": "./scenario.schema.json"`. `rondo schema schedule` and `rondo schema promise` do the same for [schedules and
promises](custom.md).

## How to read the tables

| word | meaning |
|---|---|
| bytes | a string with a number of bytes and a unit: `"64B"`, `"4KiB"` (1024), `"4kB"` (1000) |
| time | a string with a unit: `"1us"`, `"250ns"` |
| bandwidth | a string with a unit: `"10GBps"` |
| time per byte | a string with a unit: `"0.4ns/B"` |
| expression | a formula for a number of bytes, such as `"m*r"`; [claims](claims.md) have expressions too |
| required | a scenario must have the key. Keys such as `algorithm` and `block` may stand in `sweep` instead. |
| default | the value that is used if the key is missing. If the cell is empty, there is no default. |
| `a/b` | the key `b` of the object `a`; `a/N/b` is the key `b` of each object of the list `a` |

Unknown keys are refused.

## Keys without effect

Some keys have no effect at a point of the sweep: another value would change neither a result nor the proof, and would not be
refused either. For example, `link_bandwidth` needs shared links, `intra_latency` needs several ranks a host, and `radix`
needs an algorithm that uses it.

- If a key has no effect at any point, it is an error (exit code 2). The message says what would give it an effect.
- If a key has an effect at some points only, a remark on standard error names it, with the number of the other points.
  `--quiet` suppresses this remark.
- A machine in a file of its own (`"machine": "my-cluster.json"`) may have keys without effect, because the file serves many
  scenarios. A remark names only keys of another timing model, such as `flow` in a machine with `linear` timing. If the
  scenario adds a key to such a machine, by `sweep` or `--set`, the key is treated as a key of the scenario.
- A `promise` is the object of another collective. If its keys have no effect, a remark names them.
- `--set` and `--engine` may take away the effect of other keys. A remark names such keys. If a key given by `--set` itself
  has no effect, it is an error.
- `rondo tune` tries all algorithms. A key has an effect there if one of the algorithms uses it.

`title`, `source` and `seed` always have an effect, because every record contains them in its field `expanded`. The rule
does not depend on the value of a number: `segment` has an effect in each algorithm that cuts vectors, even if the segment is
larger than the vector.
"""
MACHINE_HEAD = """# Keys of machines

This page lists the keys of `machine` in a [scenario](scenario.md), and the keys of its `topology`. [Machines](machines.md)
explains how to describe a machine, and [model](model.md) defines its times.
"""
# The pages of collectives: file, title, first paragraph, and the kinds on it.
COLLECTIVES = (
    ("scenario-mpi.md", "Keys of MPI's collectives",
     "This page lists the keys of `collective` in a [scenario](scenario.md) for the collectives of MPI. [Algorithms](algorithms.md) "
     "says what each\nalgorithm does.\n",
     ("bcast", "gather", "scatter", "allgather", "alltoall", "reduce", "reduce_scatter", "scan", "exscan", "allreduce", "barrier")),
    ("scenario-groups.md", "Keys of collectives between two groups",
     "This page lists the keys of `collective` in a [scenario](scenario.md) for collectives between two groups of ranks. "
     "[Between two groups](neighborhoods.md#between-two-groups)\nsays what each algorithm does.\n",
     ("intergroup_allgather", "intergroup_exchange", "intergroup_gather", "intergroup_scatter", "intergroup_reduce")),
    ("scenario-graphs.md", "Keys of collectives on tori and graphs",
     "This page lists the keys of `collective` in a [scenario](scenario.md) for collectives in which a rank communicates only with "
     "some other\nranks. [Tori, groups and graphs](neighborhoods.md) says what each algorithm does.\n",
     ("isomorphic_alltoall", "isomorphic_allgather", "neighbor_allgather", "neighbor_alltoall",
      "sparse_allreduce", "sparse_bcast", "sparse_gather", "sparse_scatter", "sparse_reduce", "sparse_barrier")),
    ("scenario-programs.md", "Keys of programs and of schedules in files",
     "This page lists the keys of `collective` in a [scenario](scenario.md) for [MPI programs](mpi.md), for programs of "
     "[sparse exchanges](neighborhoods.md#exchanges-with-unknown-senders),\nand for [schedules of your own](custom.md).\n",
     ("program", "custom", "sparse_exchange", "independent_set", "coloring", "bisection")),
    ("scenario-workloads.md", "Keys of workloads",
     "This page lists the keys of `collective` in a [scenario](scenario.md) for several collectives and calculations at once. "
     "[Workloads](model.md#workloads)\ndefines their times, and `scenarios/workloads` has examples.\n\n"
     "A step is a collective on groups of ranks, or a calculation. `groups` gives the ranks of each group:\n\n"
     "| `groups` | the groups of p ranks |\n|---|---|\n"
     "| `\"all\"` | one group of all ranks |\n"
     "| `\"hosts\"` | the ranks of each host |\n"
     "| `{\"rows\": [a, b]}` | p = a b ranks, numbered row by row: a group has the ranks that differ only in the last coordinate |\n"
     "| `{\"columns\": [a, b]}` | the same numbering: a group has the ranks that differ only in the first coordinate |\n"
     "| `{\"every\": k}` | a group has the ranks that are equal modulo k |\n"
     "| `{\"size\": k}` | a group has k consecutive ranks; the last group may be smaller |\n"
     "| `[[0, 3], [1, 2]]` | a list of ranks for each group. A rank is in one group at most. |\n\n"
     "The groups of a step run side by side. Ranks in a collective, such as `root`, are numbered within the group. A torus or a graph has as many "
     "ranks as the\ngroup.\n\n"
     "A rank begins a step when it has ended the steps in `after`. Without `after` it waits for the last step before it that does not "
     "`overlap`. There is no\nbarrier. Rondo proves each step for its group before the simulation, and refuses steps that wait for each other. The "
     "`collective` of a step has the\nkeys of a scenario with that collective. Keys without effect are accepted there.\n\n"
     "With `jobs`, several workloads run on one machine. Each job has its own hosts, as many as its ranks need with the machine's `ranks_per_host`. "
     "`hosts`\nselects them. A list has an entry for each host. All other jobs choose among the F hosts that no list names, in the order of the jobs. For n "
     "hosts,\n`\"block\"` takes the first free ones, `\"scattered\"` takes the free hosts number i F / n for i = 0 to n - 1, and `\"random\"` draws n by the "
     "scenario's `seed`.\nRanks are placed on the hosts of their job by the machine's `placement`, `block` or `cyclic`. The ranks of all jobs are numbered job "
     "after job. The ranks of\na job come at its `start`, and `arrival` is added to this time. In records and claims the steps of a job have the names "
     "`JOB.STEP`.\n\n"
     "Under `loggp` timing and on platform files a workload needs the engine `native`. On a platform file the `hosts` of jobs are `\"block\"` or lists. On `smpi` each step of a "
     "rank is a process of\nits own, and moves no payload.\n",
     ("workload",)),
)

# Examples of the keys for which the text of the schema has no example.
EXAMPLES = {
    "$schema": "scenario.schema.json", "title": "a 9-point stencil", "source": "own measurements", "topology": {"kind": "ring", "hosts": 8},
    "algorithm": "torus", "hosts": 64, "dims": [8, 8], "groups": 4, "chassis": 2, "routers": 4, "hosts_per_router": 2, "cables": [2, 1, 1],
    "leaves": 4, "spines": 4, "hosts_per_leaf": 2, "q": 5, "switches": 2, "links": [[0, 4, 1], [4, 5, 2]], "directed": False,
    "levels": 2, "down": [4, 4], "up": [1, 2], "parallel": [1, 2], "path": "edges.txt", "ports": 2, "ranks_per_host": 16,
    "nics": 4, "rails": True, "island": {"kind": "switch", "bandwidth": "300GBps"},
    "pieces": [{"up_to": "8KiB", "latency": "1us", "bandwidth": "5GBps"}], "placement": "cyclic", "routing_seed": 7,
    "failed_links": [[0, 1]], "fraction": 0.01, "seed": 7, "neighbors_only": True, "flow": {"o_send": "300ns"}, "ack": False,
    "disk": {"read": "2GBps", "write": "1GBps"},
    "loggp": {"L": "5us", "o": "1us", "g": "2us", "G": "0.4ns/B"}, "torus": [8, 8], "neighborhood": {"kind": "moore", "radius": 1},
    "radius": 2, "radii": [1, 3], "offsets": [[0, 1], [1, 0]], "dimension_order": [1, 0], "shortest_wrap": True,
    "basis": [[1, 0], [0, 1]], "periodic": [True, False], "block_sizes": "2*m", "senders": 16, "receivers": 48, "printed": True,
    "graph": {"kind": "moore", "torus": [8, 8], "radius": 1}, "ranks": 64, "density": 0.1, "degree": 8, "edges": [[0, 1], [1, 0]],
    "theta": 8, "cumulative": True, "persistent": False, "setup": False, "pattern": {"kind": "random", "ranks": 64, "targets": 8}, "targets": 8,
    "exponent": 1.5, "most": 64, "exchanges": 10, "points": 64000, "box": [2, 1, 1], "imbalance": 0.1, "root": 3,
    "sources": ["main.c", "halo.c"], "binary": "halo", "stdin": "input.txt", "speed": 2, "flops": "10Gflops", "times": "halo-times.json",
    "computing": {"speed": 2}, "arguments": ["{block}", "10"], "flags": ["-DN=100"],
    "environment": {"MODE": "fast"}, "algorithms": {"allreduce": "rdb"}, "allgather": "ring", "allgatherv": "ring", "allreduce": "rdb",
    "alltoall": "bruck", "alltoallv": "pair", "barrier": "ompi_bruck", "bcast": "binomial_tree", "gather": "ompi_binomial",
    "reduce": "binomial", "reduce_scatter": "mpich_noncomm", "scatter": "ompi_binomial", "radix": 4, "extents": [8, 8], "benchmark": True, "group_size": 8,
    "hierarchy": {"groups": "host", "intra": "binomial", "inter": "ring"}, "intra": "binomial", "lanes": "all", "rings": 4,
    "inter": {"reduce_scatter": "ring", "allgather": "ring"},
    "collectives": {"allreduce": "rabenseifner"}, "tasks": "job.goal",
    "commutative": False, "same_bits": True, "schedule": "schedule.json", "schedules": {"mine": "schedule.json"},
    "promise": {"kind": "bcast", "ranks": 8}, "sweep": {"/block": ["64B", "4KiB"]},
    "inputs": {"graph.txt": "fnv1a:0123456789abcdef 120B"}, "expect": [{"claim": "six", "that": "torus.rounds == 6"}],
    "arrival": {"kind": "one_late", "spread": "50us"}, "values": ["0us", "20us", "50us"],
    "replications": 100, "noise": {"latency": {"kind": "exponential", "mean": "500ns"}},
    "repeat": 10, "steps": [{"name": "sum", "collective": {"kind": "allreduce"}, "algorithm": "ring"}, {"name": "work", "compute": "20us"}],
    "jobs": [{"name": "training", "workload": {"ranks": 4, "steps": [{"name": "work", "compute": "20us"}]}}], "start": "50us",
    "workload": {"ranks": 8, "steps": [{"name": "work", "compute": "20us"}]},
    "name": "sum", "collective": {"kind": "allreduce"}, "compute": "20us", "after": ["halo"], "overlap": True,
    "claim": "six rounds", "that": "torus.rounds == D", "when": "m < m_cut", "across": "/algorithm", "over": "/block",
    "correction": "the paper counts one round more",
}
# Examples of keys that have another meaning at some places, by the first words of their description there.
ELSEWHERE = {"the hosts that only this job uses": "scattered", "the name of the job": "training", "random times that are added to the calculations": {"kind": "exponential", "mean": "500ns"}, "added to the CPU time of each send": {"kind": "exponential", "mean": "500ns"}, "added to each calculation": {"kind": "normal", "mean": "1us", "spread": "300ns"}, "added to the start-up": {"kind": "uniform", "spread": "500ns"}, "a file with one interruption": "noise.txt", "the groups of ranks that do the collective separately": {"size": 4}, "of the collective": "ring", "the cables of a link between groups, and of a link within": [2, 1], "a file with a line for each rank": "arrivals.txt", "the ranks of each host, for any placement": [4, 16], "a C, C++ or Fortran file": "halo.c", "the SimGrid platform file": "platforms/fully-connected-64.xml"}
SMALL = {"kind": "allgather", "ranks": 4}
MACHINES = {
    "A torus with shared links": {
        "topology": {"kind": "torus", "dims": [8, 8]}, "latency": "1us", "hop_latency": "100ns", "bandwidth": "10GBps",
        "links": "shared", "link_bandwidth": "5GBps"},
    "Hosts with 16 ranks, and CPU time for each message": {
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
    "hyperx": {"dims": [4, 4], "hosts_per_router": 2, "cables": [1, 2]},
    "dragonfly_plus": {"groups": 4, "leaves": 4, "spines": 4, "hosts_per_leaf": 2, "cables": [2, 1]},
    "slim_fly": {"q": 5, "hosts_per_router": 2},
    "graph": {"hosts": 4, "switches": 2, "links": [[0, 4, 1], [1, 4, 1], [2, 5, 1], [3, 5, 1], [4, 5, 2]]},
    "file": {"path": "platforms/fully-connected-64.xml"},
}
# The quantity of a string with a unit, by a pattern for the example in the schema.
UNITS = ((r"ns/B$", "time per byte"), (r"GBps$", "bandwidth"), (r"[num]s$", "time"), (r"B$", "bytes"))


def text(words: str) -> str:
    return words.replace("|", "\\|").replace("<", "&lt;")


def sentence(words: str) -> str:
    return text(words[:1].upper() + words[1:]) + ".\n"


def stopped(words: str) -> str:
    """The text, with a full stop at the end if it contains one."""
    return words + "." if ". " in words and not words.endswith(".") else words


def number(value) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def such_as(node: dict) -> str:
    """The example in the title of a string: 64KiB of 'a string with a unit such as "64KiB"'; else empty."""
    found = re.search(r'such as "([^"]+)"$', node.get("title", ""))
    return found.group(1) if found else ""


def accepted(node: dict) -> str:
    """The accepted values of a key, in words."""
    if "enum" in node:
        return ", ".join(f"`{json.dumps(value)}`" for value in node["enum"])
    if unit(node):
        return unit(node)
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
    """The quantity of a string with a unit; empty for other values."""
    if not node.get("title", "").startswith("a string with a unit"):
        return ""
    return next((word for pattern, word in UNITS if re.search(pattern, such_as(node))), "")


def code(value) -> str:
    return f"`{json.dumps(value)}`"


def default(node: dict) -> tuple[str, str]:
    """The default of a key, and the rest of its description."""
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
    """The kinds of an object: the word of each kind, and the schema of an object of this kind."""
    for branch in node.get("allOf", []):
        properties = branch.get("if", {}).get("properties", {})
        if list(properties) == ["kind"] and "then" in branch:
            words = properties["kind"].get("enum") or [properties["kind"]["const"]]
            for word in words:
                yield word, branch["then"]


def needs(node: dict) -> dict[str, str]:
    """The condition, in words, under which each key is required. Keys that are never required are left out."""
    result = {key: "required" for key in node.get("required", [])}
    for branch in node.get("allOf", []):
        for key in either(branch):
            result[key] = "required"
        condition = branch.get("if", {}).get("properties", {})
        for name, value in condition.items():
            if "const" in value and name != "kind":
                result |= {key: f"required with `{name}` `{value['const']}`" for key in branch["then"].get("required", [])}
                result |= {key: f"required except with `{name}` `{value['const']}`"
                           for key in branch.get("else", {}).get("required", [])}
    return result


def either(branch: dict) -> list[str]:
    """The key that a branch requires, which may be swept instead."""
    return branch.get("anyOf", [{}])[0].get("required", [])


def rows(node: dict, prefix: str = ""):
    """The keys of an object and of the objects in it: pointer, meaning, accepted values, default, example."""
    needed = needs(node)
    for key, value in node.get("properties", {}).items():
        if key == "kind":
            continue
        said, meaning = default(value)
        name = f"`{prefix}{key}`" + (f" ({needed[key]})" if key in needed else "")
        yield name, stopped(text(meaning)), accepted(value), said, example_of(key, value, said).replace("|", "\\|")
        for word, then in branches(value):
            yield f"`{prefix}{key}/kind`", text(then.get("description", "")), f'`"{word}"`', "", ""
            yield from rows(then, f"{prefix}{key}/")
        if not list(branches(value)):
            yield from rows(value, f"{prefix}{key}/")
            if isinstance(value.get("items"), dict):
                yield from rows(value["items"], f"{prefix}{key}/N/")


def groups(node: dict) -> dict[str, tuple]:
    """For each key of an object, the rows of the key and of the keys in it."""
    return {key: tuple(rows(dict(node, properties={key: value}))) for key, value in node.get("properties", {}).items() if key != "kind"}


def table(lines) -> str:
    """A table of keys."""
    words = ["key", "meaning", "accepts", "default", "example"]
    lines = ["| " + " | ".join(cells) + " |" for cells in lines]
    return "\n".join(["| " + " | ".join(words) + " |", "|---" * len(words) + "|", *lines]) + "\n" if lines else ""


def table_of(node: dict) -> str:
    return table(rows(node))


def algorithms(schema: dict, kind: str) -> str:
    for branch in schema["allOf"]:
        collective = branch.get("if", {}).get("properties", {}).get("collective", {}).get("properties", {}).get("kind", {})
        if collective.get("const") == kind or kind in collective.get("enum", []):
            words = branch["then"].get("properties", {}).get("algorithm", {}).get("enum")
            if words:
                return "Algorithms: " + ", ".join(f"`{word}`" for word in words) + ".\n"
    return ""


def example(rondo: str, kind: str) -> str:
    """The scenario that `rondo new` prints for a kind, without its comments."""
    printed = subprocess.run([rondo, "new", kind], capture_output=True, text=True, check=True).stdout
    bare = "\n".join(line for line in printed.splitlines() if not re.match(r"\s*//", line))
    return f"```json\n{bare}\n```\n"


def machine(rondo: str, words: dict) -> str:
    """A block with a machine. The program runs a scenario on it first, and must accept it."""
    scenario = {"machine": words, "collective": SMALL, "algorithm": "ring", "block": "1B", "engine": "native"}
    platforms = DOCS.parent / "platforms"
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
        if {"cables", "parallel"} & set(TOPOLOGIES[word]):  # these keys have an effect only on shared links
            words["links"] = "shared"
        yield from (f"### {word}\n", sentence(then["description"]), table_of(then), machine(rondo, words))


def joined(parts) -> str:
    return "\n".join(part for part in parts if part)


def machine_page(rondo: str, schema: dict) -> str:
    node = schema["properties"]["machine"]
    parts = [MACHINE_HEAD, "## Machine\n", sentence(node["description"])]
    parts += [table_of(dict(node, properties={k: v for k, v in node["properties"].items() if k != "topology"}))]
    for what, words in MACHINES.items():
        parts += [f"{what}:\n", machine(rondo, words)]
    return joined([*parts, "## Topology\n", *topologies(rondo, node["properties"]["topology"])])


def shared_keys(kinds: dict) -> dict[tuple, list[str]]:
    """The rows of keys that several collectives have, each with the names of these collectives."""
    having: dict[tuple, list[str]] = {}
    for kind, then in kinds.items():
        for lines in groups(then).values():
            having.setdefault(lines, []).append(kind)
    return {lines: names for lines, names in having.items() if len(names) > 1}


def collectives_page(rondo: str, schema: dict, title: str, words: str, names: tuple) -> str:
    """The page of some collectives: the keys that several of them share, and then the other keys of each."""
    known = dict(branches(schema["properties"]["collective"]))
    kinds = {name: known[name] for name in names}
    shared = shared_keys(kinds)
    parts = [f"# {title}\n", words]
    if shared:
        parts += ["## Shared keys\n", "Several collectives have these keys. The section of a collective names those that it has.\n"]
        parts += [table(line for lines in shared for line in lines)]
    for kind, then in kinds.items():
        own = {key: lines for key, lines in groups(then).items() if lines not in shared}
        common = [lines[0][0] for lines in groups(then).values() if lines in shared]
        parts += [f"## {kind}\n", sentence(then["description"]), algorithms(schema, kind)]
        parts += ["Shared keys: " + ", ".join(common) + ".\n" if common else "", table(line for lines in own.values() for line in lines)]
        parts += [example(rondo, kind)]
    return joined(parts)


def first_page(schema: dict) -> str:
    properties = schema["properties"]
    top = dict(schema, properties={k: v for k, v in properties.items() if k not in ("machine", "collective")})
    parts = [HEAD, "## Keys of a scenario\n", "`machine`, `collective`, `algorithm` and `block` are required. A `program` and a `workload` need neither "
             "`algorithm` nor `block`,\nand `custom` needs no `algorithm`.\n", table_of(top)]
    parts += ["## Machine\n", "`machine` is an object, or the name of a file with such an object, relative to the scenario's folder.\n"
              "[Keys of machines](scenario-machine.md) lists its keys.\n"]
    parts += ["## Topology\n", "`machine/topology` has one of these kinds:\n", "| kind | hosts and links |\n|---|---|\n" + "".join(
        f"| [`{word}`](scenario-machine.md#{word}) | {text(then['description'])} |\n"
        for word, then in branches(properties["machine"]["properties"]["topology"]))]
    known = dict(branches(properties["collective"]))
    parts += ["## Collective\n", "`collective` has one of these kinds:\n", "| kind | what the ranks do |\n|---|---|\n" + "".join(
        f"| [`{kind}`]({file}#{kind}) | {text(known[kind]['description'])} |\n" for file, _, _, kinds in COLLECTIVES for kind in kinds)]
    left_out = set(known) - {kind for *_, kinds in COLLECTIVES for kind in kinds}
    if left_out:
        sys.exit(f"{sys.argv[0]}: expected each collective in COLLECTIVES, {', '.join(sorted(left_out))} is in none")
    return joined(parts)


def pages(rondo: str) -> dict[str, str]:
    schema = json.loads(subprocess.run([rondo, "schema"], capture_output=True, text=True, check=True).stdout)
    made = {"scenario.md": first_page(schema), "scenario-machine.md": machine_page(rondo, schema)}
    return made | {file: collectives_page(rondo, schema, title, words, kinds) for file, title, words, kinds in COLLECTIVES}


def main() -> int:
    if not sys.argv[1:]:
        sys.exit(f"{sys.argv[0]}: expected the program rondo as first argument, got nothing")
    rondo, failed = sys.argv[1], 0
    for name, wanted in pages(rondo).items():
        page = DOCS / name
        if "--check" not in sys.argv:
            page.write_text(wanted)
        elif not page.exists() or page.read_text() != wanted:
            print(f"{page}: not what {sys.argv[0]} {rondo} writes", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
