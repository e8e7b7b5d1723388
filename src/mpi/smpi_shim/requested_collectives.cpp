// Non-blocking and persistent collectives. On an inter-communicator they are those of a bipartite graph
// (mpi/intergroup/inter_collectives.hpp). On any other communicator the non-blocking ones are the library's own, and
// the persistent ones, which SMPI lacks, start one of those each time. See neighbor.cpp.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include <memory>
#include <utility>

#include "mpi/graph/request_handles.hpp"
#include "mpi/intergroup/inter_collectives.hpp"
#include "mpi/runtime/communicator_kind.hpp"
#include "mpi/runtime/guarded.hpp"
#include "mpi/runtime/library_request.hpp"
#include "mpi/smpi_shim/answer.hpp"
#include "rondo/mpi.h"

namespace {

using namespace rondo::mpi;
using Kind = NeighborCall::Kind;

std::unique_ptr<NeighborRequest> neighbors(InterComm const& inter, NeighborCall call) {
  call.form = NeighborForm::non_blocking;
  return make_request(inter.both, call);
}

/// `between` makes the request on an inter-communicator, `within` starts the library's own on any other one.
template <typename Between, typename Within>
int begin(MPI_Comm comm, MPI_Request* request, char const* function, Between const& between, Within const& within) {
  if (!is_inter(comm)) return answer(comm, within(request), function);
  int const code = guarded([&] {
    std::unique_ptr<Requested> made = between(*inter_comm(comm));
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::once);
  });
  return answer(comm, code, function);
}

/// The same for a request that is to be started later, and again.
template <typename Between, typename Within>
int init(MPI_Comm comm, MPI_Request* request, char const* function, Between const& between, Within const& within) {
  int const code = guarded([&] {
    if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
    std::unique_ptr<Requested> made;
    if (is_inter(comm))
      made = between(*inter_comm(comm));
    else
      made = std::make_unique<LibraryRequest>(within);
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::persistent);
  });
  return answer(comm, code, function);
}

auto barrier_between() {
  return [=](InterComm const& inter) { return sparse_barrier(inter.both); };
}

auto bcast_between(void* buf, int count, MPI_Datatype datatype, int root) {
  return [=](InterComm const& inter) {
    return rooted_request(inter, root, [=, &inter](int from) {
      return sparse_bcast(inter.both, {buf, count, datatype}, from);
    });
  };
}

auto gather_between(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root) {
  return [=](InterComm const& inter) {
    return rooted_request(inter, root, [=, &inter](int at) {
      return sparse_gather(inter.both, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, nullptr, nullptr, recvtype},
                           at);
    });
  };
}

auto gatherv_between(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                     int const* displs, MPI_Datatype recvtype, int root) {
  return [=](InterComm const& inter) {
    return rooted_request(inter, root, [=, &inter](int at) {
      return sparse_gather(inter.both, {sendbuf, sendcount, sendtype}, {recvbuf, 0, recvcounts, displs, recvtype}, at);
    });
  };
}

auto scatter_between(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root) {
  return [=](InterComm const& inter) {
    return rooted_request(inter, root, [=, &inter](int at) {
      return sparse_scatter(inter.both, {sendbuf, sendcount, nullptr, nullptr, sendtype},
                            {recvbuf, recvcount, recvtype}, at);
    });
  };
}

auto scatterv_between(void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root) {
  return [=](InterComm const& inter) {
    return rooted_request(inter, root, [=, &inter](int at) {
      return sparse_scatter(inter.both, {sendbuf, 0, sendcounts, displs, sendtype}, {recvbuf, recvcount, recvtype}, at);
    });
  };
}

auto allgather_between(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype) {
  return [=](InterComm const& inter) {
    return neighbors(inter,
                     {Kind::allgather, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype)});
  };
}

auto allgatherv_between(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                        int const* displs, MPI_Datatype recvtype) {
  return [=](InterComm const& inter) {
    return neighbors(inter, {Kind::allgather, regular(sendbuf, sendcount, sendtype),
                             irregular(recvbuf, recvcounts, nullptr, recvtype), nullptr, displs});
  };
}

