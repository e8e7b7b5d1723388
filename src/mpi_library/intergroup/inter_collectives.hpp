#pragma once

// Collectives of an inter-communicator as requests, for their blocking, non-blocking and persistent forms: those of the
// bipartite graph that it is [Traeff21, Section 2], a message between each two ranks of different groups.

#include <mpi.h>

#include <memory>

#include "mpi_library/graph/neighbor_request.hpp"
#include "mpi_library/graph/sparse_collectives.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"

namespace rondo::mpi {

/// `make` makes the request of a rank whom the root concerns, from the root's rank in `both`. Throws MpiFailure.
template <typename Make>
std::unique_ptr<NeighborRequest> rooted_request(InterComm const& inter, int root, Make const& make) {
  InterRoot const found = root_of(inter, root);
  return found.concerned ? make(found.rank) : sparse_nothing(inter.both);
}

/// As MPI_Reduce_scatter. What is wrong is reported when it is complete, so that nobody waits for this rank in vain:
/// MPI_ERR_ARG for a list that is missing, MPI_ERR_COUNT for one with a negative number or a sum that no int holds.
std::unique_ptr<NeighborRequest> make_reduce_scatter(InterComm const& inter, void const* sent, void* received,
                                                     int const counts[], MPI_Datatype type, MPI_Op op);

}  // namespace rondo::mpi
