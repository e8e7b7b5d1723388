#!/usr/bin/env python3
"""Fits the prices of measured_rounds.py and the factors of corrections.py to measured collectives, and judges them.

    analysis/fit_measured.py DATA.csv                writes measured_costs.json and measured_corrections.json
    analysis/fit_measured.py DATA.csv --judge        prints how well rows are predicted that the fits have not used
                                                     (--predicted PREDICTED.csv writes these predictions)

The prices of a machine minimize the squares of log(predicted / measured) with a soft-L1 loss. Rows with one rank per
node are fitted first. These prices are then fixed, and the prices that only nodes with several ranks pay are fitted. If
no row of a machine pays a price, it is the mean of the other machines, or 0 if it is one of VANISHING. Ridge regression
divides the remaining errors into factors of algorithms and into effects that are discarded: an effect of each group
(system, nodes, processes per node, collective), an effect of each name in a group, and noise. The variance of the
factors is the most likely one of VARIANCES.

--judge leaves out one fold at a time. All choices (prices, variance, factors, intervals) are made from the other folds.
Folds are groups (system, nodes, collective), days (archives), collectives of a system, or systems. If a system is left
out, its factors come from the other systems. Its prices come from its own collectives, one of which is left out at a
time.
"""

import argparse
import collections
import json
import math
import pathlib
import sys

import numpy
from scipy import linalg
from scipy.optimize import least_squares

import corrections
import measured
import measured_rounds
import measured_table
import predict
from measured_rounds import COSTS
from measured_table import BadTable

FOLDER = pathlib.Path(__file__).resolve().parent
SPREAD = 0.15  # relative errors above this count linearly, not squared
PRIOR = 0.4  # the weight of a price in the loss: of its logarithm, or of half its multiple of START if it may vanish
START = {"round": 2500.0, "round with GPUs": 1000.0, "byte": 0.08, "post": 200.0, "peer": 400.0, "posted byte": 0.05, "taper": 0.01, "inside": 800.0, "inside byte": 0.1,
         "node byte": 0.03, "shared memory": 0.01, "copy": 0.03, "copy large": 0.05, "fresh": 0.03, "fresh large": 0.2, "join": 0.08, "join large": 0.06,
         "piece": 20.0, "call": 1500.0, "port": 1000.0, "handshake": 1500.0, "register": 1500.0, "register twice": 3000.0,
         **{f"byte up to {size}": 0.05 for size in measured_rounds.SIZES}, **{f"step {size}": 500.0 for size in measured_rounds.SIZES}}
VANISHING = ("round with GPUs", "byte up to", "step", "taper", "peer", "call", "port", "handshake", "register", "copy large", "fresh large", "join large", "piece")
LEAST = 30  # a machine with fewer rows is not fitted
MOST = 1.5  # a larger error of a logarithm counts as this
DISCARDED = {"group": 0.03, "name in a group": 0.02, "noise": 0.04}
VARIANCES = (0.015, 0.03, 0.06)  # possible variances of the logarithm of a factor
FOLDS = 10
INSIDE = 0.8  # the share of the rows whose times should lie in their interval
starts = numpy.array([START[cost] for cost in COSTS])
vanishing = numpy.array([cost.startswith(VANISHING) for cost in COSTS])


class Sample:
    """Rows with known schedules, their amounts, and the names whose factors they have."""

    def __init__(self, rows, algorithms):
        paid = [measured_rounds.amounts(row, algorithms) for row in rows]
        self.rows = [row for row, each in zip(rows, paid) if each is not None]
        self.amounts = numpy.array([[each[cost] for cost in COSTS] for each in paid if each is not None])
        self.logs = numpy.log([row["ns"] for row in self.rows])
        self.machines = numpy.array([measured_table.machine_of(row) for row in self.rows])
        self.alone = numpy.array([row["ranks"] <= row["nodes"] for row in self.rows])
        self.names = numpy.array([f"{row.get('archive')} {measured_table.name_of(row['algorithm'])}" for row in self.rows])
        groups = self.keys(lambda row: f"{group_of(row)} {measured_table.machine_of(row)}")
        self.blocks = [numpy.flatnonzero(groups == name) for name in sorted(set(groups))]
        names = [corrections.name_of(row) for row in self.rows]
        self.columns = sorted(set(names) - {None})
        self.weights = numpy.array([[name == each for each in self.columns] for name in names], numpy.float32).reshape(len(names), -1)
        self.inverses = [numpy.linalg.inv(self._discarded(block)).astype(numpy.float32) for block in self.blocks]

    def keys(self, key):
        return numpy.array([str(key(row)) for row in self.rows])

    def _discarded(self, block):
        """The covariance of the discarded effects of the rows of a group."""
        same = self.names[block][:, None] == self.names[block][None, :]
        return DISCARDED["noise"] * numpy.eye(len(block)) + DISCARDED["group"] + DISCARDED["name in a group"] * same


