// The C interface of the collectives whose meaning follows the communicator: on a graph ours, else the MPI library's.

#include "mpi/rondo_collectives.h"

#include <vector>

#include "mpi/guarded.hpp"
#include "mpi/neighbor_request.hpp"
#include "mpi/sparse_collectives.hpp"

namespace {

using namespace rondo::mpi;

/// Either meaning; `otherwise` returns a code.
template <typename OnGraph, typename Otherwise>
int either(MPI_Comm comm, OnGraph const& on_graph, Otherwise const& otherwise) {
  return guarded([&] {
    if (auto const home = graph_of(comm))
      on_graph(home);
    else
      check(otherwise());
  });
}

template <typename Otherwise>
int undefined_on_graphs(MPI_Comm comm, Otherwise const& otherwise) {
  return either(
      comm, [](auto const&) { throw MpiFailure(MPI_ERR_TOPOLOGY); }, otherwise);
}

/// MPI's own has displacements that are ints.
int alltoallw(void* sendbuf, int* sendcounts, MPI_Aint const* senddispls, MPI_Datatype* sendtypes, void* recvbuf,
              int* recvcounts, MPI_Aint const* recvdispls, MPI_Datatype* recvtypes, MPI_Comm comm) {
  int ranks = 0;
  check(MPI_Comm_size(comm, &ranks));
  std::vector<int> const from(senddispls, senddispls + ranks), into(recvdispls, recvdispls + ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    auto const i = static_cast<std::size_t>(rank);
    if (from[i] != senddispls[i] || into[i] != recvdispls[i]) return MPI_ERR_ARG;
  }
  return MPI_Alltoallw(sendbuf, sendcounts, from.data(), sendtypes, recvbuf, recvcounts, into.data(), recvtypes, comm);
}

int allgatherw_on_graph(Data const& sent, void* recvbuf, int const* recvcounts, MPI_Aint const* recvdispls,
                        MPI_Datatype const* recvtypes, MPI_Comm comm) {
  return guarded([&] {
    NeighborCall const call{NeighborCall::Kind::allgather,
                            {sent.buffer, 1, &sent.count, nullptr, &sent.type},
                            {recvbuf, 0, recvcounts, recvdispls, recvtypes, Blocks::Displaced::by_bytes,
                             Blocks::Given::for_each, Blocks::Given::for_each}};
    auto const request = make_request(comm, call);
    request->start();
    request->wait();
  });
}

}  // namespace

int Barrier(MPI_Comm comm) {
  return either(
      comm, [](auto const& home) { sparse_barrier(home); }, [&] { return MPI_Barrier(comm); });
}

int Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        sparse_bcast(home, {buffer, count, datatype}, root);
      },
      [&] { return MPI_Bcast(buffer, count, datatype, root, comm); });
}

int Gather(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
           int root, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        sparse_gather(home, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, nullptr, nullptr, recvtype}, root);
      },
      [&] { return MPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm); });
}

int Gatherv(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[], int recvdispls[],
            MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        sparse_gather(home, {sendbuf, sendcount, sendtype}, {recvbuf, 0, recvcounts, recvdispls, recvtype}, root);
      },
      [&] { return MPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdispls, recvtype, root, comm); });
}

int Scatter(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
            int root, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        sparse_scatter(home, {sendbuf, sendcount, nullptr, nullptr, sendtype}, {recvbuf, recvcount, recvtype}, root);
      },
      [&] { return MPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm); });
}

int Scatterv(void* sendbuf, int sendcounts[], int senddispls[], MPI_Datatype sendtype, void* recvbuf, int recvcount,
             MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        sparse_scatter(home, {sendbuf, 0, sendcounts, senddispls, sendtype}, {recvbuf, recvcount, recvtype}, root);
      },
      [&] {
        return MPI_Scatterv(sendbuf, sendcounts, senddispls, sendtype, recvbuf, recvcount, recvtype, root, comm);
      });
}

int Allgather(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
              MPI_Comm comm) {
  return either(
      comm,
      [&](auto const&) {
        check(Rondo_Neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
      },
      [&] { return MPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int Allgatherv(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[], int recvdispls[],
               MPI_Datatype recvtype, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const&) {
        check(Rondo_Neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdispls, recvtype, comm));
      },
      [&] { return MPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdispls, recvtype, comm); });
}

int Allgatherw(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[],
               MPI_Aint recvdispls[], MPI_Datatype recvtypes[], MPI_Comm comm) {
  return either(
      comm,
      [&](auto const&) {
        check(allgatherw_on_graph({sendbuf, sendcount, sendtype}, recvbuf, recvcounts, recvdispls, recvtypes, comm));
      },
      [] { return MPI_ERR_COMM; });
}

int Alltoall(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
             MPI_Comm comm) {
  return either(
      comm,
      [&](auto const&) {
        check(Rondo_Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
      },
      [&] { return MPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int Alltoallv(void* sendbuf, int sendcounts[], int senddispls[], MPI_Datatype sendtype, void* recvbuf, int recvcounts[],
              int recvdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const&) {
        check(Rondo_Neighbor_alltoallv(sendbuf, sendcounts, senddispls, sendtype, recvbuf, recvcounts, recvdispls,
                                       recvtype, comm));
      },
      [&] {
        return MPI_Alltoallv(sendbuf, sendcounts, senddispls, sendtype, recvbuf, recvcounts, recvdispls, recvtype,
                             comm);
      });
}

int Alltoallw(void* sendbuf, int sendcounts[], MPI_Aint senddispls[], MPI_Datatype sendtypes[], void* recvbuf,
              int recvcounts[], MPI_Aint recvdispls[], MPI_Datatype recvtypes[], MPI_Comm comm) {
  return either(
      comm,
      [&](auto const&) {
        check(Rondo_Neighbor_alltoallw(sendbuf, sendcounts, senddispls, sendtypes, recvbuf, recvcounts, recvdispls,
                                       recvtypes, comm));
      },
      [&] {
        return alltoallw(sendbuf, sendcounts, senddispls, sendtypes, recvbuf, recvcounts, recvdispls, recvtypes, comm);
      });
}

int Reduce(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        sparse_reduce(home, {sendbuf, count, datatype}, recvbuf, op, root);
      },
      [&] { return MPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm); });
}

int Allreduce(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        sparse_allreduce(home, {sendbuf, count, datatype}, recvbuf, op);
      },
      [&] { return MPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
}

int Reduce_scatter(void* sendbuf, void* recvbuf, int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return undefined_on_graphs(comm,
                             [&] { return MPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm); });
}

int Reduce_scatter_block(void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return undefined_on_graphs(comm,
                             [&] { return MPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm); });
}

int Scan(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return undefined_on_graphs(comm, [&] { return MPI_Scan(sendbuf, recvbuf, count, datatype, op, comm); });
}

int Exscan(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return undefined_on_graphs(comm, [&] { return MPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm); });
}
