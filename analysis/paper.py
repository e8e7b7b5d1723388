"""The figures of the papers, and the numbers that the text of the papers states about them.

The papers measured times on machines that no longer exist, and plot them without numbers. The numbers in the text can
be compared: factors, and block sizes at which one algorithm becomes faster than another. No number here is read off a
plot.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Factor:
    """A speed-up that the paper states, at one place of the x axis, or for the whole panel (None)."""

    value: float
    says: str
    at: float | None = None


@dataclass(frozen=True)
class Place:
    """A place of the x axis that the paper states."""

    at: float
    says: str


@dataclass(frozen=True)
class Panel:
    """A part of a figure: the results of a scenario, or of its points with the values `where` (JSON pointer: value)."""

    results: str
    label: str
    where: dict = field(default_factory=dict)
    slow: str = ""  # the speed-up drawn is time(slow) / time(fast); empty: none
    fast: str = ""
    paper: tuple = ()


@dataclass(frozen=True)
class Figure:
    name: str
    title: str
    source: str
    panels: tuple
    series: tuple = ("/algorithm",)  # pointers whose values name a line
    x: str = "block_bytes"  # a key of AXES
    y: str = "time_s"


AXES = {
    "block_bytes": "block m",
    "p": "ranks p",
    "/collective/graph/density": "density of the graph",
    "neighbors": "neighbors of a rank",
}
TIMES = {"time_s": "simulated time", "setup_time_s": "simulated time to find the pattern"}


def rounds(neighbors: int, combined: int, says: str) -> tuple:
    """The factor of the model for small blocks, which the paper's text states for radius 1."""
    return (Factor(neighbors / combined, f"{says} {neighbors}/{combined}"),)


def moore(letter: str, neighbors: int, combined: int, label: str,
          says: str = "paper: close to s/2d for small blocks:") -> Panel:
    return Panel(f"isomorphic-figure-2{letter}", f"({letter}) {label}, s = {neighbors}", slow="posted", fast="torus",
                 paper=rounds(neighbors, combined, says))


MIB = 1 << 20
KANG = {  # [Kang19, Section V]: senders, receivers, improvement at 4 MB by the letters of Figure 4
    "a": (512, 512, 1.8), "b": (256, 768, 2.0), "c": (768, 256, 1.2),
    "d": (128, 128, 5.3), "e": (64, 192, 5.1), "f": (192, 64, 4.4),
    "g": (512, 512, 1.7), "h": (256, 768, 1.9), "i": (768, 256, 1.8),
    "j": (128, 128, 1.9), "k": (64, 192, 1.9), "l": (192, 64, 1.4),
}

def less_time(percent: float, says: str, at: float | None = None) -> tuple:
    return (Factor(1 / (1 - percent / 100), f"paper: {says}", at),)


SETUP_MS = {  # [Traeff16, Table 2]: milliseconds by dimensions and radius; alltoall_init with its derived datatypes
    "MPI_Dist_graph_create": {(2, 1): 27.00, (2, 2): 95.78, (2, 3): 158.38, (3, 1): 130.75, (3, 2): 489.86, (3, 3): 939.38,
                              (4, 1): 6.17, (4, 2): 233.13, (4, 3): 337.32, (5, 1): 7.42, (5, 2): 28.65, (5, 3): 42.22},
    "Iso_neighborhood_create": {(2, 1): 0.02, (2, 2): 0.01, (2, 3): 0.02, (3, 1): 0.02, (3, 2): 0.05, (3, 3): 0.14,
                                (4, 1): 0.04, (4, 2): 0.28, (4, 3): 1.06, (5, 1): 0.11, (5, 2): 1.48, (5, 3): 8.13},
    "MPI_Dist_graph_create_adjacent": {(2, 1): 0.20, (2, 2): 0.14, (2, 3): 0.16, (3, 1): 0.13, (3, 2): 0.16, (3, 3): 0.23,
                                       (4, 1): 0.17, (4, 2): 0.37, (4, 3): 1.04, (5, 1): 0.25, (5, 2): 1.48, (5, 3): 7.34},
    "Iso_neighbor_alltoall_init": {(2, 1): 0.10, (2, 2): 0.05, (2, 3): 0.06, (3, 1): 0.03, (3, 2): 0.10, (3, 3): 0.37,
                                   (4, 1): 0.06, (4, 2): 0.42, (4, 3): 2.94, (5, 1): 0.15, (5, 2): 2.82, (5, 3): 25.02},
}


