// Non-blocking and persistent reductions and scans: see requested_collectives.cpp.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include "mpi_library/smpi_shim/called.hpp"
#include "mpi_library/smpi_shim/requested.hpp"
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

auto reduced(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  return ordered({OrderedCall::Kind::rooted, sendbuf, recvbuf, count, datatype, op, comm, root});
}

auto reduced_by_all(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return ordered({OrderedCall::Kind::all, sendbuf, recvbuf, count, datatype, op, comm});
}

/// A rank gets its part of the whole vector; `count_of` says how many elements a rank gets.
template <typename CountOf>
std::unique_ptr<Requested> scattered(OrderedCall call, CountOf const& count_of) {
  if (call.comm == MPI_COMM_NULL || !needs_order(call.op)) return nullptr;
  int rank = 0, ranks = 0;
  check(PMPI_Comm_rank(call.comm, &rank));
  check(PMPI_Comm_size(call.comm, &ranks));
  OrderedReduction::Part part{0, count_of(rank)};
  for (int i = 0; i < ranks; ++i) {
    if (i < rank) part.first += count_of(i);
    call.count += count_of(i);
  }
  return std::make_unique<OrderedReduction>(call, part);
}

auto reduced_and_scattered(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm) {
  return [=] {
    return scattered({OrderedCall::Kind::all, sendbuf, recvbuf, 0, datatype, op, comm},
                     [=](int rank) { return recvcounts[rank]; });
  };
}

auto reduced_and_scattered_evenly(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm) {
  return [=] {
    return scattered({OrderedCall::Kind::all, sendbuf, recvbuf, 0, datatype, op, comm}, [=](int) { return recvcount; });
  };
}

auto nothing_between() {
  return [](InterComm const&) -> std::unique_ptr<NeighborRequest> { throw MpiFailure(MPI_ERR_COMM); };
}

}  // namespace

extern "C" {

int MPI_Ireduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return begin(
      comm, request, __func__,
      calls::of_reduction(ClassicalCollective::reduce, sendbuf, recvbuf, count, datatype, op, root),
      reduce_between(sendbuf, recvbuf, count, datatype, op, root),
      [=](MPI_Request* made) { return PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, made); },
      reduced(sendbuf, recvbuf, count, datatype, op, root, comm));
}

int MPI_Reduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__,
      calls::of_reduction(ClassicalCollective::reduce, sendbuf, recvbuf, count, datatype, op, root),
      reduce_between(sendbuf, recvbuf, count, datatype, op, root),
      [=](MPI_Request* made) { return PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, made); },
      reduced(sendbuf, recvbuf, count, datatype, op, root, comm));
}

int MPI_Iallreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return begin(
      comm, request, __func__,
      calls::of_reduction(ClassicalCollective::allreduce, sendbuf, recvbuf, count, datatype, op),
      allreduce_between(sendbuf, recvbuf, count, datatype, op),
      [=](MPI_Request* made) { return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, made); },
      reduced_by_all(sendbuf, recvbuf, count, datatype, op, comm));
}

int MPI_Allreduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                       MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__,
      calls::of_reduction(ClassicalCollective::allreduce, sendbuf, recvbuf, count, datatype, op),
      allreduce_between(sendbuf, recvbuf, count, datatype, op),
      [=](MPI_Request* made) { return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, made); },
      reduced_by_all(sendbuf, recvbuf, count, datatype, op, comm));
}

int MPI_Ireduce_scatter(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, recvcounts, datatype);
  return begin(
      comm, request, __func__, calls::reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op),
      reduce_scatter_between(sendbuf, recvbuf, recvcounts, datatype, op),
      [=](MPI_Request* made) { return PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, made); },
      reduced_and_scattered(sendbuf, recvbuf, recvcounts, datatype, op, comm));
}

int MPI_Reduce_scatter_init(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                            MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__, calls::reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op),
      reduce_scatter_between(sendbuf, recvbuf, recvcounts, datatype, op),
      [=](MPI_Request* made) { return PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, made); },
      reduced_and_scattered(sendbuf, recvbuf, recvcounts, datatype, op, comm));
}

int MPI_Ireduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  rondo::mpi::Called const called = rondo::mpi::Called::blocks(__func__, comm, recvcount, datatype);
  return begin(
      comm, request, __func__,
      calls::of_reduction(ClassicalCollective::reduce_scatter, sendbuf, recvbuf, recvcount, datatype, op),
      reduce_scatter_block_between(sendbuf, recvbuf, recvcount, datatype, op),
      [=](MPI_Request* made) {
        return PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, made);
      },
      reduced_and_scattered_evenly(sendbuf, recvbuf, recvcount, datatype, op, comm));
}

int MPI_Reduce_scatter_block_init(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__,
      calls::of_reduction(ClassicalCollective::reduce_scatter, sendbuf, recvbuf, recvcount, datatype, op),
      reduce_scatter_block_between(sendbuf, recvbuf, recvcount, datatype, op),
      [=](MPI_Request* made) {
        return PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, made);
      },
      reduced_and_scattered_evenly(sendbuf, recvbuf, recvcount, datatype, op, comm));
}

int MPI_Scan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__, calls::of_reduction(ClassicalCollective::scan, sendbuf, recvbuf, count, datatype, op),
      nothing_between(),
      [=](MPI_Request* made) { return PMPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, made); },
      ordered({OrderedCall::Kind::inclusive, sendbuf, recvbuf, count, datatype, op, comm}));
}

int MPI_Exscan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Info, MPI_Request* request) {
  return init(
      comm, request, __func__, calls::of_reduction(ClassicalCollective::exscan, sendbuf, recvbuf, count, datatype, op),
      nothing_between(),
      [=](MPI_Request* made) { return PMPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, made); },
      ordered({OrderedCall::Kind::exclusive, sendbuf, recvbuf, count, datatype, op, comm}));
}

}  // extern "C"
