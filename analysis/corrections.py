"""Factors that correct the predicted times of measured_rounds.py, one for each name of an algorithm.

A factor is the same on all machines, for all sizes and all numbers of ranks. fit_measured.py learns it from measured
times by ridge regression, which keeps it near 1. It does not depend on the bytes, so it cannot give a larger vector a
smaller time.
"""

import json

import measured_table


def name_of(row):
    """The name whose factor a row has. It is None for nodes with several processes: factors improved no choice
    there."""
    return None if row["ranks"] > row["nodes"] else f"{row['collective']} {measured_table.name_of(row['algorithm'])}"


class Corrections:
    """Factors by name, and the widths of intervals. The factor of a name that the file does not have is 1."""

    def __init__(self, factors, intervals=None):
        self.factors, self.intervals = factors, intervals or {}

    @staticmethod
    def read(path):
        found = json.loads(path.read_text())
        return Corrections(found["factors"], found["intervals"])

    def factor(self, row) -> float:
        """The factor by which the time of the rounds is multiplied."""
        return self.factors.get(name_of(row), 1.0)

    def interval(self, row) -> float:
        """The width w of the interval: four of five measured times lie between prediction / w and prediction * w."""
        return self.intervals.get(interval_of(row), max(self.intervals.values(), default=1.0))


def interval_of(row) -> str:
    """The name of the rows that share an interval: a machine, with one rank per node or with several."""
    return measured_table.machine_of(row) + (", several processes a node" if row["ranks"] > row["nodes"] else "")
