#!/usr/bin/env python3
"""Draws the figures of the papers from results of `rondo run --format jsonl`.

    figures.py --scenarios          the scenario files whose results are drawn
    figures.py RESULTS PICTURES     draws RESULTS/<scenario>.jsonl into PICTURES/<figure>.png and .svg

The upper part of a panel shows times by block size. Marks are simulated. Solid lines are the cost model, if it has a
closed form. Dotted lines only join marks. The lower part shows by which factor one algorithm is faster than another,
and the factors that the paper states. A grey line through both parts is a size at which the other algorithm becomes
faster.
"""

import json
import math
import pathlib
import sys
import textwrap

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rondo"})  # letters as text, reproducible ids
import matplotlib.pyplot as pyplot
import matplotlib.ticker as ticker
import pandas

from bars import BARS
from paper import AXES, FIGURES, TIMES, Figure, Panel, Place
from results import along, at, chosen, families, records

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The colors of Okabe and Ito, which color-blind people can distinguish. Every line of a figure also has its own mark. A
# hollow mark is larger than the mark that it may cover.
STYLES = {
    "straightforward": ("#000000", "o", 4), "posted": ("#D55E00", "hollow s", 7), "torus": ("#0072B2", "^", 4.5),
    "direct": ("#009E73", "hollow v", 8), "basis": ("#CC79A7", "P", 5), "parity": ("#E69F00", "hollow D", 7),
    "steiner": ("#56B4E9", "D", 4),
    "group_allgather": ("#0072B2", "^", 4.5), "root_gathering": ("#D55E00", "hollow s", 7),
    "ring_allgather": ("#000000", "o", 4), "ring_sequences": ("#0072B2", "^", 4.5), "ring_optimal": ("#009E73", "hollow v", 8),
    "naive": ("#000000", "o", 4), "common_neighbors": ("#0072B2", "^", 4.5),
    "nbx": ("#0072B2", "^", 4.5), "nbx_tagged": ("#009E73", "hollow v", 8), "personalized": ("#D55E00", "hollow s", 7),
    "alltoall posted": ("#D55E00", "hollow s", 7), "alltoall torus": ("#009E73", "v", 4.5),
    "allgather posted": ("#000000", "o", 4), "allgather torus": ("#0072B2", "^", 4.5),
}
SPARE = [("#CC79A7", "P", 5), ("#56B4E9", "D", 4), ("#E69F00", "X", 5), ("#999999", "*", 6)]


def style(name: str) -> dict:
    color, mark, points = STYLES.get(name, SPARE[sum(map(ord, name)) % len(SPARE)])
    face = {"markerfacecolor": "none"} if mark.startswith("hollow") else {}
    return {"color": color, "marker": mark[-1], "markersize": points, **face}


def words(scenario: dict, pointers: tuple) -> str:
    """The name of a line: the values at its pointers, without the prefix `isomorphic_`."""
    values = [at(scenario, pointer) for pointer in pointers]
    return " ".join(str(value).removeprefix("isomorphic_") for value in values if value is not None)


def size(value: float, _position=None) -> str:
    """512 -> "512 B", 2048 -> "2 KiB", 10000 -> "10 kB"."""
    for unit, bytes_ in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value >= bytes_ and value % bytes_ == 0:
            return f"{value // bytes_:.0f} {unit}"
    return f"{value / 1000:.0f} kB" if value >= 1000 and value % 1000 == 0 else f"{value:.0f} B"


def seconds(value: float, _position=None) -> str:
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if value >= scale * 0.9999:
            return f"{value / scale:.4g} {unit}"
    return f"{value:.2g} s"


def plain(value: float, _position=None) -> str:
    return f"{value:.4g}"


def places_with_room(places: list, room: float) -> list:
    """The places at least `room` after the last chosen one, on an axis of powers of two. The places are rising."""
    result = []
    for place in places:
        if not result or math.log2(place / result[-1]) >= room:
            result.append(place)
    return result


def label_x(axes, x: str, places: list) -> None:
    """Puts labelled ticks at the simulated places, as many as have room. Labels that are close are rotated."""
    axes.set_xscale("log", base=2)
    span = math.log2(max(places) / min(places)) or 1
    ticks = places_with_room(places, span / 16)
    axes.xaxis.set_major_locator(ticker.FixedLocator(ticks))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(size if x == "block_bytes" else plain)
    if len(ticks) > len(places_with_room(places, span / 6.5)):
        axes.tick_params(axis="x", labelrotation=50)
    axes.set_xlim(min(places) / 2 ** (span / 25), max(places) * 2 ** (span / 25))


# The ticks of a logarithmic axis within one power of ten, from few to many.
STEPS = ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7), (1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9),
         tuple(1 + k / 20 for k in range(20)) + tuple(2 + k / 10 for k in range(80)))


