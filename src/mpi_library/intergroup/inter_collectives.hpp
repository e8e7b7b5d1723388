#pragma once

// Makes requests of collectives on two kinds of communicators: those whose ranks are neighbors in a graph, and
// inter-communicators. The two groups form a bipartite graph [Traeff21, Section 2]: each rank is a neighbor of all
// ranks of the other group. The allgather of an inter-communicator uses the algorithms for inter-group all-to-all
// broadcast [Kang19].

#include <mpi.h>

#include <memory>

#include "mpi_library/classical/collective_call.hpp"
#include "mpi_library/graph/neighbor_request.hpp"
#include "mpi_library/graph/sparse_collectives.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"

namespace rondo::mpi {

/// Makes the request of a collective on the graph of `home`. Throws MpiFailure with MPI_ERR_TOPOLOGY for a scan or a
/// reduce-scatter, which have no meaning on graphs.
std::unique_ptr<NeighborRequest> request_on_graph(std::shared_ptr<AttachedTopology> const& home,
                                                  CollectiveCall const& call, NeighborForm form);

/// Makes the request of a collective between two groups. In a rooted collective, the ranks beside the root in its own
/// group get a request without messages. Throws MpiFailure with MPI_ERR_TOPOLOGY for a scan.
std::unique_ptr<NeighborRequest> request_between_groups(InterComm const& inter, CollectiveCall const& call,
                                                        NeighborForm form);

/// Carries out a blocking collective between two groups. Throws MpiFailure.
void carry_out_between_groups(InterComm const& inter, CollectiveCall const& call);

}  // namespace rondo::mpi
