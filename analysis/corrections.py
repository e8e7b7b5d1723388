"""What algorithms take beside the costs of their rounds (measured_rounds.py): one factor for each algorithm's name.

A factor is the same on all machines, for all sizes and all numbers of ranks. It is learnt from measured times, and drawn to 1 by a
variance (ridge regression, fit_measured.py). It does not depend on the bytes, so it cannot give a larger vector a smaller time.
"""

import json

import measured_table


def name_of(row):
    """The name whose factor a row has. Rows of nodes with several processes have none (None), because none helped to choose there."""
    return None if row["ranks"] > row["nodes"] else f"{row['collective']} {measured_table.name_of(row['algorithm'])}"


class Corrections:
    """Factors by name, and the widths of intervals; a name that a file does not have has the factor 1."""

    def __init__(self, factors, intervals=None):
        self.factors, self.intervals = factors, intervals or {}

    @staticmethod
    def read(path):
        found = json.loads(path.read_text())
        return Corrections(found["factors"], found["intervals"])

    def factor(self, row) -> float:
        """By how much to multiply the time of the rounds."""
        return self.factors.get(name_of(row), 1.0)

    def interval(self, row) -> float:
        """Four of five measured times lie within the prediction divided and multiplied by this."""
        return self.intervals.get(interval_of(row), max(self.intervals.values(), default=1.0))


def interval_of(row) -> str:
    """The rows that share an interval: those of a machine with one rank a node, or with several."""
    return measured_table.machine_of(row) + (", several processes a node" if row["ranks"] > row["nodes"] else "")
