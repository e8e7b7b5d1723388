#pragma once

// Finds, by messages between the ranks, with which of its friends each rank combines its messages [Mirsadeghi17]. No
// rank needs to know the whole graph.

#include <mpi.h>

#include "mpi/setup/local_pattern.hpp"

namespace rondo::mpi {

/// The communication pattern of [Mirsadeghi17, Algorithms 1 and 2], corrected as in generate/common_neighbors.hpp, and
/// found by the ranks themselves. Each rank knows only its own targets and sources, as for
/// MPI_Dist_graph_create_adjacent, and learns the rest by messages. Parallel edges count once, self loops not at all.
/// All ranks of `comm` must call it with the same options and with lists that fit together, and no other message may be
/// under way between them. Lists of sources are received one at a time, all other messages of a step at once. Throws
/// InputError if theta < 2, ContractViolation if there are more iterations than the bound that proves their end, and
/// MpiFailure.
LocalPattern common_neighbors(std::vector<Rank> targets, std::vector<Rank> sources,
                              problem::CommonNeighbors const& options, MPI_Comm comm);

}  // namespace rondo::mpi
