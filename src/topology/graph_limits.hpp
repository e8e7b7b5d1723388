#pragma once

// Checks of the size of a process graph before it is made. Each function throws InputError if the generator of the same
// name would fail, or take hours. The generators call them first.

#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// A density from 0 to 1, at most Torus::most_ranks ranks, and an expected number of at most ProcessGraph::most_edges
/// edges.
void expect_random_graph(int ranks, double density);
/// A radius from 0 to Neighborhood::largest_coordinate, and at most ProcessGraph::most_edges edges. Their number is
/// exact: each rank has the product of min(2*radius+1, extent)
/// over the dimensions, less 1 for itself.
void expect_moore_graph(Torus const& torus, int radius);
/// At most ProcessGraph::most_edges edges: each offset is an edge of every rank. The numbers of dimensions must agree.
void expect_offsets_graph(Torus const& torus, Neighborhood const& neighborhood);
/// An expected number of at most ProcessGraph::most_edges edges.
void expect_geometric_graph(int ranks, double degree);

}  // namespace rondo
