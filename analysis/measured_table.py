"""Tables of measured collectives: reading them, what makes two rows comparable, and the closed forms of their algorithms.

A table is CSV in the format of Rondo's measurements: one row for an algorithm and a size, with `system`, `collective`,
`algorithm`, `nodes`, `tasks_per_node`, `ranks`, `bytes`, `block_bytes` and a time in nanoseconds. What an algorithm's name
means stands in measured_algorithms.csv: for which numbers of ranks, days and sizes it is one schedule, its rounds and the bytes that its
busiest rank sends (p ranks, n bytes in all, m a block, L = ceil(log2 p), q the largest power of two <= p, log2q its
logarithm, rest = 1 if p is no power of two), and the algorithm of Rondo with its options, if there is one. `differs` says
what its schedule has not of the one that was measured. The last columns are what a process of the measured one does with its
memory, in bytes: what it copies; what it writes to temporary buffers, the largest of them, and how many there are; what it joins.
Then come messages that Rondo's schedule has not, and pieces that are copied one by one.
"""

import csv
import math
import pathlib
import re

import numpy
import pandas

ALGORITHMS = pathlib.Path(__file__).with_name("measured_algorithms.csv")
NUMBERS = ["nodes", "tasks_per_node", "ranks", "bytes", "block_bytes"]
MOST = 1e15  # of what is counted there
MEASURED = ["iters", "iters_used", "median_ns", "mean_ns", "min_ns", "p10_ns", "p90_ns", "flags"]
REQUIRED = ["system", "collective", "algorithm", "nodes", "tasks_per_node", "ranks", "bytes", "block_bytes"]
OPTIONAL = ["archive", "test", "gpu"]  # empty, where the table has no such column
SYSTEM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
# Rows of one of these are times of different algorithms for the same task on the same machine in the same run.
TASK = ["system", "archive", "test", "collective", "ranks", "tasks_per_node", "gpu", "bytes"]
# What a process does beside the schedule: copies, temporary buffers that are made anew in every call (pages, and
# registering them with the network), joins (more where no cache holds the vectors), messages that the schedule has not, pieces.
MEMORY = ("copy", "copy_large", "fresh", "fresh_large", "reduce", "reduce_large", "message", "piece")
LARGE = 32 << 20  # bytes: vectors of this size are in no cache, and the C library asks the system for each
# The C library keeps freed memory up to twice the largest buffer. So one buffer of less than LARGE bytes is kept for the next call; two
# are given back to the system, unless they are small.
SMALL = 256 << 10  # bytes
ONE_BY_ONE = ("bine_block_by_block", "sparbit", "linear", "linear_sync")  # algorithms that send a message for each block
# Fugaku's algorithms: FAMILY-WHAT, the layer they speak, the segment, the ports.
LAYERED = re.compile(r"(.+)-(MPI|UTOFU)-(\d+)-(\d+)")
UNUSABLE = {"empty": "nothing moved", "label": "the name is not what ran"}


class BadTable(Exception):
    """A table that is not what it has to be, said in one line with its file, line and column."""


def number(path, line, column, text, optional=False):
    """A finite number of at least 0; None for an empty cell that may be."""
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
    """The value of a column of NUMBERS that counts something."""
    value = number(path, line, column, text, optional=column != "bytes")
    least = 1 if column in ("ranks", "nodes", "tasks_per_node") else 0
    if value is not None and (value != int(value) or value < least or value > MOST):
        raise BadTable(f'{path}:{line}: column {column}: expected a whole number from {least} to {MOST:.0e}, got "{text}"')
    return value


def read(path, times) -> pandas.DataFrame:
    """The rows of a table, with numbers as numbers and the first of `times` that a row has as column `ns`.

    Without `times`, no time is looked at."""
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
    """The class of a row: how many processes of a node share its network, and by which interface they speak."""
    if row["gpu"] == "yes":
        return "GPU buffers"
    if "UTOFU" in row["algorithm"]:
        return "uTofu"
    if not row["tasks_per_node"]:
        return "unknown machine"
    return "MPI, one process a node" if row["tasks_per_node"] == 1 else "MPI, several processes a node"


def ports_of(algorithm) -> int:
    """Fugaku's names end in how many ports share the message: -UTOFU-SEGMENT-PORTS; else 1."""
    layered = LAYERED.fullmatch(algorithm)
    return int(layered[4]) if layered and layered[2] == "UTOFU" else 1


def name_of(algorithm) -> str:
    """Without segment and ports, where it has them."""
    layered = LAYERED.fullmatch(algorithm)
    return f"{layered[1]}-{layered[2]}" if layered else algorithm


def machine_of(row) -> str:
    """The name of its machine: the system's, and that of the layer below MPI where the algorithm speaks it."""
    return f"{row['system']}-utofu" if "UTOFU" in row["algorithm"] else row["system"]


def _fits(condition, row):
    """Whether all words of the condition hold, each of which may take the one behind it."""
    p, archive, words = int(row["ranks"]), row.get("archive", ""), iter(condition.split())
    meanings = {"any": lambda: True, "even": lambda: p % 2 == 0, "power": lambda: p & (p - 1) == 0,
                "since": lambda: archive >= next(words), "before": lambda: archive < next(words),
                "to": lambda: row["bytes"] <= int(next(words)), "above": lambda: row["bytes"] > int(next(words))}
    return all([meanings[word]() for word in words])


def _names(row, segment):
    """What closed forms may speak of."""
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
    """What measured_algorithms.csv says."""

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
        """Rounds and the bytes that the busiest rank sends; None if its schedule is not known."""
        line = self.of(row)
        if line is None:
            return None
        segment = number(ALGORITHMS, 0, "segment_bytes", row.get("segment_bytes", ""), optional=True)
        names = _names(row, segment)
        return tuple(float(eval(line[column], {"__builtins__": {}}, names)) for column in ("rounds", "sent"))

    def most_messages(self, row) -> float:
        """The messages of the busiest rank of a row with a known schedule, where all but those of ONE_BY_ONE are one a round."""
        return row["ranks"] - 1 if self.of(row)["algorithm"] in ONE_BY_ONE else self.closed_form(row)[0]

    def work(self, row):
        """What a process does beside the schedule, for each cost of MEMORY: bytes, or messages."""
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
    """Whether the library itself chose."""
    return row["algorithm"] in ("default_ompi", "default_mpich", "default-default", "tuned")


def usable(table: pandas.DataFrame) -> pandas.Series:
    return ~table["flags"].str.split(";").apply(lambda flags: any(flag in UNUSABLE for flag in flags)) & (table["bytes"] > 0)


def groups(table: pandas.DataFrame) -> pandas.Series:
    """The units that a fit may be judged on: all rows of a system, a number of nodes, processes a node, and a collective."""
    return table[["system", "nodes", "tasks_per_node", "collective"]].astype(str).agg("/".join, axis=1)


def relative_error(table: pandas.DataFrame, predicted) -> numpy.ndarray:
    return numpy.abs(numpy.asarray(predicted) / table["ns"].to_numpy() - 1)
