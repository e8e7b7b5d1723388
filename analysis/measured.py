#!/usr/bin/env python3
"""Judges predicted times of collectives by measured ones.

    analysis/measured.py DATA.csv PREDICTED.csv [--fit-alpha-beta MORE.csv] [--figure FILE.png]

DATA.csv has measured times (`median_ns`, or `mean_ns` if this is empty). PREDICTED.csv has the same key columns and
`predicted_ns`. Rows match if the columns that both files have are equal. It prints for each class of rows, each system
and each collective of the system:

- rows: the number of predicted rows, and of usable measured rows (bytes were moved, and the name is the algorithm that
  ran)
- error: the median of |predicted / measured - 1|
- regret: a task is a system, run, collective, number of ranks and size. The algorithm with the least predicted time is
  chosen among its predicted rows. Regret is the measured time of this algorithm over the least measured time. Printed
  are the geometric mean and the 90th percentile (p90) over all tasks with at least two algorithms
- orders: among pairs of algorithms of a task whose measured times differ by more than 20 %, the share whose predicted
  times have the same order; equal predicted times do not count as the same order
- the same for alpha-beta (ab), on the same rows: time = alpha * rounds + beta * bytes sent by the busiest rank. The
  rounds and bytes are the closed forms of measured_algorithms.csv. Alpha and beta are fitted in log space for each
  system, to all other groups (system, nodes, processes per node, collective) of DATA.csv and of the tables of
  --fit-alpha-beta
- default: the measured time of the library's own choice over the least measured time of a predicted algorithm; and
  chosen/default: the measured time of the chosen algorithm over that of the library's choice. Both are geometric means
  over the tasks for which the default was measured
"""

import argparse
import itertools
import sys

import numpy
import pandas
from scipy.optimize import least_squares

import measured_table
from measured_table import BadTable

APART = 1.2  # the order of two times counts only if their ratio is larger
SPREAD = 0.15  # relative errors above this count linearly, not squared, when alpha and beta are fitted


def matched(data, predicted):
    """The measured rows with a column `predicted_ns`."""
    shared = [name for name in data.columns if name in predicted.columns and name not in measured_table.MEASURED + ["ns"]]
    keys = predicted[shared].astype(str).agg("|".join, axis=1)
    if keys.duplicated().any():
        raise BadTable(f"predictions: row {int(numpy.flatnonzero(keys.duplicated())[0]) + 2}: predicted twice")
    times = dict(zip(keys, predicted["ns"]))
    found = [times.get(key) for key in data[shared].astype(str).agg("|".join, axis=1)]
    return data.assign(predicted_ns=pandas.Series(found, index=data.index, dtype=float))


def fit_alpha_beta(forms, times):
    """Alpha (ns) and beta (ns per byte) of alpha * rounds + beta * bytes, by least squares of logarithms, soft-L1
    loss."""
    def residuals(logarithms):
        return numpy.log(forms @ numpy.exp(logarithms)) - numpy.log(times)
    start = numpy.log([1000.0, 0.1])  # 1 us, 10 GB/s
    return numpy.exp(least_squares(residuals, start, loss="soft_l1", f_scale=SPREAD).x)


def alpha_beta(table, more):
    """Alpha-beta predictions in ns for each row of the table, fitted to the rows of its system in other groups."""
    algorithms = measured_table.Algorithms()

    def forms(rows):
        return numpy.array([algorithms.closed_form(row) or (0, 0) for row in rows.to_dict("records")], dtype=float)

    everything = pandas.concat([table, more]) if more is not None else table
    everything = everything.assign(group=measured_table.groups(everything))
    all_forms, own_forms, own_groups = forms(everything), forms(table), measured_table.groups(table)
    result = numpy.full(len(table), numpy.nan)
    for (system, group) in set(zip(table["system"], own_groups)):
        fitted = ((everything["system"] == system) & (everything["group"] != group)).to_numpy() & (all_forms[:, 0] > 0)
        judged = (own_groups == group).to_numpy() & (own_forms[:, 0] > 0)
        if fitted.sum() < 3 or not judged.any():
            continue
        parameters = fit_alpha_beta(all_forms[fitted], everything["ns"].to_numpy(dtype=float)[fitted])
        result[judged] = own_forms[judged] @ parameters
    return result


def tasks(table):
    """The rows of each task for which at least two algorithms were predicted."""
    for _, rows in table.groupby(measured_table.TASK, sort=False):
        if len(rows) > 1:
            yield rows


def regrets(table, column):
    return numpy.array([rows["ns"][rows[column].idxmin()] / rows["ns"].min() for rows in tasks(table)], dtype=float)


def right_orders(table, column):
    """The number of pairs with the right order, and the number of pairs."""
    right = total = 0
    for rows in tasks(table):
        for a, b in itertools.combinations(rows[["ns", column]].to_numpy(dtype=float), 2):
            (faster, slower) = (a, b) if a[0] < b[0] else (b, a)
            if slower[0] > APART * faster[0]:
                total += 1
                right += slower[1] > faster[1]
    return right, total


