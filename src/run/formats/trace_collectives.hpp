#pragma once

// Replaces the collectives of Chakra traces by the messages of Rondo's schedules. Nodes of different ranks belong to
// one collective if they have the same place among the nodes of their process group, in the order of the files.

#include <string>

#include "foreign/chakra.hpp"
#include "problem/promise.hpp"

namespace rondo {

/// The graph with a schedule in the place of each collective: an empty calculation, the rank's tasks of the schedule,
/// and another empty calculation, for which everything waits that waited for the node. The bytes of a node have the
/// meaning of ASTRA-sim: the vector of a rank for an all-reduce, a reduce-scatter, an all-to-all and a scatter, and a
/// rank's block for an all-gather and a gather. The root is the first rank of its group. The traces name the process
/// groups; otherwise NAME.groups.json beside NAME.0.et does, as {"0": [0, 1], ...}. Throws InputError with the trace
/// and the node.
TaskGraph with_collectives(TaskGraph graph, chakra::Collectives const& collectives, std::string const& file,
                           problem::CollectiveAlgorithms const& algorithms);

}  // namespace rondo
