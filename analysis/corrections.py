"""What algorithms take beside what their machine says: corrections of predicted times, learnt from measured ones and shrunken.

A simulated schedule lacks what a library does around it (its progress engine, protocol switches, buffers kept or made anew), and a
machine with a few parameters is off by message size and scale. What is left is put down to four effects, whose sum is the logarithm of a factor:

- message: of all algorithms of a machine, by the mean size of a message
- collective: of all algorithms of a collective on a machine, by its bytes
- name: of an algorithm's name on all machines, by its bytes
- own: of a name on one machine, by its bytes

Each is a function of the logarithm of the size, linear between SIZES, and to that come two of the same shape: one times the logarithm of the
ranks, one times that of how many share a NIC or part a message (processes a node, ports). No effect knows nodes, archive, placement or day, so
that none can hold a measured value; what few rows show is drawn to 0 by the variances of VARIANCE (ridge regression, fit_corrections.py).
"""

import json
import math

import measured_table

SIZES = (4, 10, 16, 22, 28)  # binary logarithms of bytes
VARIANCE = {"message": 0.03, "collective": 0.03, "name": 0.03, "own": 0.03}  # of logarithms of times: a standard deviation of 0.17
SHARES = (1.0, 0.5, 0.7)  # of that variance: at MEAN_RANKS, the change with ranks, with sharing
MEAN_RANKS, RANKS, SHARING = 6.0, 4.0, 2.6  # binary logarithms: 64 ranks; what counts as a change of 1
FARTHEST = 1.5  # of such changes, beyond which an effect stays as it is


def hat(size):
    """The weights of SIZES for a size: linear between them, and beyond them that of the nearest."""
    at = min(max(math.log2(max(size, 1)), SIZES[0]), SIZES[-1])
    right = next(i for i in range(1, len(SIZES)) if at <= SIZES[i])
    share = (at - SIZES[right - 1]) / (SIZES[right] - SIZES[right - 1])
    return [1 - share if i == right - 1 else share if i == right else 0.0 for i in range(len(SIZES))]


def weights(row, size):
    """The weights of an effect's values: SIZES, again for the change with ranks, and again for the change with sharing."""
    ranks = (math.log2(row["ranks"]) - MEAN_RANKS) / RANKS
    sharing = math.log2(measured_table.ports_of(row["algorithm"]) * max(1.0, row["ranks"] / row["nodes"])) / SHARING
    scales = (1.0, max(-FARTHEST, min(FARTHEST, ranks)), min(FARTHEST, sharing))
    return [scale * weight for scale in scales for weight in hat(size)]


def effects(row, algorithms):
    """The kinds of effects on a row, each with its key and its weights."""
    machine, name = measured_table.machine_of(row), measured_table.name_of(row["algorithm"])
    by_message = weights(row, algorithms.closed_form(row)[1] / max(algorithms.most_messages(row), 1))
    by_bytes = weights(row, row["bytes"])
    return [("message", f"message {machine}", by_message),
            ("collective", f"collective {machine} {row['collective']}", by_bytes),
            ("name", f"name {row['collective']} {name}", by_bytes),
            ("own", f"own {machine} {row['collective']} {name}", by_bytes)]


class Corrections:
    """Effects by their keys; those that a file has not are 0."""

    def __init__(self, values):
        self.values = values

    @staticmethod
    def read(path):
        return Corrections(json.loads(path.read_text())["effects"] if path.exists() else {})

    def factor(self, row, algorithms) -> float:
        """By how much to multiply the time that the machine and the costs of memory give."""
        sums = (sum(value * weight for value, weight in zip(self.values[key], of_row))
                for _, key, of_row in effects(row, algorithms) if key in self.values)
        return math.exp(sum(sums))
