"""Reads tables of measured collectives. Says which rows are comparable, and gives the closed forms of their algorithms.

A table is CSV in the format of Rondo's measurements. A row is an algorithm and a size, with `system`, `collective`,
`algorithm`, `nodes`, `tasks_per_node`, `ranks`, `bytes`, `block_bytes` and a time in nanoseconds.

measured_algorithms.csv explains the names of the algorithms. A line of it has:

- the numbers of ranks, days and sizes for which the name is this schedule
- its rounds, and the bytes that its busiest rank sends. Formulas have p ranks, n bytes in all, blocks of m bytes,
  L = ceil(log2 p), the largest power of two q <= p and its logarithm log2q, and rest = 1 if p is not a power of two
- the algorithm of Rondo and its options, if Rondo has the algorithm; `differs` says what is missing in Rondo's schedule
- the use of memory by a process, in bytes: copied bytes, bytes written to temporary buffers, the size of the largest
  such buffer, the number of such buffers, and joined bytes
- the messages that Rondo's schedule does not have, and the pieces that are copied one by one
"""

import csv
import math
import pathlib
import re

import numpy
import pandas

ALGORITHMS = pathlib.Path(__file__).with_name("measured_algorithms.csv")
NUMBERS = ["nodes", "tasks_per_node", "ranks", "bytes", "block_bytes"]
MOST = 1e15  # the largest value in these columns
MEASURED = ["iters", "iters_used", "median_ns", "mean_ns", "min_ns", "p10_ns", "p90_ns", "flags"]
REQUIRED = ["system", "collective", "algorithm", "nodes", "tasks_per_node", "ranks", "bytes", "block_bytes"]
OPTIONAL = ["archive", "test", "gpu"]  # empty if the table has no such column
SYSTEM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
# Rows that are equal in these columns are times of different algorithms for one task, on one machine and in one run.
TASK = ["system", "archive", "test", "collective", "ranks", "tasks_per_node", "gpu", "bytes"]
# The costs of a process beside the schedule: copies, temporary buffers that are allocated in every call (their pages,
# and their registration with the network), joins (with an additional cost if no cache holds the vectors), messages that
# the schedule does not have, pieces.
MEMORY = ("copy", "copy_large", "fresh", "fresh_large", "reduce", "reduce_large", "message", "piece")
# No cache holds vectors of this size, and the C library asks the system for the memory of each.
LARGE = 32 << 20  # bytes
# The C library keeps freed memory up to twice the largest buffer. Therefore it keeps one buffer of less than LARGE
# bytes for the next call. It returns two buffers to the system, unless they are smaller than SMALL.
SMALL = 256 << 10  # bytes
ONE_BY_ONE = ("bine_block_by_block", "sparbit", "linear", "linear_sync")  # send a message for each block
# The names of Fugaku's algorithms: FAMILY-NAME, the interface that they use, the segment, the number of ports.
LAYERED = re.compile(r"(.+)-(MPI|UTOFU)-(\d+)-(\d+)")
UNUSABLE = {"empty": "nothing moved", "label": "the name is not what ran"}


class BadTable(Exception):
    """A table is wrong. The text is one line, with the file, the line and the column."""


def number(path, line, column, text, optional=False):
    """A finite number of at least 0; None for an empty cell if `optional`."""
    if text == "" and optional:
        return None
    try:
        value = math.nan if "_" in text else float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise BadTable(f'{path}:{line}: column {column}: expected a number of at least 0, got "{text}"')
    return value


def whole(path, line, column, text):
    """The whole number in a cell of a column of NUMBERS; None if the cell is empty, which `bytes` may not be."""
    value = number(path, line, column, text, optional=column != "bytes")
    least = 1 if column in ("ranks", "nodes", "tasks_per_node") else 0
    if value is not None and (value != int(value) or value < least or value > MOST):
        raise BadTable(f'{path}:{line}: column {column}: expected a whole number from {least} to {MOST:.0e}, got "{text}"')
    return value


def read(path, times) -> pandas.DataFrame:
    """The rows of a table. The column `ns` is the first of the columns `times` that has a value in the row.

    If `times` is empty, no time is read."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        columns = reader.fieldnames or []
        missing = [name for name in REQUIRED if name not in columns]
        if missing or (times and not any(name in columns for name in times)):
            raise BadTable(f"{path}:1: expected a column {', '.join(missing) or ' or '.join(times)}, got {', '.join(columns)}")
        rows = []
        for row in reader:
            if None in row or None in row.values():
                raise BadTable(f"{path}:{reader.line_num}: expected {len(columns)} cells as in the first line")
            for name in NUMBERS:
                row[name] = whole(path, reader.line_num, name, row[name])
            for name in OPTIONAL:
                row.setdefault(name, "")
            if not SYSTEM.fullmatch(row["system"]):
                raise BadTable(f'{path}:{reader.line_num}: column system: expected a name such as "lumi", got "{row["system"]}"')
            given = [name for name in times if row.get(name)]
            row["ns"] = number(path, reader.line_num, given[0], row[given[0]]) if given else None
            if row["ns"] == 0:
                raise BadTable(f"{path}:{reader.line_num}: column {given[0]}: expected a time of more than 0, got 0")
            rows.append(row)
    if not rows:
        raise BadTable(f"{path}: expected at least one row after the first line")
    table = pandas.DataFrame(rows)
    return table.astype({name: object for name in NUMBERS}).where(table.notna(), None)  # an empty cell is None, not NaN


def class_of(row) -> str:
    """The class of a row: whether several processes of a node share its network, and the interface that they use."""
    if row["gpu"] == "yes":
        return "GPU buffers"
    if "UTOFU" in row["algorithm"]:
        return "uTofu"
    if not row["tasks_per_node"]:
        return "unknown machine"
    return "MPI, one process a node" if row["tasks_per_node"] == 1 else "MPI, several processes a node"


def ports_of(algorithm) -> int:
    """The number of ports that share a message, the last part of -UTOFU-SEGMENT-PORTS; 1 for other names."""
    layered = LAYERED.fullmatch(algorithm)
    return int(layered[4]) if layered and layered[2] == "UTOFU" else 1


def name_of(algorithm) -> str:
    """The name without the segment and the ports, if it has them."""
    layered = LAYERED.fullmatch(algorithm)
    return f"{layered[1]}-{layered[2]}" if layered else algorithm


def machine_of(row) -> str:
    """The name of the row's machine: the system, with "-utofu" if the algorithm uses uTofu instead of MPI."""
    return f"{row['system']}-utofu" if "UTOFU" in row["algorithm"] else row["system"]


