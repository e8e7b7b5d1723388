#include "mpi_library/classical/chosen.hpp"

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/ordered_reduction.hpp"
#include "mpi_library/classical/calls.hpp"

namespace rondo::mpi::chosen {
namespace {

template <typename Library>
int carried_out(CollectiveCall const& call, MPI_Comm comm, Library const& library) {
  auto const code = by_choice(call, comm);
  if (!code) return library();
#ifndef SMPI_H  // there the shim calls it, for SMPI's own errors as well
  if (*code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, *code);
#endif
  return *code;
}

using namespace calls;

/// The library's own scan, or ours where that is wrong.
template <typename Library>
int in_order(OrderedCall const& call, Library const& library) {
  if (needs_order(call.op)) return guarded([&] { scan_in_order(call); });
  return library(call.send, call.receive, call.count, call.type, call.op, call.comm);
}

}  // namespace

int barrier(MPI_Comm comm) {
  return carried_out(calls::barrier(), comm, [&] { return PMPI_Barrier(comm); });
}

int bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return carried_out(calls::bcast(buffer, count, type, root), comm,
                     [&] { return PMPI_Bcast(buffer, count, type, root, comm); });
}

int gather(void const* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
           MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return carried_out(
      of_blocks(ClassicalCollective::gather, send, send_count, send_type, receive, receive_count, receive_type, root),
      comm, [&] { return PMPI_Gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm); });
}

int gatherv(void const* send, int send_count, MPI_Datatype send_type, void* receive, int const* counts,
            int const* displacements, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  auto const call = calls::gatherv(send, send_count, send_type, receive, counts, displacements, receive_type, root);
  return carried_out(call, comm, [&] {
    return PMPI_Gatherv(send, send_count, send_type, receive, counts, displacements, receive_type, root, comm);
  });
}

int scatter(void const* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
            MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return carried_out(
      of_blocks(ClassicalCollective::scatter, send, send_count, send_type, receive, receive_count, receive_type, root),
      comm,
      [&] { return PMPI_Scatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm); });
}

int scatterv(void const* send, int const* counts, int const* displacements, MPI_Datatype send_type, void* receive,
             int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  auto const call = calls::scatterv(send, counts, displacements, send_type, receive, receive_count, receive_type, root);
  return carried_out(call, comm, [&] {
    return PMPI_Scatterv(send, counts, displacements, send_type, receive, receive_count, receive_type, root, comm);
  });
}

int allgather(void const* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
              MPI_Datatype receive_type, MPI_Comm comm) {
  return carried_out(
      of_blocks(ClassicalCollective::allgather, send, send_count, send_type, receive, receive_count, receive_type),
      comm, [&] { return PMPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type, comm); });
}

int allgatherv(void const* send, int send_count, MPI_Datatype send_type, void* receive, int const* counts,
               int const* displacements, MPI_Datatype receive_type, MPI_Comm comm) {
  auto const call = calls::allgatherv(send, send_count, send_type, receive, counts, displacements, receive_type);
  return carried_out(call, comm, [&] {
    return PMPI_Allgatherv(send, send_count, send_type, receive, counts, displacements, receive_type, comm);
  });
}

int alltoall(void const* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
             MPI_Datatype receive_type, MPI_Comm comm) {
  return carried_out(
      of_blocks(ClassicalCollective::alltoall, send, send_count, send_type, receive, receive_count, receive_type), comm,
      [&] { return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm); });
}

int alltoallv(void const* send, int const* send_counts, int const* send_displacements, MPI_Datatype send_type,
              void* receive, int const* counts, int const* displacements, MPI_Datatype receive_type, MPI_Comm comm) {
  auto const call =
      calls::alltoallv(send, send_counts, send_displacements, send_type, receive, counts, displacements, receive_type);
  return carried_out(call, comm, [&] {
    return PMPI_Alltoallv(send, send_counts, send_displacements, send_type, receive, counts, displacements,
                          receive_type, comm);
  });
}

int reduce(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return carried_out(of_reduction(ClassicalCollective::reduce, send, receive, count, type, op, root), comm,
                     [&] { return PMPI_Reduce(send, receive, count, type, op, root, comm); });
}

int allreduce(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return carried_out(of_reduction(ClassicalCollective::allreduce, send, receive, count, type, op), comm,
                     [&] { return PMPI_Allreduce(send, receive, count, type, op, comm); });
}

int reduce_scatter(void const* send, void* receive, int const* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return carried_out(calls::reduce_scatter(send, receive, counts, type, op), comm,
                     [&] { return PMPI_Reduce_scatter(send, receive, counts, type, op, comm); });
}

int reduce_scatter_block(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return carried_out(of_reduction(ClassicalCollective::reduce_scatter, send, receive, count, type, op), comm,
                     [&] { return PMPI_Reduce_scatter_block(send, receive, count, type, op, comm); });
}

int scan(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return carried_out(of_reduction(ClassicalCollective::scan, send, receive, count, type, op), comm, [&] {
    return in_order({OrderedCall::Kind::inclusive, send, receive, count, type, op, comm}, PMPI_Scan);
  });
}

int exscan(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return carried_out(of_reduction(ClassicalCollective::exscan, send, receive, count, type, op), comm, [&] {
    return in_order({OrderedCall::Kind::exclusive, send, receive, count, type, op, comm}, PMPI_Exscan);
  });
}

}  // namespace rondo::mpi::chosen
