#pragma once

// What the files of neighborhood collectives share.

#include <vector>

#include "scenario/scenario.hpp"
#include "theory/neighbor.hpp"
#include "topology/graph_text.hpp"

namespace rondo {

/// The graph of a problem, made from the seed where it is random.
WeightedGraph graph_of(scenario::NeighborPattern const& pattern, scenario::Scenario const& scenario);

/// The sizes that /collective/block_sizes gives the blocks, one a rank or an edge; empty: every block takes m.
/// Throws InputError, which names the place.
std::vector<Bytes> neighbor_sizes(scenario::NeighborPattern const& pattern, WeightedGraph const& on,
                                  theory::NeighborBlock kind, Bytes block);

/// A size that an expression gave, as in "for rank 3". Throws InputError unless it is a whole number of bytes.
Bytes size_from(double number, std::string const& whose);

}  // namespace rondo
