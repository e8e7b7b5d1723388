"""What algorithms take beside the costs of their rounds (measured_rounds.py): factors, learnt from measured times and shrunken.

The logarithm of a factor is the sum of two effects: of an algorithm's name on all machines, and of the name on one machine. Each is a
function of the logarithm of the bytes, linear between SIZES. The first also changes with the logarithm of the ranks, and with that of the
ports that share a message. No effect knows nodes, archive, placement or day, so none can hold a measured value. Effects that few
rows show are drawn to 0 by their variances (ridge regression, fit_measured.py).
"""

import json
import math

import measured_table

SIZES = (6, 13, 20, 27)  # binary logarithms of bytes
KINDS = ("name", "own", "ports", "ranks")
MEAN_RANKS, RANKS, PORTS = 6.0, 4.0, 2.6  # binary logarithms: 64 ranks; what counts as a change of 1
FARTHEST = 1.5  # of such changes, beyond which an effect stays as it is


def hat(size):
    """The weights of SIZES for a size: linear between them, and beyond them that of the nearest."""
    at = min(max(math.log2(max(size, 1)), SIZES[0]), SIZES[-1])
    right = next(i for i in range(1, len(SIZES)) if at <= SIZES[i])
    share = (at - SIZES[right - 1]) / (SIZES[right] - SIZES[right - 1])
    return [1 - share if i == right - 1 else share if i == right else 0.0 for i in range(len(SIZES))]


def effects(row):
    """The effects on a row: their kind, key and weights. Rows of nodes with several processes have none: they did not help there."""
    if row["ranks"] > row["nodes"]:
        return []
    machine, name = measured_table.machine_of(row), measured_table.name_of(row["algorithm"])
    ranks = (math.log2(row["ranks"]) - MEAN_RANKS) / RANKS
    ports = math.log2(measured_table.ports_of(row["algorithm"])) / PORTS
    scales = dict(name=1.0, own=1.0, ports=ports, ranks=max(-FARTHEST, min(FARTHEST, ranks)))
    on = f" on {machine}"
    return [(kind, f"{kind} {row['collective']} {name}{on if kind == 'own' else ''}", [scales[kind] * weight for weight in hat(row["bytes"])])
            for kind in KINDS if scales[kind]]


class Corrections:
    """Effects by their keys; effects that a file does not have are 0."""

    def __init__(self, values, intervals=None):
        self.values, self.intervals = values, intervals or {}

    @staticmethod
    def read(path):
        found = json.loads(path.read_text())
        return Corrections(found["effects"], found["intervals"])

    def factor(self, row) -> float:
        """By how much to multiply the time of the rounds."""
        return math.exp(sum(value * weight for _, key, weights in effects(row) if key in self.values
                            for value, weight in zip(self.values[key], weights)))

    def interval(self, row) -> float:
        """Four of five measured times lie within the prediction divided and multiplied by this."""
        return self.intervals.get(interval_of(row), max(self.intervals.values(), default=1.0))


def interval_of(row) -> str:
    """The rows that share an interval: those of a machine with one rank a node, or with several."""
    return measured_table.machine_of(row) + (", several processes a node" if row["ranks"] > row["nodes"] else "")