def group_of(row) -> str:
    return "/".join(str(row[key]) for key in ("system", "nodes", "tasks_per_node", "collective"))


def best_prices(amounts, logs, start, used, fixed=0.0):
    """Fits the prices of the costs in `used`. The other prices stay as in `start`."""
    scaled, may_vanish = amounts[:, used] * starts[used], vanishing[used]

    def residuals(prices):
        drawn = numpy.where(may_vanish, prices / 2, numpy.log(prices))
        return numpy.concatenate([numpy.log(scaled @ prices + fixed) - logs, PRIOR * drawn])

    def derivatives(prices):
        drawn = numpy.where(may_vanish, 0.5, 1 / prices)
        return numpy.concatenate([scaled / (scaled @ prices + fixed)[:, None], PRIOR * numpy.diag(drawn)])

    first = numpy.clip(start[used] / starts[used], 1e-3, 1e3)
    found = least_squares(residuals, first, derivatives, bounds=(1e-9, numpy.inf), loss="soft_l1", f_scale=SPREAD, max_nfev=60, ftol=1e-5, xtol=1e-5)
    prices = start.copy()
    prices[used] = found.x * starts[used]
    return prices


def priced(sample, keep, known=None):
    """Prices by machine, fitted to the rows in `keep`. `known` has prices to start from. If no row of a machine pays a
    price, it is 0 if it may vanish, and else the mean of the other machines."""
    found, paid = {}, {}
    for machine in sorted(set(sample.machines)):
        own = keep & (sample.machines == machine)
        alone, several = own & sample.alone, own & ~sample.alone
        if alone.sum() < LEAST:
            continue
        start = known[machine] if known else numpy.where(vanishing, 0.3 * starts, starts)
        paid[machine] = (sample.amounts[alone] != 0).any(axis=0)
        found[machine] = best_prices(sample.amounts[alone], sample.logs[alone], start, paid[machine])
        if several.sum() >= LEAST:
            more = (sample.amounts[several] != 0).any(axis=0) & ~paid[machine]
            fixed = sample.amounts[several][:, ~more] @ found[machine][~more]
            found[machine] = best_prices(sample.amounts[several], sample.logs[several], found[machine], more, fixed)
            paid[machine] |= more
    for cost in range(len(COSTS)):
        seen = [found[machine][cost] for machine in found if paid[machine][cost]]
        for machine in found:
            if not paid[machine][cost]:
                found[machine][cost] = 0.0 if vanishing[cost] else numpy.mean(seen or [starts[cost]])
    return found


def times(sample, prices):
    """Logarithms of the predicted times; NaN for machines without prices."""
    result = numpy.full(len(sample.rows), numpy.nan)
    for machine, each in prices.items():
        own = sample.machines == machine
        result[own] = numpy.log(sample.amounts[own] @ each)
    return result


def solved(sample, missed, keep, variance):
    """The logarithms of the factors, and the logarithm of the likelihood of the errors in `missed`."""
    scaled = sample.weights * numpy.float32(math.sqrt(variance))
    matrix, right, likelihood = numpy.eye(len(sample.columns), dtype=numpy.float32), numpy.zeros(len(sample.columns), numpy.float32), 0.0
    for block, inverse in zip(sample.blocks, sample.inverses):
        if not keep[block].all():
            continue
        weighted = inverse @ scaled[block]
        matrix += scaled[block].T @ weighted
        right += weighted.T @ missed[block]
        likelihood -= float(missed[block] @ inverse @ missed[block]) / 2
    factor = linalg.cho_factor(matrix, overwrite_a=True, check_finite=False)
    values = linalg.cho_solve(factor, right, check_finite=False)
    likelihood += float(right @ values) / 2 - float(numpy.log(numpy.diag(factor[0])).sum())
    return values * math.sqrt(variance), likelihood


