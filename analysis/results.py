"""Reads result files of `rondo run --format jsonl` as tables."""

import json
import pathlib

import pandas


def records(path: pathlib.Path) -> pandas.DataFrame:
    """A table with a row for each record of a file. A nested member has a column such as "theory.time_s".

    Records of failed points are left out. Records of another version than the last record, which is the newest, are
    left out too. Each is reported. The column `expanded` has the expanded scenario as a dict.
    """
    rows = []
    everything = [json.loads(line) for line in path.read_text().splitlines()]
    newest = everything[-1]["version"] if everything else ""
    for record in everything:
        if record["version"] != newest:
            print(f"{path.name}: point {record['point']}: of version {record['version']}, not {newest}")
            continue
        if record["error"] is not None:
            print(f"{path.name}: point {record['point']}: {record['error']}")
            continue
        expanded = record.pop("expanded")
        row = pandas.json_normalize(record).iloc[0].to_dict()
        row["expanded"] = expanded
        rows.append(row)
    return pandas.DataFrame(rows)


def at(scenario: dict, pointer: str):
    """The value at a JSON pointer of an expanded scenario."""
    for token in pointer.strip("/").split("/"):
        scenario = scenario.get(token) if isinstance(scenario, dict) else None
    return scenario


def neighbors(scenario: dict) -> int:
    """The number of neighbors of a rank in a Moore neighborhood."""
    graph = scenario["collective"]["graph"]
    return (2 * graph["radius"] + 1) ** len(graph["torus"]) - 1


def along(table: pandas.DataFrame, x: str) -> list:
    """The value of each row on the axis x: a column, a pointer into the scenario, or "neighbors", which is computed."""
    if x == "neighbors":
        return [neighbors(each) for each in table["expanded"]]
    return [at(each, x) for each in table["expanded"]] if x.startswith("/") else list(table[x])


def families(table: pandas.DataFrame, x: str) -> list:
    """The part of a row's neighborhood that the axis does not show. A line joins only rows with the same part."""
    if x != "neighbors":
        return [""] * len(table)
    return [f"D = {len(each['collective']['graph']['torus'])}" for each in table["expanded"]]


def chosen(table: pandas.DataFrame, where: dict) -> pandas.DataFrame:
    """The rows whose scenarios have these values at these pointers."""
    keep = [all(at(each, pointer) == value for pointer, value in where.items()) for each in table["expanded"]]
    return table[keep]
