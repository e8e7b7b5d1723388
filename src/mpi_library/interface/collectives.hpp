#pragma once

// How functions/write.py's functions of include/rondo carry out collectives: on a graph, between two groups, or by the
// MPI library.

#include <mpi.h>

#include <functional>

#include "mpi_library/classical/calls.hpp"
#include "mpi_library/graph/neighbor_request.hpp"

namespace rondo::mpi {

/// Carries a collective out: on a graph or an inter-communicator by Rondo, otherwise by the MPI library's own function,
/// which returns a code.
int on_graph_or(CollectiveCall const& call, MPI_Comm comm, std::function<int()> const& library);

/// The calls of neighborhood collectives, made from the arguments of their functions without the communicator. A call
/// refers to these arguments.
/// The arguments of MPI's neighborhood collectives in one form; the overloads are for the v and w variants.
inline NeighborCall neighborhood(NeighborCollective kind, void const* sendbuf, int const& sendcount,
                                 MPI_Datatype const& sendtype, void* recvbuf, int const& recvcount,
                                 MPI_Datatype const& recvtype) {
  return {kind, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype)};
}
inline NeighborCall neighborhood(NeighborCollective kind, void const* sendbuf, int const& sendcount,
                                 MPI_Datatype const& sendtype, void* recvbuf, int const* recvcounts, int const* displs,
                                 MPI_Datatype const& recvtype) {
  return {kind, regular(sendbuf, sendcount, sendtype), irregular(recvbuf, recvcounts, nullptr, recvtype), nullptr,
          displs};
}
inline NeighborCall neighborhood(NeighborCollective kind, void const* sendbuf, int const* sendcounts,
                                 int const* sdispls, MPI_Datatype const& sendtype, void* recvbuf, int const* recvcounts,
                                 int const* rdispls, MPI_Datatype const& recvtype) {
  return {kind, irregular(sendbuf, sendcounts, nullptr, sendtype), irregular(recvbuf, recvcounts, nullptr, recvtype),
          sdispls, rdispls};
}
inline NeighborCall neighborhood(NeighborCollective kind, void const* sendbuf, int const* sendcounts,
                                 MPI_Aint const* sdispls, MPI_Datatype const* sendtypes, void* recvbuf,
                                 int const* recvcounts, MPI_Aint const* rdispls, MPI_Datatype const* recvtypes) {
  return {kind, typed(sendbuf, sendcounts, sdispls, sendtypes), typed(recvbuf, recvcounts, rdispls, recvtypes)};
}

/// The three forms of a neighborhood collective.
int run_neighborhood(NeighborCall const& call, MPI_Comm comm);
int begin_neighborhood(NeighborCall call, MPI_Comm comm, MPI_Request* request);
int init_neighborhood(NeighborCall call, MPI_Comm comm, MPI_Request* request);

}  // namespace rondo::mpi
