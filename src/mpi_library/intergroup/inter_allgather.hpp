#pragma once

// The allgather of an inter-communicator, by the algorithms for inter-group all-to-all broadcast [Kang19].

#include "mpi_library/graph/sparse_collectives.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"

namespace rondo::mpi {

/// Collective over both groups. Each rank gets the blocks of the remote group by the inter-group all-to-all broadcast
/// of [Kang19], first those of one group, then those of the other. The algorithm is `group_allgather`, or
/// `root_gathering` if the environment's RONDO_INTER_ALLGATHER says so. All blocks of a group must have one size.
/// Throws MpiFailure at every rank if one rank is wrong.
void inter_allgather(InterComm const& inter, Data const& sent, Data const& received);

}  // namespace rondo::mpi
