// What SMPI lacks, under MPI's own names, for programs that are linked with librondo_mpi. Errors go to the error
// handler of the communicator, as those of MPI's own functions do. Compiled against SMPI only.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include "mpi_library/smpi_shim/answer.hpp"
#include "rondo/mpi.h"
#include "rondo/topology.h"

using rondo::mpi::answer;

extern "C" {

int MPI_Neighbor_allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  return answer(comm, Rondo_Neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
                __func__);
}

int MPI_Ineighbor_allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return answer(comm,
                Rondo_Ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request),
                __func__);
}

int MPI_Neighbor_allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return answer(
      comm,
      Rondo_Neighbor_allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request),
      __func__);
}

int MPI_Neighbor_allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return answer(comm,
                Rondo_Neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
                __func__);
}

int MPI_Ineighbor_allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request* request) {
  return answer(
      comm,
      Rondo_Ineighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request),
      __func__);
}

int MPI_Neighbor_allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, MPI_Request* request) {
  return answer(comm,
                Rondo_Neighbor_allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                               comm, info, request),
                __func__);
}

int MPI_Neighbor_alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, MPI_Comm comm) {
  return answer(comm, Rondo_Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
                __func__);
}

int MPI_Ineighbor_alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return answer(comm,
                Rondo_Ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request),
                __func__);
}

int MPI_Neighbor_alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                               MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return answer(
      comm,
      Rondo_Neighbor_alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request),
      __func__);
}

int MPI_Neighbor_alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                           void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                           MPI_Comm comm) {
  return answer(
      comm,
      Rondo_Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),
      __func__);
}

int MPI_Ineighbor_alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                            void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm, MPI_Request* request) {
  return answer(comm,
                Rondo_Ineighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                          recvtype, comm, request),
                __func__);
}

int MPI_Neighbor_alltoallv_init(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                                void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                                MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return answer(comm,
                Rondo_Neighbor_alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                              recvtype, comm, info, request),
                __func__);
}

int MPI_Neighbor_alltoallw(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                           MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                           MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm) {
  return answer(
      comm,
      Rondo_Neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),
      __func__);
}

int MPI_Ineighbor_alltoallw(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                            MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                            MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm,
                            MPI_Request* request) {
  return answer(comm,
                Rondo_Ineighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                          recvtypes, comm, request),
                __func__);
}

int MPI_Neighbor_alltoallw_init(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                                MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                                MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm, MPI_Info info,
                                MPI_Request* request) {
  return answer(comm,
                Rondo_Neighbor_alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                              recvtypes, comm, info, request),
                __func__);
}

}  // extern "C"
