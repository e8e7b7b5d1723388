// The C interface of the collectives whose meaning follows the communicator: on a graph ours, else the MPI library's.

#include "rondo/collectives.h"

#include <vector>

#include "mpi_library/calls/communicator_kind.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/neighbor_request.hpp"
#include "mpi_library/graph/sparse_collectives.hpp"
#include "mpi_library/intergroup/inter_allgather.hpp"
#include "mpi_library/intergroup/inter_collectives.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"

namespace {

using namespace rondo::mpi;

/// The topology whose neighbors a collective is between, or null: then it is the library's.
std::shared_ptr<CarriedTopology> sparse_home(MPI_Comm comm) {
  auto const inter = inter_comm(comm);
  return inter != nullptr ? inter->both : graph_of(comm);
}

/// Either meaning; `otherwise` returns a code.
template <typename Sparse, typename Otherwise>
int either(MPI_Comm comm, Sparse const& sparse, Otherwise const& otherwise) {
  return guarded([&] {
    if (auto const home = sparse_home(comm))
      sparse(home);
    else
      check(otherwise());
  });
}

/// As either(), for a collective with a root. Inter-communicators name the root in their own way.
template <typename Sparse, typename Otherwise>
int rooted(MPI_Comm comm, int root, Sparse const& sparse, Otherwise const& otherwise) {
  return either(
      comm,
      [&](auto const& home) {
        auto const inter = inter_comm(comm);
        InterRoot const found = inter != nullptr ? root_of(*inter, root) : InterRoot{true, root};
        if (found.concerned)
          sparse(home, found.rank);
        else
          home->next_tag();
      },
      otherwise);
}

template <typename Otherwise>
int undefined_on_graphs(MPI_Comm comm, Otherwise const& otherwise) {
  return either(
      comm, [](auto const&) { throw MpiFailure(MPI_ERR_TOPOLOGY); }, otherwise);
}

/// As undefined_on_graphs(), but on an inter-communicator what `make` makes.
template <typename Make, typename Otherwise>
int between_groups_or(MPI_Comm comm, Make const& make, Otherwise const& otherwise) {
  if (!is_inter(comm)) return undefined_on_graphs(comm, otherwise);
  return guarded([&] { carry_out(*make(*inter_comm(comm))); });
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

void run(std::shared_ptr<CarriedTopology> const& home, NeighborCall const& call) {
  carry_out(*make_request(home, call));
}

using Kind = NeighborCall::Kind;

}  // namespace

int Rondo_Barrier(MPI_Comm comm) {
  return either(
      comm, [](auto const& home) { carry_out(*sparse_barrier(home)); }, [&] { return MPI_Barrier(comm); });
}

int Rondo_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return rooted(
      comm, root,
      [&](auto const& home, int from) {
        carry_out(*sparse_bcast(home, {buffer, count, datatype}, from));
      },
      [&] { return MPI_Bcast(buffer, count, datatype, root, comm); });
}

int Rondo_Gather(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return rooted(
      comm, root,
      [&](auto const& home, int at) {
        carry_out(
            *sparse_gather(home, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, nullptr, nullptr, recvtype}, at));
      },
      [&] { return MPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm); });
}

int Rondo_Gatherv(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[],
                  int recvdispls[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return rooted(
      comm, root,
      [&](auto const& home, int at) {
        carry_out(
            *sparse_gather(home, {sendbuf, sendcount, sendtype}, {recvbuf, 0, recvcounts, recvdispls, recvtype}, at));
      },
      [&] { return MPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdispls, recvtype, root, comm); });
}

int Rondo_Scatter(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return rooted(
      comm, root,
      [&](auto const& home, int at) {
        carry_out(*sparse_scatter(home, {sendbuf, sendcount, nullptr, nullptr, sendtype},
                                  {recvbuf, recvcount, recvtype}, at));
      },
      [&] { return MPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm); });
}

