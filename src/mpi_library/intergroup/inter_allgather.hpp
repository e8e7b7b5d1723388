#pragma once

// The allgather of an inter-communicator, by the algorithms for inter-group all-to-all broadcast [Kang19].

#include "mpi_library/graph/sparse_collectives.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"

namespace rondo::mpi {

/// Collective over both groups. Each rank gets the blocks of all ranks of the remote group, in their order. The blocks
/// go by the inter-group all-to-all broadcast of [Kang19]: first from the group that has the lowest rank in
/// MPI_COMM_WORLD to the other one, then back. The algorithm is `group_allgather`, or the one that the environment's
/// RONDO_INTER_ALLGATHER names, such as `root_gathering`. All blocks of a group must have one size. Throws MpiFailure
/// at every rank if a rank has wrong arguments or more bytes than an int can count.
void inter_allgather(InterComm const& inter, Data const& sent, Data const& received);

}  // namespace rondo::mpi
