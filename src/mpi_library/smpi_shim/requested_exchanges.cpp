// Non-blocking and persistent allgathers and all-to-alls: see requested_collectives.cpp.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include "mpi_library/smpi_shim/called.hpp"
#include "mpi_library/smpi_shim/requested.hpp"
#include "rondo/mpi.h"

namespace {

using namespace rondo::mpi;
using rondo::ClassicalCollective;
using Kind = NeighborCall::Kind;

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

}  // namespace

extern "C" {

int MPI_Iallgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? recvcount : sendcount,
                                  sendbuf == MPI_IN_PLACE ? recvtype : sendtype);
  return begin(
      comm, request, __func__,
      calls::of_blocks(ClassicalCollective::allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
      allgather_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [=](MPI_Request* made) {
        return PMPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, made);
      });
}

int MPI_Allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__,
      calls::of_blocks(ClassicalCollective::allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
      allgather_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [=](MPI_Request* made) {
        return PMPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, made);
      });
}

int MPI_Iallgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                    int const* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? 0 : sendcount, sendtype);
  return begin(
      comm, request, __func__, calls::allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype),
      allgatherv_between(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), [=](MPI_Request* made) {
        return PMPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, made);
      });
}

int MPI_Allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                        int const* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__, calls::allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype),
      allgatherv_between(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), [=](MPI_Request* made) {
        return PMPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, made);
      });
}

int MPI_Ialltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called = rondo::mpi::Called::blocks(
      __func__, comm, sendbuf == MPI_IN_PLACE ? recvcount : sendcount, sendbuf == MPI_IN_PLACE ? recvtype : sendtype);
  return begin(
      comm, request, __func__,
      calls::of_blocks(ClassicalCollective::alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
      alltoall_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [=](MPI_Request* made) {
        return PMPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, made);
      });
}

int MPI_Alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__,
      calls::of_blocks(ClassicalCollective::alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
      alltoall_between(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), [=](MPI_Request* made) {
        return PMPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, made);
      });
}

int MPI_Ialltoallv(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype sendtype, void* recvbuf,
                   int const* recvcounts, int const* rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? recvcounts : sendcounts,
                                  sendbuf == MPI_IN_PLACE ? recvtype : sendtype);
  return begin(comm, request, __func__,
               calls::alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
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
              calls::alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
              alltoallv_between(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
              [=](MPI_Request* made) {
                return PMPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                       comm, made);
              });
}

int MPI_Ialltoallw(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype const* sendtypes,
                   void* recvbuf, int const* recvcounts, int const* rdispls, MPI_Datatype const* recvtypes,
                   MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__, std::nullopt,
               alltoallw_between(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
               [=](MPI_Request* made) {
                 return PMPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                        recvtypes, comm, made);
               });
}

int MPI_Alltoallw_init(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype const* sendtypes,
                       void* recvbuf, int const* recvcounts, int const* rdispls, MPI_Datatype const* recvtypes,
                       MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, std::nullopt,
              alltoallw_between(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
              [=](MPI_Request* made) {
                return PMPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                       comm, made);
              });
}

}  // extern "C"
