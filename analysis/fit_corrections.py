#!/usr/bin/env python3
"""Fits the corrections of corrections.py to what predictions without them miss.

    analysis/fit_corrections.py DATA.csv PREDICTED.csv OUT.json [--cross-validate OUT.csv [--left-out PREDICTED.csv]]

PREDICTED.csv is what `predict.py --uncorrected` says of DATA.csv. The logarithms of measured over predicted times are split by
ridge regression into the effects, whose variances corrections.py states, and what is thrown away: an effect of each group
(SYSTEM/NODES/TASKS/COLLECTIVE) by its bytes, which stands for what its run alone had; one of each name in a group, so that the many
sizes of one run are one observation of an algorithm and not many; and noise. Names that the library chooses itself take no part.

--cross-validate writes what is predicted of each group by corrections without it. The machine itself may have seen the group:
with --left-out, its predictions by a machine that has not (fit_machine.py --cross-validate) are those that are corrected.
"""

import argparse
import collections
import json
import pathlib
import sys

import numpy

import measured_table
import predict
from corrections import SHARES, SIZES, VARIANCE, Corrections, effects, hat
from fit_machine import group_of
from measured import matched
from measured_table import BadTable

# Variances of what is thrown away, near those of the greatest likelihood.
GROUP = 0.03  # of a group's own effect
NAME = 0.02  # of that of a name in a group
NOISE = 0.04  # of a time: a standard deviation of 20 %
MOST = 1.5  # of a logarithm: what is farther off counts as this
DIGITS = 4


class Sample:
    """Rows of one layer, with what their effects weigh: a column for each value of each effect."""

    def __init__(self, rows, algorithms):
        self.rows = rows
        self.columns = collections.defaultdict(lambda: len(self.columns))
        variances, entries = {}, []
        for number, row in enumerate(rows):
            for kind, key, of_row in effects(row, algorithms):
                for place, weight in enumerate(of_row):
                    column = self.columns[key, place]
                    variances[column] = VARIANCE[kind] * SHARES[place // len(SIZES)]
                    entries.append((number, column, weight))
        self.weights = numpy.zeros((len(rows), len(self.columns)))
        for number, column, weight in entries:
            self.weights[number, column] = weight
        self.variances = numpy.array([variances[column] for column in range(len(variances))])
        names = [group_of(row) for row in rows]
        self.groups = {name: numpy.array([i for i, other in enumerate(names) if other == name]) for name in sorted(set(names))}
        self.inverse = numpy.linalg.inv(self._covariance())

    def _covariance(self):
        """The covariance of the rows: what effects they share, their group's own, that of their name in it, and noise."""
        result = (self.weights * self.variances) @ self.weights.T + NOISE * numpy.eye(len(self.rows))
        for members in self.groups.values():
            by_size = numpy.array([hat(self.rows[i]["bytes"]) for i in members])
            names = numpy.array([measured_table.name_of(self.rows[i]["algorithm"]) for i in members])
            same = names[:, None] == names[None, :]
            result[numpy.ix_(members, members)] += (GROUP + NAME * same) * (by_size @ by_size.T)
        return result

    def effects(self, residuals):
        """The expected values of the effects, by key."""
        values = self.variances * (self.weights.T @ (self.inverse @ residuals))
        found = collections.defaultdict(lambda: [0.0] * (len(SIZES) * len(SHARES)))
        for (key, place), column in self.columns.items():
            found[key][place] = round(float(values[column]), DIGITS)
        return dict(found)

    def left_out(self, residuals):
        """What is expected of each row by all rows of other groups, which gives the residuals without the row's group."""
        expected = numpy.zeros(len(self.rows))
        weighted = self.inverse @ residuals
        for members in self.groups.values():
            own = self.inverse[numpy.ix_(members, members)]
            expected[members] = residuals[members] - numpy.linalg.solve(own, weighted[members])
        return expected


def samples(rows, algorithms):
    """One sample of MPI and one of uTofu, which share no effect, each with the residuals of its rows."""
    for utofu in (False, True):
        own = [row for row in rows if ("UTOFU" in row["algorithm"]) == utofu]
        if own:
            residuals = numpy.log([row["ns"] / row["predicted_ns"] for row in own])
            yield Sample(own, algorithms), numpy.clip(residuals, -MOST, MOST)


def known_rows(data, predicted):
    """Rows that were measured and predicted."""
    table = matched(data[measured_table.usable(data)].reset_index(drop=True), measured_table.read(predicted, ("predicted_ns",)))
    rows = [row for row in table.to_dict("records") if row["predicted_ns"] > 0 and row["ns"] and not measured_table.is_default(row)]
    if not rows:
        raise BadTable(f"{predicted}: expected predictions of rows of the data, got none")
    return rows


def key_of(row):
    return tuple(row[name] for name in ("archive", "test", "collective", "algorithm", "bytes", "system", "ranks", "segment_bytes"))


def main(arguments):
    parser = argparse.ArgumentParser(description="fits corrections of predicted collectives to measured ones")
    parser.add_argument("data")
    parser.add_argument("predicted")
    parser.add_argument("out")
    parser.add_argument("--cross-validate", metavar="PREDICTED.csv", help="correct each group by what others show")
    parser.add_argument("--left-out", metavar="PREDICTED.csv", help="predictions by machines that have not seen the row's group")
    words = parser.parse_args(arguments)
    data, algorithms = measured_table.read(words.data, ("median_ns", "mean_ns")), measured_table.Algorithms()
    rows = known_rows(data, words.predicted)
    unseen = known_rows(data, words.left_out) if words.left_out else rows
    by_key = {key_of(row): row["predicted_ns"] for row in unseen}
    found, judged, times = {}, [], {}
    for sample, residuals in samples(rows, algorithms):
        found.update(sample.effects(residuals))
        for row, logarithm in zip(sample.rows, sample.left_out(residuals) if words.cross_validate else []):
            if key_of(row) in by_key:
                times[len(judged)] = by_key[key_of(row)] * float(numpy.exp(logarithm))
                judged.append({name: cell for name, cell in row.items() if name != "predicted_ns"})
    about = [f"Fitted by analysis/fit_corrections.py to {len(rows)} rows of {pathlib.Path(words.data).name}; analysis/corrections.py says what it means.",
             f"Values at {', '.join(f'2^{size}' for size in SIZES)} bytes; their change with ranks; their change with sharing."]
    lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(values)}" for key, values in sorted(found.items()))
    pathlib.Path(words.out).write_text(f'{{\n  "source": {json.dumps(about)},\n  "effects": {{\n{lines}\n  }}\n}}\n')
    if words.cross_validate:
        predict.write(words.cross_validate, judged, times)
    corrected = Corrections(found)
    errors = [abs(corrected.factor(row, algorithms) * row["predicted_ns"] / row["ns"] - 1) for row in rows]
    print(f"fit_corrections: {len(found)} effects; half of {len(rows)} rows within {100 * numpy.median(errors):.0f} %", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (BadTable, OSError, UnicodeDecodeError) as error:
        sys.exit(f"fit_corrections: {error}")
