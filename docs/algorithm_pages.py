#!/usr/bin/env python3
"""Writes a page for each algorithm into a folder that docs/site_pages.py has filled: docs/algorithm_pages.py RONDO FOLDER.

A page says what the algorithm does, draws its messages on a few ranks, shows a run and its costs, and says when to use it.
The text comes from the tables of docs/algorithms.md and docs/neighborhoods.md. The rows of these tables then get links to
the pages. `rondo export` gives the messages. Exits with 1 if the tables lack an algorithm that `rondo list` names, or if it
has no schedule."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

MACHINE = {"topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "10GBps"}
NEIGHBORHOOD = {"torus": [8], "neighborhood": {"kind": "offsets", "offsets": [[1], [2], [-1]]}}
GRAPH = {"graph": {"kind": "moore", "torus": [8], "radius": 2}}
# The parameters of the kinds that take more than the number of ranks.
PARAMETERS = {
    "isomorphic_alltoall": NEIGHBORHOOD, "isomorphic_allgather": NEIGHBORHOOD,
    "intergroup_allgather": {"senders": 4, "receivers": 4},
    **{f"intergroup_{what}": {"senders": 4, "receivers": 4, "torus": [2, 2, 2]} for what in ("exchange", "gather", "scatter", "reduce")},
    "neighbor_allgather": GRAPH, "neighbor_alltoall": GRAPH,
}
CLASSICAL = ("bcast", "gather", "scatter", "allgather", "alltoall", "reduce", "reduce_scatter", "scan", "exscan", "allreduce", "barrier")
TREE = "binomial"
# For each kind, `hierarchical` composes two algorithms: one within groups of 4 ranks, and one between the groups.
PARTS = {
    "bcast": (TREE, TREE), "gather": (TREE, TREE), "scatter": (TREE, TREE), "reduce": (TREE, TREE),
    "allgather": ({"gather": TREE, "bcast": TREE}, "ring"), "alltoall": ({"gather": TREE, "scatter": TREE}, "pairwise"),
    "reduce_scatter": ({"reduce": TREE, "scatter": TREE}, "ring"), "allreduce": ({"reduce": TREE, "bcast": TREE}, "ring"),
    "barrier": ({"reduce": TREE, "bcast": TREE}, "dissemination"),
}
SEGMENTED = {"pipeline", "chain", "binary", "split_binary", "double_tree", "in_order_binary", "segmented_ring"}
COLUMNS = "rounds,volume_blocks,messages,time_s,bound.time_s,delivered"


def run(*words) -> str:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def scenario(kind: str, algorithm: str) -> dict:
    """An example on eight ranks, or on two if the algorithm takes only two."""
    collective = {"kind": kind, **(PARAMETERS.get(kind) or {"ranks": 2 if algorithm == "two_process" else 8})}
    if algorithm == "hierarchical":
        intra, inter = PARTS[kind]
        collective["hierarchy"] = {"groups": [4], "intra": intra, "inter": inter}
    if algorithm == "common_neighbors":
        collective["theta"] = 2
    if algorithm == "locality_bruck":
        collective["group_size"] = 4
    if algorithm in SEGMENTED or (kind, algorithm) == ("bcast", "circulant"):
        collective["segment"] = "1KiB"
    block = {"barrier": "0B"}.get(kind, "4KiB" if "segment" in collective else "1KiB")
    if algorithm == "segmented_ring":
        block = "16KiB"
    return {"schema_version": 1, "title": f"{kind} by {algorithm}", "machine": MACHINE, "collective": collective, "algorithm": algorithm, "block": block, "engine": "native"}


def messages(schedule: dict):
    """The rounds of a schedule. A round is a list of messages: source, target and number of blocks."""
    ranks = schedule["ranks"]
    rounds: dict[int, list] = {}
    for program in schedule["programs"]:
        for rank in range(ranks) if program["ranks"] == "all" else program["ranks"]:
            for number, each in enumerate(program["rounds"]):
                for send in each.get("sends", []):
                    target = send["rank"] if "rank" in send else (rank + send["offset"][0]) % ranks
                    rounds.setdefault(number, []).append((rank, target, max(1, len(send["places"]))))
    return [rounds.get(number, []) for number in range(max(rounds, default=-1) + 1)]


def picture(ranks: int, rounds: list) -> str:
    """Draws ranks from left to right, rounds from top to bottom, and an arrow for each message."""
    left, step, height = 70, 80, 64 if len(rounds) <= 8 else 44
    width, bottom = left + step * (ranks - 1) + 40, 30 + height * len(rounds)
    most = max((blocks for each in rounds for *_, blocks in each), default=1)
    lines = []
    for rank in range(ranks):
        x = left + step * rank
        lines.append(f'<text x="{x}" y="16" text-anchor="middle">{rank}</text>')
        lines.append(f'<line x1="{x}" y1="24" x2="{x}" y2="{bottom}" stroke="currentColor" stroke-opacity="0.25"/>')
    for number, each in enumerate(rounds):
        top = 30 + height * number
        lines.append(f'<text x="4" y="{top + height / 2 + 4}">round {number + 1}</text>')
        for source, target, blocks in each:
            lines.append(f'<line x1="{left + step * source}" y1="{top}" x2="{left + step * target}" y2="{top + height - 8}" stroke="#2b7bba" '
                         f'stroke-opacity="0.8" stroke-width="{1.2 + 3 * (blocks - 1) / max(1, most - 1):.1f}" marker-end="url(#head)"/>')
    head = ('<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
            '<path d="M0 0 L8 4 L0 8 z" fill="#2b7bba"/></marker></defs>')
    return (f'<svg viewBox="0 0 {width} {bottom + 6}" style="width:100%;max-width:{width}px" font-size="13" fill="currentColor" role="img" '
            f'aria-label="the messages of each round">{head}{"".join(lines)}</svg>')


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def tables(page: str):
    """The rows of the tables whose first column is an algorithm: heading, names, and the cells by column."""
    heading, head = "", []
    for line in page.splitlines():
        if line.startswith("#"):
            heading, head = line.lstrip("# "), []
        elif line.startswith("| algorithm"):
            head = cells(line)
        elif line.startswith("| ") and head:
            values = cells(line)
            yield heading, re.findall(r"`([a-z_]+)`", values[0]), dict(zip(head, values))
        elif not line.startswith("|"):
            head = []


def costs(page: str):
    """The rows of the table of costs: kinds, algorithms, and the row as Markdown."""
    kinds: list[str] = []
    for line in page[page.index("| kind | algorithm"):].splitlines():
        if not line.startswith("|"):
            return
        values = cells(line)
        if values[0].startswith("`"):
            kinds = re.findall(r"`([a-z_]+)`", values[0])
        yield kinds, re.findall(r"`([a-z_]+)`", values[1]), "| " + " | ".join(values[1:]) + " |"


KINDS_OF = {
    "On a torus, the same neighborhood at every rank": ("isomorphic_alltoall", "isomorphic_allgather"),
    "Between two groups": ("intergroup_allgather", "intergroup_exchange", "intergroup_gather", "intergroup_scatter", "intergroup_reduce"),
    "On any graph": ("neighbor_allgather", "neighbor_alltoall"),
}


def words(docs: pathlib.Path) -> dict[tuple[str, str], tuple[str, dict]]:
    """The description of each algorithm of each kind: the page that has it, and the cells of its row."""
    said = {}
    for name in ("algorithms.md", "neighborhoods.md"):
        for heading, names, row in tables((docs / name).read_text()):
            for kind in KINDS_OF.get(heading, re.findall(r"[a-z_]+", heading) if set(re.findall(r"[a-z_]+", heading)) & set(CLASSICAL) else ()):
                for each in names:
                    said[kind, each] = (name, row)
    return said


def page(rondo: str, kind: str, algorithm: str, source: str, row: dict, cost: list[str]) -> str:
    example = scenario(kind, algorithm)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "example.json")
        file.write_text(json.dumps(example))
        schedule = json.loads(run(rondo, "export", file, "--format", "json"))
        result = run(rondo, "run", file, "--quiet", "--columns", COLUMNS)
    row = {column: from_below(cell) for column, cell in row.items()}
    what = row.get("what it does", "")
    parts = [f"# {kind} by {algorithm}\n", f"`{algorithm}`: {what.rstrip('.')}.\n", picture(schedule["ranks"], messages(schedule)) + "\n",
             "A column is a rank, and time goes down. An arrow is a message. A thick arrow carries more blocks than a thin one.\n",
             "## Example\n", "`example.json`:\n", f"```json\n{written(example)}\n```\n",
             f"```console\n$ rondo run example.json --quiet --columns {COLUMNS}\n{result.rstrip()}\n```\n"]
    if cost:
        parts += ["## Cost\n", "[Algorithms](../algorithms.md#costs) explains the symbols.\n", "| algorithm | rounds | volume |\n|---|---|---|\n" + "\n".join(map(from_below, cost)) + "\n"]
    elif "rounds" in row:
        volume = f" The volume is {row['volume']} blocks." if row.get("volume") else ""
        parts += ["## Cost\n", f"Rounds: {row['rounds']}.{volume}\n"]
    if row.get("when"):
        parts += ["## When to use it\n", f"{row['when'][:1].upper()}{row['when'][1:].rstrip('.')}.\n"]
    if row.get("source"):
        parts += ["## Source\n", f"{row['source']}. The [references](../references.md) list the papers.\n"]
    parts += [f"The keys of the collective: [{kind}](../{'scenario-mpi.md' if kind in CLASSICAL else 'scenario-graphs.md'}#{kind}). "
              f"Other algorithms: [{source.removesuffix('.md')}](../{source}).\n"]
    return "\n".join(parts)


def from_below(cell: str) -> str:
    """The cell of a page, with links that are right in a page one folder below."""
    return re.sub(r"\]\((?!https?:|#)", "](../", cell)


def written(example: dict) -> str:
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in example.items())
    return "{\n" + lines + "\n}"


def linked(text: str, made: set[tuple[str, str]]) -> str:
    """The page, with links from its tables of algorithms to the pages of the algorithms."""
    kinds, head, lines = (), False, []
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
            kinds, head = KINDS_OF.get(heading, tuple(re.findall(r"[a-z_]+", heading))), False
        head = line.startswith("| algorithm") or (head and line.startswith("|"))
        if head and line.startswith("| `"):
            first, rest = line[2:].split(" | ", 1)
            link = lambda match: next((f"[{match[0]}](algorithms/{kind}-{match[1]}.md)" for kind in kinds if (kind, match[1]) in made), match[0])
            line = f"| {re.sub(r'`([a-z_]+)`', link, first)} | {rest}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit(f"{sys.argv[0]}: expected two arguments, the program rondo and the folder to write into, got {len(sys.argv) - 1}")
    if not pathlib.Path(sys.argv[2], "docs", "algorithms.md").exists():
        sys.exit(f"{sys.argv[2]}: expected a folder that docs/site_pages.py has filled, got none with docs/algorithms.md")
    rondo, docs = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2], "docs")
    said, prices, wrong, made = words(docs), list(costs((docs / "algorithms.md").read_text())), [], set()
    (docs / "algorithms").mkdir(exist_ok=True)
    for kind in (*CLASSICAL, *PARAMETERS):
        listed = re.findall(r"[a-z_]+", run(rondo, "list", kind).rsplit(f"{kind}: ", 1)[1])
        for algorithm in listed:
            if (kind, algorithm) not in said:
                wrong.append(f"{kind} {algorithm}: no page says what it does")
                continue
            cost = [row for kinds, names, row in prices if kind in kinds and algorithm in names]
            try:
                text = page(rondo, kind, algorithm, *said[kind, algorithm], cost)
            except subprocess.CalledProcessError as error:
                wrong.append(f"{kind} {algorithm}: {error.stderr.strip()}")
                continue
            (docs / "algorithms" / f"{kind}-{algorithm}.md").write_text(text)
            made.add((kind, algorithm))
    for name in ("algorithms.md", "neighborhoods.md"):
        (docs / name).write_text(linked((docs / name).read_text(), made))
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