def likeliest(sample, missed, keep):
    """The logarithms of the factors for the most likely of VARIANCES, and this variance."""
    found = [(*solved(sample, missed, keep, variance), variance) for variance in VARIANCES]
    values, _, variance = max(found, key=lambda each: each[1])
    return values, variance


def missed_by(sample, logs):
    return numpy.clip(numpy.nan_to_num(sample.logs - logs), -MOST, MOST).astype(numpy.float32)


def folds_of(sample, key, count=FOLDS, shuffle=1):
    """Masks of rows to leave out. A mask has all rows of some keys. `shuffle` is the seed that distributes the keys."""
    keys = sample.keys(key)
    names = sorted(set(keys))
    numpy.random.default_rng(shuffle).shuffle(names)
    return [numpy.isin(keys, names[first::count]) for first in range(min(count, len(names)))]


def left_out(sample, folds, known, factors_of=None):
    """Logarithms of the predicted times of all rows without and with factors, and the chosen variances.

    The fits do not use the fold of the row. `factors_of` has, for each fold, the mask of the rows from which factors
    are learnt; by default all other folds."""
    plain, full, chosen = numpy.full(len(sample.rows), numpy.nan), numpy.full(len(sample.rows), numpy.nan), []
    for number, fold in enumerate(folds):
        logs = times(sample, priced(sample, ~fold, known))
        values, variance = likeliest(sample, missed_by(sample, logs), ~fold if factors_of is None else factors_of[number])
        plain[fold], full[fold] = logs[fold], logs[fold] + sample.weights[fold] @ values
        chosen.append(variance)
    return plain, full, chosen


def intervals(sample, logs, keep):
    """The widths of the intervals around predictions that contain the measured times of INSIDE of the rows in
    `keep`."""
    kinds = sample.keys(corrections.interval_of)
    errors = numpy.abs(logs - sample.logs)
    keep = keep & ~numpy.isnan(errors)
    return {kind: float(numpy.exp(numpy.quantile(errors[keep & (kinds == kind)], INSIDE))) for kind in sorted(set(kinds[keep]))}


def inside_share(sample, logs, folds):
    """The share of the rows whose times lie in the intervals from the other folds."""
    kinds, errors, held = sample.keys(corrections.interval_of), numpy.abs(logs - sample.logs), []
    for fold in folds:
        widths = intervals(sample, logs, ~fold)
        held += [error <= math.log(widths[kind]) for error, kind in zip(errors[fold], kinds[fold]) if kind in widths]
    return numpy.mean(held) if held else math.nan


def usable_rows(path):
    data = measured_table.read(path, ("median_ns", "mean_ns"))
    rows = data[measured_table.usable(data)].to_dict("records")
    return [row for row in rows if row["ns"] and row["nodes"] and row["ranks"] and row["gpu"] != "yes"]


def told(sample, logs, defaults, keep):
    """One line of the table."""
    import pandas

    table = pandas.DataFrame([row for row, each in zip(sample.rows, keep) if each])
    table["predicted_ns"], table["alpha_beta_ns"] = numpy.exp(logs[keep]), numpy.nan
    found = measured.judge(table, defaults)
    return f"{found['rows']:>9} {100 * found['error']:5.1f} % {found['regret']:6.3f} {found['p90']:6.3f} {100 * found['orders']:4.0f} %  {found['chosen/default']:5.2f}"


def report(sample, logs, defaults, title, detail):
    print(f"{title:44}     rows   error regret    p90 orders  chosen/default")
    for alone, name in ((True, "one process a node"), (False, "several processes a node")):
        keep = (sample.alone == alone) & ~numpy.isnan(logs)
        if not keep.any():
            continue
        print(f"{name:44}{told(sample, logs, defaults, keep)}")
        for key in (lambda row: row["system"], lambda row: f"{row['system']} {row['collective']}")[:1 + detail]:
            keys = sample.keys(key)
            for each in sorted(set(keys[keep])):
                print(f"  {each:42}{told(sample, logs, defaults, keep & (keys == each))}")
    sys.stdout.flush()


