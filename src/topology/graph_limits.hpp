#pragma once

// What a process graph takes is known before it is made. Each throws InputError where the generator of the same name
// would fail, or take hours, and the generators call them first.

#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// At most Torus::most_ranks, and ProcessGraph::most_edges expected.
void expect_random_graph(int ranks, double density);
/// At most ProcessGraph::most_edges, which are exact here: each rank has the product of min(2*radius+1, extent), less
/// itself.
void expect_moore_graph(Torus const& torus, int radius);
/// At most ProcessGraph::most_edges: an offset is an edge of every rank. As many dimensions as the torus has.
void expect_offsets_graph(Torus const& torus, Neighborhood const& neighborhood);
/// At most ProcessGraph::most_edges expected.
void expect_geometric_graph(int ranks, double degree);

}  // namespace rondo
