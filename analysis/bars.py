"""Bar charts and points that are not curves over block sizes: set-up times, and inter-group broadcast by libraries."""

import pathlib

import matplotlib.pyplot as pyplot

from paper import KANG, MIB, SETUP_MS
from results import at, records


def draw_setup_times(folder: pathlib.Path):
    """[Traeff16], Table 2: milliseconds by dimensions and radius, of the paper and measured here."""
    table = records(folder / "isomorphic-table-2.jsonl")
    keys = [(len(at(each, "/collective/torus")), at(each, "/collective/neighborhood/radius")) for each in table["expanded"]]
    ours = dict(zip(keys, table["setup_wall_s"] * 1e3))
    canvas, axes = pyplot.subplots(figsize=(7.6, 4.1), layout="constrained")
    places = range(len(keys))
    for row, color, mark, with_what in (("MPI_Dist_graph_create", "#56B4E9", "v", ""),
                                        ("MPI_Dist_graph_create_adjacent", "#000000", "o", ""),
                                        ("Iso_neighborhood_create", "#009E73", "D", ""),
                                        ("Iso_neighbor_alltoall_init", "#D55E00", "s", ", with its datatypes")):
        axes.plot(places, [SETUP_MS[row][key] for key in keys], mark, color=color, markerfacecolor="none", markersize=7,
                  label=f"paper, Jupiter: {row}{with_what}")
    axes.plot(places, [ours[key] for key in keys], "^", color="#0072B2", markersize=5,
              label="here: a rank's schedule, without datatypes")
    axes.set_yscale("log")
    axes.set_ylabel("time (ms)", fontsize=8)
    axes.set_xticks(places, [f"d={d}\nr={r}\ns={(2 * r + 1) ** d - 1}" for d, r in keys], fontsize=7)
    axes.tick_params(labelsize=7)
    axes.grid(True, axis="y", color="#dddddd", linewidth=0.6)
    axes.set_ylim(top=1e6)
    axes.legend(fontsize=7, ncols=2, loc="upper center")
    axes.set_title("What setting up a Moore neighborhood costs ([Traeff16], Table 2)", fontsize=10)
    canvas.supxlabel(f"Here: setup_wall_s of isomorphic-table-2.json, rondo {table['version'].iloc[0]}, one run on the machine that "
                     "drew this.", fontsize=6.5, color="#555555")
    return canvas


LIBRARIES = (("schedule", "rondo's schedules", "#0072B2"), ("mpich", "MPICH's choice", "#56B4E9"),
             ("ompi", "Open MPI's choice", "#009E73"), ("mvapich2", "MVAPICH2's choice", "#CC79A7"))


def library(scenario: dict) -> str:
    collective = scenario["collective"]
    return "schedule" if collective["building_blocks"] == "schedule" else collective["selector"]


def draw_libraries(folder: pathlib.Path):
    """[Kang19], Figure 4d-f at 4 MiB: root gathering over group allgather, by the library of their collectives."""
    table = records(folder / "kang-building-blocks.jsonl")
    table = table[table["block_bytes"] == 4 * MIB].copy()
    table["made of"] = [library(each) for each in table["expanded"]]
    table["senders"] = [at(each, "/collective/senders") for each in table["expanded"]]
    times = table.pivot_table(index=["senders", "made of"], columns="algorithm", values="time_s")
    factor = times["root_gathering"] / times["group_allgather"]
    canvas, axes = pyplot.subplots(figsize=(7.6, 3.8), layout="constrained")
    letters = "def"
    bars = [("paper, measured on Cori", "#D55E00", "//", [KANG[letter][2] for letter in letters])]
    bars += [(f"simulated: {label}", color, "", [factor.get((KANG[letter][0], key), float("nan")) for letter in letters])
             for key, label, color in LIBRARIES]
    for i, (label, color, hatch, values) in enumerate(bars):
        drawn = axes.bar([x + 0.16 * (i - 2) for x in range(3)], values, 0.15, label=label, color=color, hatch=hatch,
                         edgecolor="white")
        axes.bar_label(drawn, fmt="%.2g", fontsize=6.5)
    axes.axhline(1, color="#999999", linewidth=0.8)
    axes.set_xticks(range(3), [f"({c}) {KANG[c][0]} senders, {KANG[c][1]} receivers" for c in letters], fontsize=8)
    axes.set_ylabel("group allgather is faster than\nroot gathering, times", fontsize=8)
    axes.tick_params(axis="y", labelsize=7)
    axes.set_ylim(top=1.22 * axes.get_ylim()[1])
    axes.legend(fontsize=7, ncols=3, loc="upper center")
    axes.set_title("Inter-group broadcast of 4 MiB blocks by whose collectives ([Kang19], Figure 4d-f)", fontsize=10)
    canvas.supxlabel(f"Simulated by rondo {table['version'].iloc[0]}, engine smpi, from kang-building-blocks.json: SMPI takes the "
                     "algorithms that each library would.", fontsize=6.5, color="#555555")
    return canvas


BARS = {"isomorphic-table-2": draw_setup_times, "kang-building-blocks": draw_libraries}