def _fits(condition, row):
    """Whether all words of the condition hold. Some words are followed by a value."""
    p, archive, words = int(row["ranks"]), row.get("archive", ""), iter(condition.split())
    meanings = {"any": lambda: True, "even": lambda: p % 2 == 0, "power": lambda: p & (p - 1) == 0,
                "since": lambda: archive >= next(words), "before": lambda: archive < next(words),
                "to": lambda: row["bytes"] <= int(next(words)), "above": lambda: row["bytes"] > int(next(words))}
    return all([meanings[word]() for word in words])


def _names(row, segment):
    """The names that closed forms may use, with their values."""
    p, n, m = int(row["ranks"]), row["bytes"], row["block_bytes"] or 0
    if row["collective"] in ("allreduce", "reduce", "bcast"):
        m = n / p
    q = 1 << (p.bit_length() - 1)
    ceil_log2 = (p - 1).bit_length()
    blocks = sum(i.bit_count() for i in range(p)) if row["collective"] == "alltoall" else 0
    return dict(p=p, n=n, m=m, L=ceil_log2, q=q, log2q=q.bit_length() - 1, rest=int(p != q), bruck_blocks=blocks,
                ports=ports_of(row["algorithm"]), floor_log2=q.bit_length() - 1, ceil_log4=(ceil_log2 + 1) // 2,
                since=lambda day: row.get("archive", "") >= day,
                messages=lambda bytes_: math.ceil(bytes_ / segment) if segment else q.bit_length() - 1)


class Algorithms:
    """The lines of measured_algorithms.csv."""

    def __init__(self, path=ALGORITHMS):
        self.by_name = {}
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                for name in row["names"].split("|"):
                    self.by_name.setdefault((row["collective"], name), []).append(row)

    def of(self, row):
        """The line for a measured row; None if its schedule is not known."""
        if not row["ranks"] or row["ranks"] < 2:
            return None
        for line in self.by_name.get((row["collective"], name_of(row["algorithm"])), []):
            if _fits(line["ranks"], row):
                return line
        return None

    def closed_form(self, row):
        """The rounds, and the bytes that the busiest rank sends; None if the row's schedule is not known."""
        line = self.of(row)
        if line is None:
            return None
        segment = number(ALGORITHMS, 0, "segment_bytes", row.get("segment_bytes", ""), optional=True)
        names = _names(row, segment)
        return tuple(float(eval(line[column], {"__builtins__": {}}, names)) for column in ("rounds", "sent"))

    def most_messages(self, row) -> float:
        """The messages of the busiest rank of a row with a known schedule: p - 1 for ONE_BY_ONE, else one per round."""
        return row["ranks"] - 1 if self.of(row)["algorithm"] in ONE_BY_ONE else self.closed_form(row)[0]

    def work(self, row):
        """The amount of each cost of MEMORY that a process has beside the schedule: bytes, messages or pieces."""
        line = self.of(row)
        names = _names(row, None)
        copied, temporary, buffer, buffers, joined, extra, pieces = (
            float(eval(line[column], {"__builtins__": {}}, names))
            for column in ("copied", "temporary", "buffer", "buffers", "joined", "extra", "pieces"))
        large, mapped = row["bytes"] >= LARGE, buffer >= LARGE
        fresh = temporary if mapped or buffers > 1 and buffer >= SMALL else 0.0
        return dict(copy=0 if large else copied, copy_large=copied if large else 0, fresh=0 if mapped else fresh,
                    fresh_large=fresh if mapped else 0, reduce=joined, reduce_large=joined if large else 0, message=extra, piece=pieces)


def is_default(row) -> bool:
    """Whether the library itself chose the algorithm."""
    return row["algorithm"] in ("default_ompi", "default_mpich", "default-default", "tuned")


def usable(table: pandas.DataFrame) -> pandas.Series:
    return ~table["flags"].str.split(";").apply(lambda flags: any(flag in UNUSABLE for flag in flags)) & (table["bytes"] > 0)


def groups(table: pandas.DataFrame) -> pandas.Series:
    """The group of each row: its system, number of nodes, processes per node, and collective."""
    return table[["system", "nodes", "tasks_per_node", "collective"]].astype(str).agg("/".join, axis=1)


def relative_error(table: pandas.DataFrame, predicted) -> numpy.ndarray:
    return numpy.abs(numpy.asarray(predicted) / table["ns"].to_numpy() - 1)