def judge(sample, known, defaults, predicted, shuffle):
    kinds = {"groups left out": lambda row: (row["system"], row["nodes"], row["collective"]), "days left out": lambda row: (row["system"], row.get("archive")),
             "collectives left out": lambda row: (row["system"], row["collective"])}
    for title, key in kinds.items():
        folds = folds_of(sample, key, shuffle=shuffle)
        plain, full, chosen = left_out(sample, folds, known)
        if predicted and title.startswith("groups"):
            predict.write(predicted, sample.rows, dict(enumerate(numpy.exp(full))))
        report(sample, plain, defaults, f"{title}, without factors", False)
        report(sample, full, defaults, title, title.startswith("groups"))
        print(f"{100 * inside_share(sample, full, folds):.0f} % of the rows lie in the interval of 80 %; variances: {collections.Counter(chosen).most_common()}")
    systems, collectives = sample.keys(lambda row: row["system"]), folds_of(sample, kinds["collectives left out"], 1000)
    others = [systems != systems[fold][0] for fold in collectives]
    report(sample, left_out(sample, collectives, known, others)[1], defaults, "systems left out of the factors", False)


def write(sample, known, folder):
    """Writes the files that predict.py reads. Returns the number of fitted prices above 0, and the number of
    factors."""
    everything = numpy.ones(len(sample.rows), bool)
    above = {machine: [cost for cost, price in zip(COSTS, prices) if price > 1e-4 * START[cost]] for machine, prices in known.items()}
    costs = {machine: {cost: float(f"{known[machine][COSTS.index(cost)]:.4g}") for cost in above[machine]} for machine in known}
    (folder / "measured_costs.json").write_text(json.dumps(costs, indent=1) + "\n")
    values, variance = likeliest(sample, missed_by(sample, times(sample, known)), everything)
    widths = intervals(sample, left_out(sample, folds_of(sample, group_of), known)[1], everything)
    about = [f"Fitted by analysis/fit_measured.py to {len(sample.rows)} rows; analysis/corrections.py says what it means.",
             f"The variance of the logarithms is {variance}."]
    found = {"source": about, "intervals": {kind: round(width, 3) for kind, width in widths.items()},
             "factors": {name: round(math.exp(value), 3) for name, value in zip(sample.columns, values)}}
    (folder / "measured_corrections.json").write_text(json.dumps(found, indent=1) + "\n")
    fitted = sum(len(set(above[machine]) & paid_by(sample, machine)) for machine in known)
    return fitted, len(found["factors"])


def paid_by(sample, machine):
    """The costs that rows of the machine pay."""
    return {cost for cost, paid in zip(COSTS, (sample.amounts[sample.machines == machine] != 0).any(axis=0)) if paid}


def main(arguments):
    parser = argparse.ArgumentParser(description="fits what rounds of measured collectives cost, and judges it")
    parser.add_argument("data")
    parser.add_argument("--judge", action="store_true", help="predict rows that the fits have not seen; write no prices")
    parser.add_argument("--predicted", metavar="PREDICTED.csv", help="with --judge: gets the predictions of groups left out")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="where to write")
    parser.add_argument("--shuffle", type=int, default=1, metavar="N", help="with --judge: draws other folds")
    words = parser.parse_args(arguments)
    import pandas

    rows = usable_rows(words.data)
    chosen = [row for row in rows if not measured_table.is_default(row)]
    sample = Sample(chosen, measured_table.Algorithms())
    if not (len(sample.rows) and (sample.alone.sum() >= LEAST)):
        raise BadTable(f"{words.data}: expected at least {LEAST} rows of known schedules with one process a node, got {int(sample.alone.sum()) if len(sample.rows) else 0}")
    known = priced(sample, numpy.ones(len(sample.rows), bool))
    if words.judge:
        judge(sample, known, pandas.DataFrame(rows)[[measured_table.is_default(row) for row in rows]], words.predicted, words.shuffle)
    else:
        prices, factors = write(sample, known, words.folder)
        print(f"fit_measured: {len(sample.rows)} rows, {len(known)} machines with {prices} prices, {factors} factors", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (BadTable, OSError, UnicodeDecodeError) as error:
        sys.exit(f"fit_measured: {error}")
