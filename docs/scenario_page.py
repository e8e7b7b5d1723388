#!/usr/bin/env python3
"""Writes docs/scenario.md, the reference of scenario files, from the JSON schema and the first scenarios that rondo prints:
docs/scenario_page.py RONDO. With --check it writes nothing and exits with 1 if the page is not what it would write."""

import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).with_name("scenario.md")
HEAD = """# Scenarios

A scenario is one JSON file, with comments (`//`, `/* */`) where they help: a machine, a collective, an algorithm, a block size, and
what else is asked of them. `rondo new KIND` writes a first one of any kind, `rondo explain FILE` says what it will do, `rondo schema`
prints the JSON schema of which `docs/scenario_page.py` makes this page.

Sizes are strings with a unit (`"64B"`, `"4KiB"`, `"4kB"`), times too (`"1us"`, `"250ns"`), and bandwidths (`"10GBps"`). Where a number of
bytes is computed, an expression may stand (`"m*r"`); [claims](ci.md) are expressions as well. Unknown keys are refused.
"""


def text(words: str) -> str:
    return words.replace("|", "\\|").replace("<", "&lt;")


def sentence(words: str) -> str:
    return text(words[:1].upper() + words[1:]) + ".\n"


def number(value) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def accepted(node: dict) -> str:
    """What a key accepts, in words."""
    if "enum" in node:
        return ", ".join(f"`{json.dumps(value)}`" for value in node["enum"])
    if "title" in node:
        return text(node["title"])
    kind = node.get("type", "any value")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind in ("integer", "number") and "minimum" in node:
        noun = "integer" if kind == "integer" else "number"
        return f"{noun} from {number(node['minimum'])}" + (f" to {number(node['maximum'])}" if "maximum" in node else "")
    return {"boolean": "`true` or `false`"}.get(kind, kind)


def branches(node: dict):
    """The alternatives of an object by its kind: the word, and what the object then has."""
    for branch in node.get("allOf", []):
        properties = branch.get("if", {}).get("properties", {})
        if list(properties) == ["kind"] and "then" in branch:
            words = properties["kind"].get("enum") or [properties["kind"]["const"]]
            for word in words:
                yield word, branch["then"]


def rows(node: dict, prefix: str = ""):
    """The keys of an object and of the objects in it: pointer, accepted, meaning."""
    required = node.get("required", [])
    for key, value in node.get("properties", {}).items():
        if key == "kind":
            continue
        meaning = value.get("description", "")
        yield f"`{prefix}{key}`" + (" (required)" if key in required else ""), accepted(value), text(meaning)
        for word, then in branches(value):
            yield f"`{prefix}{key}/kind`: `{word}`", "", text(then.get("description", ""))
            yield from rows(then, f"{prefix}{key}/")
        if not list(branches(value)):
            yield from rows(value, f"{prefix}{key}/")
            if isinstance(value.get("items"), dict):
                yield from rows(value["items"], f"{prefix}{key}/N/")


def table(node: dict) -> str:
    lines = [f"| {key} | {values} | {meaning} |" for key, values, meaning in rows(node)]
    return "\n".join(["| key | accepts | meaning |", "|---|---|---|", *lines]) + "\n" if lines else "No other keys.\n"


def algorithms(schema: dict, kind: str) -> str:
    for branch in schema["allOf"]:
        collective = branch["if"]["properties"].get("collective", {}).get("properties", {}).get("kind", {})
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


def page(rondo: str) -> str:
    schema = json.loads(subprocess.run([rondo, "schema"], capture_output=True, text=True, check=True).stdout)
    properties = schema["properties"]
    top = {"required": schema["required"], "properties": {k: v for k, v in properties.items() if k not in ("machine", "collective")}}
    parts = [HEAD, "## Beside machine and collective\n", table(top), "## Machine\n", sentence(properties["machine"]["description"])]
    topology = properties["machine"]["properties"]["topology"]
    rest = dict(properties["machine"], properties={k: v for k, v in properties["machine"]["properties"].items() if k != "topology"})
    parts += [table(rest), "## Topology\n"]
    for word, then in branches(topology):
        parts += [f"### topology `{word}`\n", sentence(then["description"]), table(then)]
    parts += ["## Collective\n"]
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
