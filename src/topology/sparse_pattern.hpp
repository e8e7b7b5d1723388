#pragma once

// Patterns of sparse exchanges: the targets of each rank. The targets that a generator makes are distinct and exclude
// the rank itself.

#include <cstdint>

#include "topology/process_graph.hpp"

namespace rondo {

/// Each rank has `targets` others, drawn uniformly with Random(seed), rank by rank. Throws InputError if there are not
/// enough.
ProcessGraph random_targets(int ranks, int targets, std::uint64_t seed);

/// The targets are rank xor 2^i for every i. If `ranks` is no power of two, ranks that do not exist are left out.
ProcessGraph hypercube(int ranks);

/// Each rank has 1 to `most` targets: t of them with a probability proportional to t^-exponent, drawn uniformly from
/// all others. Throws InputError unless 1 <= most < ranks, or ranks = 1, because a single rank has no targets.
ProcessGraph powerlaw(int ranks, double exponent, int most, std::uint64_t seed);

/// The edges of the graph, each once, sorted by source and target. Self loops are kept.
ProcessGraph distinct(ProcessGraph const& graph);

}  // namespace rondo