int Rondo_Scatterv(void* sendbuf, int sendcounts[], int senddispls[], MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return rooted(
      comm, root,
      [&](auto const& home, int at) {
        carry_out(
            *sparse_scatter(home, {sendbuf, 0, sendcounts, senddispls, sendtype}, {recvbuf, recvcount, recvtype}, at));
      },
      [&] {
        return MPI_Scatterv(sendbuf, sendcounts, senddispls, sendtype, recvbuf, recvcount, recvtype, root, comm);
      });
}

int Rondo_Allgather(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        if (auto const inter = inter_comm(comm))
          inter_allgather(*inter, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
        else
          run(home, {Kind::allgather, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype),
                     nullptr, nullptr});
      },
      [&] { return MPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int Rondo_Allgatherv(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[],
                     int recvdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        run(home, {Kind::allgather, regular(sendbuf, sendcount, sendtype),
                   irregular(recvbuf, recvcounts, nullptr, recvtype), nullptr, recvdispls});
      },
      [&] { return MPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdispls, recvtype, comm); });
}

int Rondo_Allgatherw(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcounts[],
                     MPI_Aint recvdispls[], MPI_Datatype recvtypes[], MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        run(home, {Kind::allgather, regular(sendbuf, sendcount, sendtype),
                   typed(recvbuf, recvcounts, recvdispls, recvtypes), nullptr, nullptr});
      },
      [] { return MPI_ERR_COMM; });
}

int Rondo_Alltoall(void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        run(home, {Kind::alltoall, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype),
                   nullptr, nullptr});
      },
      [&] { return MPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int Rondo_Alltoallv(void* sendbuf, int sendcounts[], int senddispls[], MPI_Datatype sendtype, void* recvbuf,
                    int recvcounts[], int recvdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        run(home, {Kind::alltoall, irregular(sendbuf, sendcounts, nullptr, sendtype),
                   irregular(recvbuf, recvcounts, nullptr, recvtype), senddispls, recvdispls});
      },
      [&] {
        return MPI_Alltoallv(sendbuf, sendcounts, senddispls, sendtype, recvbuf, recvcounts, recvdispls, recvtype,
                             comm);
      });
}

int Rondo_Alltoallw(void* sendbuf, int sendcounts[], MPI_Aint senddispls[], MPI_Datatype sendtypes[], void* recvbuf,
                    int recvcounts[], MPI_Aint recvdispls[], MPI_Datatype recvtypes[], MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        run(home, {Kind::alltoall, typed(sendbuf, sendcounts, senddispls, sendtypes),
                   typed(recvbuf, recvcounts, recvdispls, recvtypes), nullptr, nullptr});
      },
      [&] {
        return alltoallw(sendbuf, sendcounts, senddispls, sendtypes, recvbuf, recvcounts, recvdispls, recvtypes, comm);
      });
}

int Rondo_Reduce(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  return rooted(
      comm, root,
      [&](auto const& home, int at) {
        carry_out(*sparse_reduce(home, {sendbuf, count, datatype}, recvbuf, op, at));
      },
      [&] { return MPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm); });
}

int Rondo_Allreduce(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return either(
      comm,
      [&](auto const& home) {
        carry_out(*sparse_allreduce(home, {sendbuf, count, datatype}, recvbuf, op));
      },
      [&] { return MPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
}

int Rondo_Reduce_scatter(void* sendbuf, void* recvbuf, int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm) {
  return between_groups_or(
      comm,
      [&](InterComm const& inter) { return make_reduce_scatter(inter, sendbuf, recvbuf, recvcounts, datatype, op); },
      [&] { return MPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm); });
}

int Rondo_Reduce_scatter_block(void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm) {
  return between_groups_or(
      comm,
      [&](InterComm const& inter) {
        return inter_reduce_scatter_block(inter.both, {recvbuf, recvcount, datatype}, sendbuf, op, inter.local_size);
      },
      [&] { return MPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm); });
}

int Rondo_Scan(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return undefined_on_graphs(comm, [&] { return MPI_Scan(sendbuf, recvbuf, count, datatype, op, comm); });
}

int Rondo_Exscan(void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return undefined_on_graphs(comm, [&] { return MPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm); });
}