def against_default(table, defaults):
    """For each task with a measured default: default / best, and chosen / default."""
    measured = {tuple(key): ns for *key, ns in defaults[measured_table.TASK + ["ns"]].astype(object).to_numpy()}
    pairs = []
    for rows in tasks(table):
        default = measured.get(tuple(rows.iloc[0][measured_table.TASK]))
        if default is not None:
            pairs.append((default / rows["ns"].min(), rows["ns"][rows["predicted_ns"].idxmin()] / default))
    return numpy.array(pairs, dtype=float).reshape(-1, 2)


def mean(ratios):
    """The geometric mean; NaN without ratios."""
    return float(numpy.exp(numpy.log(ratios).mean())) if len(ratios) else numpy.nan


def share(right, total):
    return right / total if total else numpy.nan


def judge(table, defaults):
    """The values of one row of the output."""
    known = table[table["predicted_ns"].notna()]
    simple = known[known["alpha_beta_ns"].notna()]
    own, theirs = regrets(known, "predicted_ns"), regrets(simple, "alpha_beta_ns")
    library = against_default(known, defaults)
    return {
        "rows": f"{len(known)}/{len(table)}",
        "error": float(numpy.median(measured_table.relative_error(known, known["predicted_ns"]))) if len(known) else numpy.nan,
        "regret": mean(own),
        "p90": float(numpy.quantile(own, 0.9)) if len(own) else numpy.nan,
        "orders": share(*right_orders(known, "predicted_ns")),
        "ab error": float(numpy.median(measured_table.relative_error(simple, simple["alpha_beta_ns"]))) if len(simple) else numpy.nan,
        "ab regret": mean(theirs),
        "ab p90": float(numpy.quantile(theirs, 0.9)) if len(theirs) else numpy.nan,
        "ab orders": share(*right_orders(simple, "alpha_beta_ns")),
        "default": mean(library[:, 0]),
        "chosen/default": mean(library[:, 1]),
    }


def judgements(table, defaults):
    """A table with a row for each class, each of its systems, and each of their collectives."""
    lines = []

    def add(name, keep):
        lines.append({"": name, **judge(table[keep], defaults)})

    for kind, rows in table.groupby("class", sort=True):
        add(kind, table["class"] == kind)
        for system, of_system in rows.groupby("system"):
            add(f"  {system}", (table["class"] == kind) & (table["system"] == system))
            for collective in sorted(of_system["collective"].unique()):
                add(f"    {collective}",
                    (table["class"] == kind) & (table["system"] == system) & (table["collective"] == collective))
    return pandas.DataFrame(lines)


def draw(table, path):
    """Draws predicted against measured times, with a panel for each system."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    known = table[table["predicted_ns"].notna()]
    systems = sorted(known["system"].unique())
    figure, panels = pyplot.subplots(1, len(systems), figsize=(4 * len(systems), 4.2), squeeze=False, sharex=True, sharey=True)
    colors = ["#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#000000"]
    marks = "osD^v<>P"
    collectives = sorted(known["collective"].unique())
    for panel, system in zip(panels[0], systems):
        for collective, color, mark in zip(collectives, colors, marks):
            rows = known[(known["system"] == system) & (known["collective"] == collective)]
            panel.loglog(rows["ns"] / 1e3, rows["predicted_ns"] / 1e3, mark, color=color, markersize=3, alpha=0.6, label=collective)
        limits = [known["ns"].min() / 1e3, known["ns"].max() / 1e3]
        panel.plot(limits, limits, color="gray", linewidth=0.8)
        panel.set_title(system)
        panel.set_xlabel("measured, us")
    panels[0][0].set_ylabel("predicted, us")
    panels[0][-1].legend(fontsize=7, loc="lower right")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main(arguments):
    parser = argparse.ArgumentParser(description="judges predicted times of collectives by measured ones")
    parser.add_argument("data")
    parser.add_argument("predicted")
    parser.add_argument("--fit-alpha-beta", action="append", default=[], metavar="TABLE", help="fit alpha-beta to this too")
    parser.add_argument("--figure", metavar="FILE", help="draw predicted against measured")
    words = parser.parse_args(arguments)
    times = ("median_ns", "mean_ns")
    data = measured_table.read(words.data, times)
    data = data[measured_table.usable(data)].reset_index(drop=True)
    table = matched(data, measured_table.read(words.predicted, ("predicted_ns",)))
    rows = table.to_dict("records")
    table["class"] = [measured_table.class_of(row) for row in rows]
    default = numpy.array([measured_table.is_default(row) for row in rows])
    more = [measured_table.read(path, times) for path in words.fit_alpha_beta]
    defaults, table = table[default], table[~default].reset_index(drop=True)
    usable = [each[measured_table.usable(each)] for each in more]
    table["alpha_beta_ns"] = alpha_beta(table, pandas.concat(usable) if usable else None)
    with pandas.option_context("display.width", 200, "display.max_rows", None, "display.max_columns", None):
        print(judgements(table, defaults).to_string(index=False, float_format=lambda value: f"{value:.3f}", na_rep="-"))
    if words.figure:
        draw(table, words.figure)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (BadTable, OSError, UnicodeDecodeError) as error:
        sys.exit(f"measured: {error}")
