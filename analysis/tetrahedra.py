#!/usr/bin/env python3
"""Prints the neighbors among the parts of a mesh of tetrahedra, as a list of edges for the graph kind "edges":

    analysis/tetrahedra.py PARTS ELEMENTS > edges.txt

A cube is cut into small cubes, and each of these into six tetrahedra around its diagonal (Kuhn). A part has about
ELEMENTS tetrahedra. Recursive bisection cuts the mesh into halves, each time across the longest axis of a half
[Ibanez15, Section 5.2]. A seeded random direction tilts each cut. Two parts are neighbors if tetrahedra of both share a
vertex.
"""

import itertools
import random
import sys


def elements_of(side):
    """The tetrahedra of a cube of side^3 small cubes. A tetrahedron has four vertices."""
    ways = list(itertools.permutations(range(3)))
    for corner in itertools.product(range(side), repeat=3):
        for way in ways:
            place, vertices = list(corner), [corner]
            for axis in way:
                place[axis] += 1
                vertices.append(tuple(place))
            yield vertices


def parts_of(points, parts, draw):
    """The part of each point. Sets of points are cut into halves across the longest axis, tilted a little, until each
    set is one part."""
    result = [0] * len(points)

    def cut(members, first, number):
        if number == 1:
            for member in members:
                result[member] = first
            return
        spans = [max(points[m][axis] for m in members) - min(points[m][axis] for m in members) for axis in range(3)]
        normal = [draw.uniform(-0.2, 0.2) for _ in range(3)]
        normal[spans.index(max(spans))] = 1
        members.sort(key=lambda m: (sum(n * c for n, c in zip(normal, points[m])), m))
        half = number // 2
        middle = len(members) * half // number
        cut(members[:middle], first, half)
        cut(members[middle:], first + half, number - half)

    cut(list(range(len(points))), 0, parts)
    return result


def neighbors(parts, elements):
    draw = random.Random(51)
    side = max(1, round((parts * elements / 6) ** (1 / 3)))
    mesh = list(elements_of(side))
    part = parts_of([[sum(v[axis] for v in vertices) / 4 for axis in range(3)] for vertices in mesh], parts, draw)
    at = {}
    for vertices, own in zip(mesh, part):
        for vertex in vertices:
            at.setdefault(vertex, set()).add(own)
    return sorted({pair for together in at.values() for pair in itertools.permutations(together, 2)})


if __name__ == "__main__":
    for source, target in neighbors(int(sys.argv[1]), int(sys.argv[2])):
        print(source, target)
