// Non-blocking and persistent reductions and scans: see requested_collectives.cpp.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include "mpi/smpi_shim/requested.hpp"
#include "rondo/mpi.h"

namespace {

using namespace rondo::mpi;
using rondo::ClassicalCollective;

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

int MPI_Ireduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__,
               calls::of_reduction(ClassicalCollective::reduce, sendbuf, recvbuf, count, datatype, op, root),
               reduce_between(sendbuf, recvbuf, count, datatype, op, root), [=](MPI_Request* made) {
                 return PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, made);
               });
}

int MPI_Reduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__,
              calls::of_reduction(ClassicalCollective::reduce, sendbuf, recvbuf, count, datatype, op, root),
              reduce_between(sendbuf, recvbuf, count, datatype, op, root),
              [=](MPI_Request* made) { return PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, made); });
}

int MPI_Iallreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return begin(comm, request, __func__,
               calls::of_reduction(ClassicalCollective::allreduce, sendbuf, recvbuf, count, datatype, op),
               allreduce_between(sendbuf, recvbuf, count, datatype, op),
               [=](MPI_Request* made) { return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, made); });
}

int MPI_Allreduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                       MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__,
              calls::of_reduction(ClassicalCollective::allreduce, sendbuf, recvbuf, count, datatype, op),
              allreduce_between(sendbuf, recvbuf, count, datatype, op),
              [=](MPI_Request* made) { return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, made); });
}

int MPI_Ireduce_scatter(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__, calls::reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op),
               reduce_scatter_between(sendbuf, recvbuf, recvcounts, datatype, op), [=](MPI_Request* made) {
                 return PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, made);
               });
}

int MPI_Reduce_scatter_init(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                            MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__, calls::reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op),
              reduce_scatter_between(sendbuf, recvbuf, recvcounts, datatype, op), [=](MPI_Request* made) {
                return PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, made);
              });
}

int MPI_Ireduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, __func__,
               calls::of_reduction(ClassicalCollective::reduce_scatter, sendbuf, recvbuf, recvcount, datatype, op),
               reduce_scatter_block_between(sendbuf, recvbuf, recvcount, datatype, op), [=](MPI_Request* made) {
                 return PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, made);
               });
}

int MPI_Reduce_scatter_block_init(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(comm, request, __func__,
              calls::of_reduction(ClassicalCollective::reduce_scatter, sendbuf, recvbuf, recvcount, datatype, op),
              reduce_scatter_block_between(sendbuf, recvbuf, recvcount, datatype, op), [=](MPI_Request* made) {
                return PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, made);
              });
}

int MPI_Scan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__, calls::of_reduction(ClassicalCollective::scan, sendbuf, recvbuf, count, datatype, op),
      nothing_between(),
      [=](MPI_Request* made) { return PMPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, made); },
      ordered({ScanCall::Kind::inclusive, sendbuf, recvbuf, count, datatype, op, comm}));
}

int MPI_Exscan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__, calls::of_reduction(ClassicalCollective::exscan, sendbuf, recvbuf, count, datatype, op),
      nothing_between(),
      [=](MPI_Request* made) { return PMPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, made); },
      ordered({ScanCall::Kind::exclusive, sendbuf, recvbuf, count, datatype, op, comm}));
}

}  // extern "C"
