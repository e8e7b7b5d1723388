// The C interface of the collectives whose meaning depends on the communicator: on a graph Rondo's, otherwise those
// of the MPI library.

#include "mpi_library/interface/collectives.hpp"

#include <utility>
#include <vector>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "mpi_library/graph/sparse_collectives.hpp"
#include "mpi_library/intergroup/inter_collectives.hpp"
#include "rondo/collectives.h"

namespace rondo::mpi {

/// Carries a blocking collective out between groups, on a graph, or by the MPI library.
int on_graph_or(CollectiveCall const& call, MPI_Comm comm, std::function<int()> const& library) {
  return guarded([&] {
    if (auto const inter = inter_comm(comm)) return carry_out_between_groups(*inter, call);
    if (auto const home = graph_of(comm)) return carry_out(*request_on_graph(home, call, NeighborForm::blocking));
    check(library());
  });
}

int run_neighborhood(NeighborCall const& call, MPI_Comm comm) {
  return guarded([&] { carry_out(*make_request(comm, call)); });
}

int begin_neighborhood(NeighborCall call, MPI_Comm comm, MPI_Request* request) {
  return guarded([&] {
    call.form = NeighborForm::non_blocking;
    auto made = make_request(comm, call);
    if (request == nullptr) {
      // The other ranks wait for the data of this rank.
      carry_out(*made);
      throw MpiFailure(MPI_ERR_ARG);
    }
    *request = make_handle(std::move(made), Lifetime::once);
  });
}

int init_neighborhood(NeighborCall call, MPI_Comm comm, MPI_Request* request) {
  return guarded([&] {
    call.form = NeighborForm::persistent;
    // The request is made even if it cannot be kept, because the other ranks may wait to agree.
    auto made = make_request(comm, call);
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = make_handle(std::move(made), Lifetime::persistent);
  });
}

namespace {

/// MPI's own function takes displacements of type int.
int alltoallw(void* sendbuf, int* sendcounts, MPI_Aint const* senddispls, MPI_Datatype* sendtypes, void* recvbuf,
              int* recvcounts, MPI_Aint const* recvdispls, MPI_Datatype* recvtypes, MPI_Comm comm) {
  int const ranks = size_of(comm);
  std::vector<int> const from(senddispls, senddispls + ranks), into(recvdispls, recvdispls + ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    auto const i = static_cast<std::size_t>(rank);
    if (from[i] != senddispls[i] || into[i] != recvdispls[i]) return MPI_ERR_ARG;
  }
  return MPI_Alltoallw(sendbuf, sendcounts, from.data(), sendtypes, recvbuf, recvcounts, into.data(), recvtypes, comm);
}

/// The topology between whose neighbors a collective takes place; null if it is the library's.
std::shared_ptr<AttachedTopology> sparse_home(MPI_Comm comm) {
  auto const inter = inter_comm(comm);
  return inter != nullptr ? inter->both : graph_of(comm);
}

/// A collective in which each block has a type, on a graph or by the library.
template <typename Otherwise>
int with_types(MPI_Comm comm, NeighborCall const& call, Otherwise const& otherwise) {
  return guarded([&] {
    if (auto const home = sparse_home(comm)) return carry_out(*make_request(home, call));
    check(otherwise());
  });
}

}  // namespace
}  // namespace rondo::mpi

using namespace rondo::mpi;

int Rondo_Allgatherw(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[],
                     MPI_Aint recvdispls[], MPI_Datatype recvtypes[], MPI_Comm comm) {
  return with_types(comm,
                    {NeighborCall::Kind::allgather, regular(sendbuf, sendcount, sendtype),
                     typed(recvbuf, recvcounts, recvdispls, recvtypes)},
                    [] { return MPI_ERR_COMM; });
}

int Rondo_Alltoallw(void* sendbuf, int sendcounts[], MPI_Aint senddispls[], MPI_Datatype sendtypes[], void* recvbuf,
                    int recvcounts[], MPI_Aint recvdispls[], MPI_Datatype recvtypes[], MPI_Comm comm) {
  return with_types(comm,
                    {NeighborCall::Kind::alltoall, typed(sendbuf, sendcounts, senddispls, sendtypes),
                     typed(recvbuf, recvcounts, recvdispls, recvtypes)},
                    [&] {
                      return alltoallw(sendbuf, sendcounts, senddispls, sendtypes, recvbuf, recvcounts, recvdispls,
                                       recvtypes, comm);
                    });
}
