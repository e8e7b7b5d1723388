// Non-blocking and persistent collectives. On an inter-communicator they are those of a bipartite graph
// (mpi_library/intergroup/inter_collectives.hpp). On any other communicator they go by the algorithm that is chosen;
// else the non-blocking ones are the library's own, and the persistent ones, which SMPI lacks, start one of those each
// time. See neighbor.cpp.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include "mpi_library/smpi_shim/called.hpp"
#include "mpi_library/smpi_shim/requested.hpp"
#include "rondo/mpi.h"

namespace {

using namespace rondo::mpi;
using rondo::ClassicalCollective;
using Kind = NeighborCall::Kind;

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

/// A barrier that does not block. In SMPI's own, ranks leave when rank 0 has entered. Here each hears of each, so that
/// none has to come back to let others go on.
int all_enter(MPI_Comm comm, MPI_Request* request) {
  static char nothing = 0;
  return PMPI_Iallgather(&nothing, 0, MPI_BYTE, &nothing, 0, MPI_BYTE, comm, request);
}

}  // namespace

extern "C" {

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm);
  return begin(comm, request, __func__, calls::barrier(), barrier_between(),
               [=](MPI_Request* made) { return all_enter(comm, made); });
}

int MPI_Barrier_init(MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, calls::barrier(), barrier_between(),
              [=](MPI_Request* made) { return all_enter(comm, made); });
}

int MPI_Ibcast(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return begin(comm, request, __func__, calls::bcast(buf, count, datatype, root),
               bcast_between(buf, count, datatype, root),
               [=](MPI_Request* made) { return PMPI_Ibcast(buf, count, datatype, root, comm, made); });
}

int MPI_Bcast_init(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info,
                   MPI_Request* request) {
  return init(comm, request, __func__, calls::bcast(buf, count, datatype, root),
              bcast_between(buf, count, datatype, root),
              [=](MPI_Request* made) { return PMPI_Ibcast(buf, count, datatype, root, comm, made); });
}

int MPI_Igather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? recvcount : sendcount,
                                  sendbuf == MPI_IN_PLACE ? recvtype : sendtype);
  return begin(
      comm, request, __func__,
      calls::of_blocks(ClassicalCollective::gather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
      gather_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root), [=](MPI_Request* made) {
        return PMPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, made);
      });
}

int MPI_Gather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__,
      calls::of_blocks(ClassicalCollective::gather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
      gather_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root), [=](MPI_Request* made) {
        return PMPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, made);
      });
}

int MPI_Igatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                 int const* displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? 0 : sendcount, sendtype);
  return begin(comm, request, __func__,
               calls::gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root),
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
              calls::gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root),
              gatherv_between(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root),
              [=](MPI_Request* made) {
                return PMPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                                     made);
              });
}

int MPI_Iscatter(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, recvcount, recvtype);
  return begin(
      comm, request, __func__,
      calls::of_blocks(ClassicalCollective::scatter, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
      scatter_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root), [=](MPI_Request* made) {
        return PMPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, made);
      });
}

int MPI_Scatter_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__,
      calls::of_blocks(ClassicalCollective::scatter, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
      scatter_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root), [=](MPI_Request* made) {
        return PMPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, made);
      });
}

int MPI_Iscatterv(void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, recvcount, recvtype);
  return begin(comm, request, __func__,
               calls::scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root),
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
              calls::scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root),
              scatterv_between(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root),
              [=](MPI_Request* made) {
                return PMPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
                                      made);
              });
}

}  // extern "C"
