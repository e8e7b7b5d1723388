#pragma once

// Whom each rank of a sparse exchange sends to. Targets are distinct and not the rank itself.

#include <cstdint>

#include "topology/process_graph.hpp"

namespace rondo {

/// `targets` others each, drawn uniformly with Random(seed), rank by rank. Throws InputError unless there are as many.
ProcessGraph random_targets(int ranks, int targets, std::uint64_t seed);

/// rank xor 2^i for every i; without the ranks that do not exist where `ranks` is no power of two.
ProcessGraph hypercube(int ranks);

/// 1 to `most` targets, t of them with a probability proportional to t^-exponent, each drawn uniformly from all others.
/// Throws InputError unless 1 <= most < ranks, or ranks = 1: a single rank has no targets.
ProcessGraph powerlaw(int ranks, double exponent, int most, std::uint64_t seed);

/// The graph's edges, each once, by source and target; self loops are kept.
ProcessGraph distinct(ProcessGraph const& graph);

}  // namespace rondo