auto alltoall_between(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype) {
  return [=](InterComm const& inter) {
    return neighbors(inter,
                     {Kind::alltoall, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype)});
  };
}

auto alltoallv_between(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype sendtype,
                       void* recvbuf, int const* recvcounts, int const* rdispls, MPI_Datatype recvtype) {
  return [=](InterComm const& inter) {
    return neighbors(inter, {Kind::alltoall, irregular(sendbuf, sendcounts, nullptr, sendtype),
                             irregular(recvbuf, recvcounts, nullptr, recvtype), sdispls, rdispls});
  };
}

auto alltoallw_between(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype const* sendtypes,
                       void* recvbuf, int const* recvcounts, int const* rdispls, MPI_Datatype const* recvtypes) {
  return [=](InterComm const& inter) {
    return neighbors(inter, {Kind::alltoall, typed(sendbuf, sendcounts, nullptr, sendtypes),
                             typed(recvbuf, recvcounts, nullptr, recvtypes), sdispls, rdispls});
  };
}

auto reduce_between(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root) {
  return [=](InterComm const& inter) {
    return rooted_request(inter, root, [=, &inter](int at) {
      return sparse_reduce(inter.both, {sendbuf, count, datatype}, recvbuf, op, at);
    });
  };
}

auto allreduce_between(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op) {
  return [=](InterComm const& inter) { return sparse_allreduce(inter.both, {sendbuf, count, datatype}, recvbuf, op); };
}

auto reduce_scatter_between(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype,
                            MPI_Op op) {
  return [=](InterComm const& inter) { return make_reduce_scatter(inter, sendbuf, recvbuf, recvcounts, datatype, op); };
}

auto reduce_scatter_block_between(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op) {
  return [=](InterComm const& inter) {
    return inter_reduce_scatter_block(inter.both, {recvbuf, recvcount, datatype}, sendbuf, op, inter.local_size);
  };
}

auto nothing_between() {
  return [](InterComm const&) -> std::unique_ptr<NeighborRequest> { throw MpiFailure(MPI_ERR_COMM); };
}

}  // namespace

extern "C" {

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__, barrier_between(),
               [=](MPI_Request* made) { return PMPI_Ibarrier(comm, made); });
}

int MPI_Barrier_init(MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, barrier_between(), [=](MPI_Request* made) { return PMPI_Ibarrier(comm, made); });
}

int MPI_Ibcast(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__, bcast_between(buf, count, datatype, root),
               [=](MPI_Request* made) { return PMPI_Ibcast(buf, count, datatype, root, comm, made); });
}

int MPI_Bcast_init(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info,
                   MPI_Request* request) {
  return init(comm, request, __func__, bcast_between(buf, count, datatype, root),
              [=](MPI_Request* made) { return PMPI_Ibcast(buf, count, datatype, root, comm, made); });
}

int MPI_Igather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__,
               gather_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
               [=](MPI_Request* made) {
                 return PMPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, made);
               });
}

int MPI_Gather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, gather_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
              [=](MPI_Request* made) {
                return PMPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, made);
              });
}

int MPI_Igatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                 int const* displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__,
               gatherv_between(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root),
               [=](MPI_Request* made) {
                 return PMPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                                      made);
               });
}

int MPI_Gatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                     int const* displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                     MPI_Request* request) {
  return init(comm, request, __func__,
              gatherv_between(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root),
              [=](MPI_Request* made) {
                return PMPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                                     made);
              });
}

int MPI_Iscatter(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__,
               scatter_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
               [=](MPI_Request* made) {
                 return PMPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, made);
               });
}

int MPI_Scatter_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__,
              scatter_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
              [=](MPI_Request* made) {
                return PMPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, made);
              });
}

int MPI_Iscatterv(void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__,
               scatterv_between(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root),
               [=](MPI_Request* made) {
                 return PMPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                                       made);
               });
}

