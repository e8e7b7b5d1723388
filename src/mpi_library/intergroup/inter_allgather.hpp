#pragma once

// The allgather of an inter-communicator, by the algorithms for inter-group all-to-all broadcast [Kang19].

#include "mpi_library/graph/sparse_collectives.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"

namespace rondo::mpi {

/// Collective over both groups: each rank gets the blocks of the remote group by the inter-group all-to-all broadcast
/// of [Kang19], first of one group, then of the other: by `group_allgather`, or as the environment's
/// RONDO_INTER_ALLGATHER says, `root_gathering`. All blocks of a group have one size. Throws MpiFailure at every rank
/// if one is wrong.
void inter_allgather(InterComm const& inter, Data const& sent, Data const& received);

}  // namespace rondo::mpi