def kang(letter: str, results: str, slow: str, fast: str) -> Panel:
    senders, receivers, factor = KANG[letter]
    return Panel(results, f"({letter}) {senders} senders, {receivers} receivers",
                 {"/collective/senders": senders, "/collective/receivers": receivers}, slow, fast,
                 (Factor(factor, f"paper, measured at 4 MiB: {factor}", 4 * MIB),))


FIGURES = (
    Figure("isomorphic-figure-2", "All-to-all on Moore neighborhoods, 480 processes of Jupiter",
           "[Traeff16], Figure 2", (
               moore("a", 8, 4, "d = 2, r = 1"), moore("b", 26, 6, "d = 3, r = 1"), moore("c", 80, 8, "d = 4, r = 1"),
               moore("d", 242, 10, "d = 5, r = 1"), moore("e", 342, 18, "d = 3, r = 3", "s/D (the paper's s/2d is that of r = 1):"),
               moore("f", 63, 9, "octant, d = 3, r = 3", "s/D (not in the paper):"))),
    Figure("isomorphic-figure-3", "Irregular all-to-all: a block of m^(d-l1) bytes for each neighbor, 480 processes of Jupiter",
           "[Traeff16], Figure 3", (
               Panel("isomorphic-figure-3a", "(a) d = 3, r = 1, s = 26", slow="posted", fast="torus"),
               Panel("isomorphic-figure-3b", "(b) d = 4, r = 1, s = 80", slow="posted", fast="torus"))),
    Figure("isomorphic-figure-4", "Direct routing against hops along the torus, 480 processes of Jupiter",
           "[Traeff16], Figure 4", (
               Panel("isomorphic-figure-4a", "(a) Moore, d = 3, r = 3, s = 342", slow="straightforward", fast="torus"),
               Panel("isomorphic-figure-4b", "(b) shales 3 and 7, s = 1396", slow="straightforward", fast="torus",
                     paper=(Place(500, "paper: torus becomes slower than straightforward at 500 B"),)))),
    Figure("isomorphic-figure-5", "Allgather against all-to-all, 480 processes of Jupiter", "[Traeff16], Figure 5", (
        Panel("isomorphic-figure-5a", "(a) Moore, d = 3, r = 3, s = 342", slow="allgather posted", fast="allgather torus",
              paper=(Factor(5, "paper: 80 % less time"),)),
        *(Panel("isomorphic-figure-5b", f"(b) octant, d = 3, r = 3, s = 63, {label}", {"/collective/dimension_order": order},
                "alltoall torus", "allgather torus", (Factor(3, "paper: three times faster up to 40 kB"),))
          for order, label in (("given", "as given"), ([2, 1, 0], "last first")))),
           series=("/collective/kind", "/algorithm")),
    Figure("isomorphic-figure-6", "All-to-all among 342 neighbors on VSC-3", "[Traeff16], Figure 6", (
        Panel("isomorphic-figure-6a", "(a) 70 x 1 processes", slow="straightforward", fast="direct",
              paper=(Place(512, "paper: torus and direct beat straightforward below 512 B"),)),
        Panel("isomorphic-figure-6b", "(b) 70 x 16 processes", {"/machine/ranks_per_host": 16}, "straightforward", "direct"))),
    Figure("isomorphic-figure-7-8", "All-to-all on VSC-3, 70 x 16 processes, and on ARCHER, 500 x 24 processes",
           "[Traeff16], Figures 7 and 8", (
               Panel("isomorphic-figure-7", "7: VSC-3, s = 242", slow="straightforward", fast="torus"),
               Panel("isomorphic-figure-8a", "8(a) ARCHER, s = 80", slow="straightforward", fast="torus"),
               Panel("isomorphic-figure-8b", "8(b) ARCHER, s = 242", slow="straightforward", fast="torus"))),
    Figure("kang-figure-4a-f", "Inter-group all-to-all broadcast on a dragonfly, 1024 and 256 processes",
           "[Kang19], Figure 4a-f", tuple(
               [kang(letter, "kang-figure-4abc", "root_gathering", "group_allgather") for letter in "abc"] +
               [kang(letter, "kang-figure-4def", "root_gathering", "group_allgather") for letter in "def"])),
    Figure("kang-figure-4g-l", "Inter-group all-to-all broadcast on a ring, 1024 and 256 processes",
           "[Kang19], Figure 4g-l", tuple(
               [kang(letter, "kang-figure-4ghi", "ring_allgather", "ring_sequences") for letter in "ghi"] +
               [kang(letter, "kang-figure-4jkl", "ring_allgather", "ring_sequences") for letter in "jkl"])),
    Figure("common-neighbors-figure-2", "Neighbor allgather on random graphs of 4096 ranks, 4 B",
           "[Mirsadeghi17], Figure 2 and Section VI-A", (
               Panel("common-neighbors-figure-2", "persistent", {}, "naive", "common_neighbors",
                     less_time(50, "about 50 % less time at 0.05", 0.05) + less_time(71, "71 % at 0.2", 0.2)),),
           x="/collective/graph/density"),
    Figure("common-neighbors-figure-3", "Neighbor allgather on random graphs of 4096 ranks",
           "[Mirsadeghi17], Figure 3 and Section VI-A", tuple(
               Panel("common-neighbors-figure-3", f"density {density}", {"/collective/graph/density": density}, "naive",
                     "common_neighbors", paper)
               for density, paper in ((0.05, less_time(36, "36 % less time at 1 KiB", 1024)), (0.1, ()),
                                      (0.2, less_time(71, "71 % less time at 4 B", 4))))),
    Figure("common-neighbors-figure-4", "Neighbor allgather on Moore neighborhoods of 8192 ranks, 4 B",
           "[Mirsadeghi17], Figure 4 and Section VI-B", (
               Panel("common-neighbors-figure-4", "linear model", {}, "naive", "common_neighbors",
                     less_time(43, "at least 43 % less time, but for 8 neighbors")),
               Panel("common-neighbors-figure-4-loggp", "LogGP", {}, "naive", "common_neighbors",
                     less_time(43, "at least 43 % less time, but for 8 neighbors"))),
           x="neighbors"),
    Figure("common-neighbors-figure-5", "Neighbor allgather on Moore neighborhoods of 8192 ranks",
           "[Mirsadeghi17], Figure 5 and Section VI-B", tuple(
               Panel("common-neighbors-figure-5", f"D = {len(torus)}, R = 2", {"/collective/graph/torus": torus}, "naive",
                     "common_neighbors", paper)
               for torus, paper in (([64, 128], less_time(40, "mostly around 40 % less time")), ([16, 16, 32], ()),
                                    ([8, 8, 8, 16], less_time(65, "more than 65 % less time"))))),
    Figure("common-neighbors-figure-6-7", "What it takes the ranks to find the pattern", "[Mirsadeghi17], Figures 6 and 7", (
        Panel("common-neighbors-figure-6", "6: random graphs"), Panel("common-neighbors-figure-7", "7: Moore neighborhoods")),
           series=("/collective/graph/kind", "/collective/graph/density", "/collective/graph/radius"), x="p",
           y="setup_time_s"),
    Figure("sparse-exchange-figure-5", "Dynamic sparse exchange, weak scaling", "[Ibanez15], Figures 5.1 and 5.2", (
        Panel("sparse-exchange-figure-5-1", "5.1: coloring", slow="personalized", fast="nbx"),
        Panel("sparse-exchange-figure-5-2", "5.2: bisection", slow="personalized", fast="nbx")), x="p"),
)