int MPI_Scatterv_init(void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                      MPI_Request* request) {
  return init(comm, request, __func__,
              scatterv_between(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root),
              [=](MPI_Request* made) {
                return PMPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                                      made);
              });
}

int MPI_Iallgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__, allgather_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
               [=](MPI_Request* made) {
                 return PMPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, made);
               });
}

int MPI_Allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, allgather_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
              [=](MPI_Request* made) {
                return PMPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, made);
              });
}

int MPI_Iallgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                    int const* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request, __func__, allgatherv_between(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype),
      [=](MPI_Request* made) {
        return PMPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, made);
      });
}

int MPI_Allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                        int const* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__, allgatherv_between(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype),
      [=](MPI_Request* made) {
        return PMPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, made);
      });
}

int MPI_Ialltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__, alltoall_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
               [=](MPI_Request* made) {
                 return PMPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, made);
               });
}

int MPI_Alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, alltoall_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
              [=](MPI_Request* made) {
                return PMPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, made);
              });
}

int MPI_Ialltoallv(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype sendtype, void* recvbuf,
                   int const* recvcounts, int const* rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request* request) {
  return begin(comm, request, __func__,
               alltoallv_between(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
               [=](MPI_Request* made) {
                 return PMPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                        comm, made);
               });
}

int MPI_Alltoallv_init(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype sendtype,
                       void* recvbuf, int const* recvcounts, int const* rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                       MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__,
              alltoallv_between(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
              [=](MPI_Request* made) {
                return PMPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                       comm, made);
              });
}

int MPI_Ialltoallw(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype const* sendtypes,
                   void* recvbuf, int const* recvcounts, int const* rdispls, MPI_Datatype const* recvtypes,
                   MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__,
               alltoallw_between(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
               [=](MPI_Request* made) {
                 return PMPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                        recvtypes, comm, made);
               });
}

int MPI_Alltoallw_init(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype const* sendtypes,
                       void* recvbuf, int const* recvcounts, int const* rdispls, MPI_Datatype const* recvtypes,
                       MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__,
              alltoallw_between(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
              [=](MPI_Request* made) {
                return PMPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                       comm, made);
              });
}

int MPI_Ireduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request, __func__, reduce_between(sendbuf, recvbuf, count, datatype, op, root),
      [=](MPI_Request* made) { return PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, made); });
}

int MPI_Reduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, reduce_between(sendbuf, recvbuf, count, datatype, op, root),
              [=](MPI_Request* made) { return PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, made); });
}

int MPI_Iallreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return begin(comm, request, __func__, allreduce_between(sendbuf, recvbuf, count, datatype, op),
               [=](MPI_Request* made) { return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, made); });
}

int MPI_Allreduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                       MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, allreduce_between(sendbuf, recvbuf, count, datatype, op),
              [=](MPI_Request* made) { return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, made); });
}

int MPI_Ireduce_scatter(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request, __func__, reduce_scatter_between(sendbuf, recvbuf, recvcounts, datatype, op),
      [=](MPI_Request* made) { return PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, made); });
}

int MPI_Reduce_scatter_init(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                            MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__, reduce_scatter_between(sendbuf, recvbuf, recvcounts, datatype, op),
      [=](MPI_Request* made) { return PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, made); });
}

int MPI_Ireduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__, reduce_scatter_block_between(sendbuf, recvbuf, recvcount, datatype, op),
               [=](MPI_Request* made) {
                 return PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, made);
               });
}

int MPI_Reduce_scatter_block_init(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, reduce_scatter_block_between(sendbuf, recvbuf, recvcount, datatype, op),
              [=](MPI_Request* made) {
                return PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, made);
              });
}

int MPI_Scan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, nothing_between(),
              [=](MPI_Request* made) { return PMPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, made); });
}

int MPI_Exscan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, nothing_between(),
              [=](MPI_Request* made) { return PMPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, made); });
}

}  // extern "C"