def ticks_between(low: float, high: float, most: int) -> list:
    """Ticks of a logarithmic axis from `low` to `high`: as many of STEPS as give at most `most` ticks. The powers of
    ten are ticks even if there are more of them."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = []
    for steps in STEPS:
        ticks = [step * 10.0 ** power for power in powers for step in steps if low <= step * 10.0 ** power <= high]
        if found and len(ticks) > most:
            break
        found = ticks
    return found


def log_axis(axes, form, most: int) -> None:
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(ticker.FixedLocator(ticks_between(*axes.get_ylim(), most)))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(form)
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)


def draw_times(axes, table: pandas.DataFrame, y: str) -> None:
    for name, rows in table.groupby("line", sort=False):
        look = style(name)
        for _, family in rows.sort_values("x").groupby("family"):
            axes.plot(family["x"], family[y], linestyle=":", linewidth=0.7, color=look["color"])
            theory = family[family["theory.time_s"].notna()]
            if y == "time_s" and len(theory) > 1:
                axes.plot(theory["x"], theory["theory.time_s"], linewidth=1.2, color=look["color"])
        axes.plot(rows["x"], rows[y], linestyle="", label=name, **look)
    log_axis(axes, seconds, 9)


def without(scenario: dict, pointers: tuple) -> str:
    """The scenario without the values at the pointers, as text. Points of different lines with this text are
    compared."""
    rest = json.loads(json.dumps(scenario))
    for pointer in pointers:
        *folders, name = pointer.strip("/").split("/")
        place = rest
        for folder in folders:
            place = place[folder]
        place.pop(name, None)
    return json.dumps(rest, sort_keys=True)


def factors(table: pandas.DataFrame, panel: Panel) -> pandas.Series:
    """The factor by which the fast algorithm of a panel is faster than the slow one, for each place."""
    times = table.pivot(index=["x", "rest"], columns="line", values="time_s").droplevel("rest")
    if panel.slow not in times or panel.fast not in times:
        return pandas.Series(dtype=float)
    return (times[panel.slow] / times[panel.fast]).dropna()


def cut_offs(gain: pandas.Series) -> list:
    """The places where a factor passes 1, interpolated linearly in the logarithms between two places."""
    result = []
    points = [(x, math.log(factor)) for x, factor in gain.items()]
    for (x, before), (next_x, after) in zip(points, points[1:]):
        if (before > 0) != (after > 0) and next_x > x:
            result.append(x * (next_x / x) ** (before / (before - after)))
    return result


def rounded(value: float, x: str) -> str:
    """The text of an interpolated place, with two digits."""
    short = float(f"{value:.2g}")
    if x != "block_bytes":
        return plain(short)
    return f"{short / 1000:.2g} kB" if short >= 1000 else f"{short:.0f} B"


def mark_cut_offs(times, gains, places: list, x: str) -> None:
    for place in places:
        for axes in (times, gains):
            axes.axvline(place, color="#777777", linestyle=(0, (1, 1.5)), linewidth=1)
        times.annotate(f"cut-off {rounded(place, x)}", (place, 0), xycoords=("data", "axes fraction"), xytext=(2, 3),
                       textcoords="offset points", rotation=90, fontsize=6, color="#555555", va="bottom",
                       bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5})


def draw_paper(axes, panel: Panel) -> None:
    for each in panel.paper:
        if isinstance(each, Place):
            axes.axvline(each.at, color="#D55E00", linestyle="--", linewidth=1)
        elif each.at is None:
            axes.axhline(each.value, color="#D55E00", linestyle="--", linewidth=1)
        else:
            axes.plot([each.at], [each.value], marker="*", markersize=10, color="#D55E00", linestyle="", zorder=5)


def draw_factors(axes, table: pandas.DataFrame, panel: Panel) -> list:
    """Draws the factors below a panel. Returns the places where they pass 1."""
    passed = []
    several = table["family"].nunique() > 1
    for name, family in table.groupby("family"):
        gain = factors(family, panel)
        axes.plot(gain.index, gain, color="#0072B2", marker=".", linewidth=1)
        passed += cut_offs(gain)
        if several and len(gain):
            axes.annotate(name, (gain.index[-1], gain.iloc[-1]), xytext=(3, 2), textcoords="offset points", fontsize=6,
                          color="#0072B2")
    axes.axhline(1, color="#999999", linewidth=0.8)
    draw_paper(axes, panel)
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 0.8), max(high * 1.1, 1.3))
    log_axis(axes, plain, 6)
    says = [each.says for each in panel.paper]
    axes.set_title("\n".join(says) if says else "", fontsize=6.5, color="#A04000", pad=2)
    axes.set_ylabel(f"times faster:\n{panel.fast} than\n{panel.slow}", fontsize=6.5)
    return passed


def panel_table(panel: Panel, figure: Figure, folder: pathlib.Path) -> pandas.DataFrame:
    path = folder / f"{panel.results}.jsonl"
    if not path.exists():
        return pandas.DataFrame()
    table = records(path)
    if table.empty:
        return table
    table = chosen(table, panel.where).copy()
    table["x"] = along(table, figure.x)
    table["family"] = families(table, figure.x)
    table["line"] = [words(each, figure.series) for each in table["expanded"]]
    table["rest"] = [without(each, figure.series) for each in table["expanded"]]
    return table


def draw_panel(times, gains, figure: Figure, panel: Panel, table: pandas.DataFrame) -> None:
    places = sorted(table["x"].unique())
    draw_times(times, table, figure.y)
    times.set_title(panel.label, fontsize=8.5, fontweight="bold")
    times.set_ylabel(TIMES[figure.y], fontsize=7.5)
    times.legend(fontsize=6.5, framealpha=0.7, loc="best")
    if panel.slow:
        mark_cut_offs(times, gains, draw_factors(gains, table, panel), figure.x)
        times.tick_params(labelbottom=False)
    drawn = [times, gains] if panel.slow else [times]
    for axes in drawn:
        label_x(axes, figure.x, places)
        axes.tick_params(labelsize=7)
    drawn[-1].set_xlabel(AXES[figure.x], fontsize=7.5)


def sweep_size(scenario: str) -> int:
    """The number of points of a scenario. Its results may have fewer."""
    sweep = json.loads((ROOT / "scenarios" / pathlib.Path(scenario).name).read_text()).get("sweep", {})
    groups = sweep if isinstance(sweep, list) else [{pointer: values} for pointer, values in sweep.items()]
    return math.prod(len(next(iter(group.values()))) for group in groups)


def source(figure: Figure, tables: list) -> str:
    """The line below a figure that names the source of its numbers."""
    every = pandas.concat([table.dropna(axis=1, how="all") for table in tables])
    engines, versions = (", ".join(sorted(every[key].unique())) for key in ("engine", "version"))
    files = ", ".join(f"{pathlib.Path(name).name} ({len(rows['point'].unique())} of {sweep_size(name)} points)"
                      for name, rows in every.groupby("scenario"))
    model = "; solid lines: cost model" if "theory.time_s" in every and every["theory.time_s"].notna().any() else ""
    return textwrap.fill(f"Marks: simulated by rondo {versions}, engine {engines}, from {files}{model}. "
                         f"Paper: {figure.source}, what its text says.", 60 * min(3, len(tables)))


def draw(figure: Figure, folder: pathlib.Path, pictures: pathlib.Path) -> None:
    tables = [(panel, panel_table(panel, figure, folder)) for panel in figure.panels]
    missing = [panel.results for panel, table in tables if table.empty]
    tables = [(panel, table) for panel, table in tables if not table.empty]
    if missing:
        print(f"{figure.name}: no results of {', '.join(sorted(set(missing)))}: not drawn")
    if not tables:
        return
    columns = min(3, len(tables))
    lines = -(-len(tables) // columns)
    parts = 2 if any(panel.slow for panel, _ in tables) else 1
    height = 4.1 if parts == 2 else 2.9
    canvas = pyplot.figure(figsize=(3.6 * columns + 0.4, height * lines + 0.7), layout="constrained")
    outer = canvas.add_gridspec(lines, columns)
    for i, (panel, table) in enumerate(tables):
        grid = outer[i // columns, i % columns].subgridspec(parts, 1, height_ratios=(2.2, 1)[:parts])
        axes = grid.subplots(squeeze=False)[:, 0]
        draw_panel(axes[0], axes[-1], figure, panel, table)
    canvas.suptitle(textwrap.fill(figure.title, 48 * columns), fontsize=11)
    canvas.supxlabel(source(figure, [table for _, table in tables]), fontsize=6.5, color="#555555")
    save(canvas, pictures / f"{figure.name}.png")


def save(canvas, path: pathlib.Path) -> None:
    """Writes a PNG file with a palette, which makes it small, and an SVG file beside it."""
    vectors = path.with_suffix(".svg")
    canvas.savefig(vectors, metadata={"Date": None, "Creator": None})
    vectors.write_text("".join(line.rstrip() + "\n" for line in vectors.read_text().splitlines()))
    canvas.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(canvas)
    from PIL import Image  # matplotlib depends on it

    Image.open(path).convert("RGB").quantize(255, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path}: {path.stat().st_size // 1024} KiB, .svg: {vectors.stat().st_size // 1024} KiB")


def scenarios() -> list:
    """The scenario files, in the order of the figures."""
    names = dict.fromkeys(panel.results for figure in FIGURES for panel in figure.panels) | dict.fromkeys(BARS)
    known = {path.stem for path in (ROOT / "scenarios").glob("*.json")}
    for name in sorted(name for name in known - set(names) if "-figure-" in name):
        print(f"scenarios/{name}.json is in no figure of paper.py", file=sys.stderr)
    return [f"scenarios/{name}.json" for name in names if name in known]


def main(arguments: list) -> int:
    if arguments == ["--scenarios"]:
        print("\n".join(scenarios()))
        return 0
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder, pictures = map(pathlib.Path, arguments)
    pictures.mkdir(parents=True, exist_ok=True)
    for figure in FIGURES:
        draw(figure, folder, pictures)
    for name, draw_bars in BARS.items():
        path = folder / f"{name}.jsonl"
        if path.exists() and path.stat().st_size > 0:
            save(draw_bars(folder), pictures / f"{name}.png")
        else:
            print(f"{name}: no results: not drawn")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
