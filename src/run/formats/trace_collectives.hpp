#pragma once

// The collectives of Chakra traces as the messages of Rondo's schedules. The nodes of a collective meet by their place
// among those of one process group, which is the order of the files on every rank.

#include <string>

#include "foreign/chakra.hpp"
#include "problem/custom.hpp"

namespace rondo {

/// The graph with a schedule in the place of each collective: an empty calculation, the rank's tasks of the schedule,
/// and another empty calculation, which what waits for the node waits for. The bytes of a node are those of ASTRA-sim:
/// the vector of a rank for an all-reduce, a reduce-scatter, an all-to-all and a scatter, a rank's block for an
/// all-gather and a gather. Roots are the first ranks of groups. Process groups are those that the traces name, or else
/// those of NAME.groups.json beside NAME.0.et, {"0": [0, 1], ...}. Throws InputError that names the trace and the node.
TaskGraph with_collectives(TaskGraph graph, chakra::Collectives const& collectives, std::string const& file,
                           problem::CollectiveAlgorithms const& algorithms);

}  // namespace rondo
