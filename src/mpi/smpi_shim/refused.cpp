// What is not to be had on inter-communicators: messages between single ranks, and some collectives. On any other
// communicator the library's own, see neighbor.cpp.

#include <mpi.h>

#include <cstdio>

#include "mpi/runtime/communicator_kind.hpp"
#include "mpi/smpi_shim/answer.hpp"

using rondo::mpi::answer;
using rondo::mpi::is_inter;

namespace {

int refuse(MPI_Comm comm, char const* function) {
  std::fprintf(stderr, "%s: not on an inter-communicator of librondo_mpi, which has collectives only\n", function);
  return answer(comm, MPI_ERR_COMM, function);
}

/// The library's own function, but not on an inter-communicator.
template <typename Function, typename... Arguments>
int unless_inter(MPI_Comm comm, char const* name, Function function, Arguments... arguments) {
  return is_inter(comm) ? refuse(comm, name) : answer(comm, function(arguments...), name);
}

}  // namespace

extern "C" {

int MPI_Send(void const* buf, int count, MPI_Datatype datatype, int dst, int tag, MPI_Comm comm) {
  return unless_inter(comm, __func__, PMPI_Send, buf, count, datatype, dst, tag, comm);
}

int MPI_Isend(void const* buf, int count, MPI_Datatype datatype, int dst, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Isend, buf, count, datatype, dst, tag, comm, request);
}

int MPI_Ssend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return unless_inter(comm, __func__, PMPI_Ssend, buf, count, datatype, dest, tag, comm);
}

int MPI_Issend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Issend, buf, count, datatype, dest, tag, comm, request);
}

int MPI_Rsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return unless_inter(comm, __func__, PMPI_Rsend, buf, count, datatype, dest, tag, comm);
}

int MPI_Irsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Irsend, buf, count, datatype, dest, tag, comm, request);
}

int MPI_Bsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return unless_inter(comm, __func__, PMPI_Bsend, buf, count, datatype, dest, tag, comm);
}

int MPI_Ibsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Ibsend, buf, count, datatype, dest, tag, comm, request);
}

int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm, MPI_Status* status) {
  return unless_inter(comm, __func__, PMPI_Recv, buf, count, datatype, src, tag, comm, status);
}

int MPI_Irecv(void* buf, int count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Irecv, buf, count, datatype, src, tag, comm, request);
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return unless_inter(comm, __func__, PMPI_Probe, source, tag, comm, status);
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return unless_inter(comm, __func__, PMPI_Iprobe, source, tag, comm, flag, status);
}

int MPI_Sendrecv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, int dst, int sendtag, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int src, int recvtag, MPI_Comm comm, MPI_Status* status) {
  return unless_inter(comm, __func__, PMPI_Sendrecv, sendbuf, sendcount, sendtype, dst, sendtag, recvbuf, recvcount,
                      recvtype, src, recvtag, comm, status);
}

int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dst, int sendtag, int src, int recvtag,
                         MPI_Comm comm, MPI_Status* status) {
  return unless_inter(comm, __func__, PMPI_Sendrecv_replace, buf, count, datatype, dst, sendtag, src, recvtag, comm,
                      status);
}

int MPI_Send_init(void const* buf, int count, MPI_Datatype datatype, int dst, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Send_init, buf, count, datatype, dst, tag, comm, request);
}

int MPI_Recv_init(void* buf, int count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Recv_init, buf, count, datatype, src, tag, comm, request);
}

int MPI_Ssend_init(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Ssend_init, buf, count, datatype, dest, tag, comm, request);
}

int MPI_Reduce_scatter(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm) {
  return unless_inter(comm, __func__, PMPI_Reduce_scatter, sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

int MPI_Reduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm) {
  return unless_inter(comm, __func__, PMPI_Reduce_scatter_block, sendbuf, recvbuf, recvcount, datatype, op, comm);
}

int MPI_Scan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return unless_inter(comm, __func__, PMPI_Scan, sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Exscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return unless_inter(comm, __func__, PMPI_Exscan, sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Ibarrier, comm, request);
}

int MPI_Ibcast(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Ibcast, buf, count, datatype, root, comm, request);
}

int MPI_Igather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Igather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                      comm, request);
}

int MPI_Igatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                 int const* displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Igatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                      recvtype, root, comm, request);
}

int MPI_Iscatter(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Iscatter, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                      comm, request);
}

int MPI_Iscatterv(void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Iscatterv, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                      recvtype, root, comm, request);
}

int MPI_Iallgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Iallgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                      request);
}

int MPI_Iallgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                    int const* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Iallgatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                      recvtype, comm, request);
}

int MPI_Ialltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Ialltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                      request);
}

int MPI_Ialltoallv(void const* sendbuf, int const* sendcounts, int const* senddisps, MPI_Datatype sendtype,
                   void* recvbuf, int const* recvcounts, int const* recvdisps, MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Ialltoallv, sendbuf, sendcounts, senddisps, sendtype, recvbuf, recvcounts,
                      recvdisps, recvtype, comm, request);
}

int MPI_Ialltoallw(void const* sendbuf, int const* sendcounts, int const* senddisps, MPI_Datatype const* sendtypes,
                   void* recvbuf, int const* recvcounts, int const* recvdisps, MPI_Datatype const* recvtypes,
                   MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Ialltoallw, sendbuf, sendcounts, senddisps, sendtypes, recvbuf, recvcounts,
                      recvdisps, recvtypes, comm, request);
}

int MPI_Ireduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Ireduce, sendbuf, recvbuf, count, datatype, op, root, comm, request);
}

int MPI_Iallreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Iallreduce, sendbuf, recvbuf, count, datatype, op, comm, request);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* comm_out) {
  return unless_inter(comm, __func__, PMPI_Comm_split, comm, color, key, comm_out);
}

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return unless_inter(comm, __func__, PMPI_Comm_split_type, comm, split_type, key, info, newcomm);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  return unless_inter(comm, __func__, PMPI_Comm_create, comm, group, newcomm);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return unless_inter(comm, __func__, PMPI_Comm_create_group, comm, group, tag, newcomm);
}

}  // extern "C"
