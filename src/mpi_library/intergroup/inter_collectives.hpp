#pragma once

// Collectives as requests, on communicators whose ranks are neighbors in a graph, and on inter-communicators. Two
// groups form a bipartite graph [Traeff21, Section 2], in which a message passes between any two ranks of different
// groups.

#include <mpi.h>

#include <memory>

#include "mpi_library/classical/collective_call.hpp"
#include "mpi_library/graph/neighbor_request.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"

namespace rondo::mpi {

/// The request of a collective between neighbors. Throws MpiFailure with MPI_ERR_TOPOLOGY for a scan or a
/// reduce-scatter, which have no meaning on graphs.
std::unique_ptr<NeighborRequest> request_on_graph(std::shared_ptr<AttachedTopology> const& home,
                                                  CollectiveCall const& call, NeighborForm form);

/// The request of a collective between two groups. If the root does not concern a rank, it gets a request without
/// messages. Throws MpiFailure with MPI_ERR_TOPOLOGY for a scan.
std::unique_ptr<NeighborRequest> request_between_groups(InterComm const& inter, CollectiveCall const& call,
                                                        NeighborForm form);

/// Carries the collective out between two groups, at once. Throws MpiFailure.
void carry_out_between_groups(InterComm const& inter, CollectiveCall const& call);

}  // namespace rondo::mpi
