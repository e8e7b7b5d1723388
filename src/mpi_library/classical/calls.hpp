#pragma once

// The calls of MPI's classical collectives, as collective_call.hpp takes them, from the arguments of their functions.

#include <mpi.h>

#include "mpi_library/classical/collective_call.hpp"

namespace rondo::mpi::calls {

inline CollectiveCall barrier() { return {.collective = ClassicalCollective::barrier}; }

inline CollectiveCall of_blocks(ClassicalCollective collective, void const* send, int send_count,
                                MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type,
                                int root = 0) {
  return {.collective = collective,
          .send = send,
          .send_count = send_count,
          .send_type = send_type,
          .receive = receive,
          .receive_count = receive_count,
          .receive_type = receive_type,
          .root = root};
}

inline CollectiveCall of_reduction(ClassicalCollective collective, void const* send, void* receive, int count,
                                   MPI_Datatype type, MPI_Op op, int root = 0) {
  CollectiveCall call = of_blocks(collective, send, count, type, receive, count, type, root);
  call.op = op;
  return call;
}

inline CollectiveCall bcast(void* buffer, int count, MPI_Datatype type, int root) {
  return of_blocks(ClassicalCollective::bcast, buffer, count, type, buffer, count, type, root);
}

/// What comes to a rank has a count and a displacement for each source.
inline CollectiveCall received_by_counts(CollectiveCall call, int const* counts, int const* displacements) {
  call.by_counts = true;
  call.counts = counts;
  call.displacements = displacements;
  return call;
}

/// What a rank sends has them for each target.
inline CollectiveCall sent_by_counts(CollectiveCall call, int const* counts, int const* displacements) {
  call.by_counts = true;
  call.send_counts = counts;
  call.send_displacements = displacements;
  return call;
}

inline CollectiveCall gatherv(void const* send, int send_count, MPI_Datatype send_type, void* receive,
                              int const* counts, int const* displacements, MPI_Datatype receive_type, int root) {
  return received_by_counts(
      of_blocks(ClassicalCollective::gather, send, send_count, send_type, receive, 0, receive_type, root), counts,
      displacements);
}

inline CollectiveCall scatterv(void const* send, int const* counts, int const* displacements, MPI_Datatype send_type,
                               void* receive, int receive_count, MPI_Datatype receive_type, int root) {
  return sent_by_counts(
      of_blocks(ClassicalCollective::scatter, send, 0, send_type, receive, receive_count, receive_type, root), counts,
      displacements);
}

inline CollectiveCall allgatherv(void const* send, int send_count, MPI_Datatype send_type, void* receive,
                                 int const* counts, int const* displacements, MPI_Datatype receive_type) {
  return received_by_counts(
      of_blocks(ClassicalCollective::allgather, send, send_count, send_type, receive, 0, receive_type), counts,
      displacements);
}

inline CollectiveCall alltoallv(void const* send, int const* send_counts, int const* send_displacements,
                                MPI_Datatype send_type, void* receive, int const* counts, int const* displacements,
                                MPI_Datatype receive_type) {
  CollectiveCall const call = of_blocks(ClassicalCollective::alltoall, send, 0, send_type, receive, 0, receive_type);
  return received_by_counts(sent_by_counts(call, send_counts, send_displacements), counts, displacements);
}

inline CollectiveCall reduce_scatter(void const* send, void* receive, int const* counts, MPI_Datatype type, MPI_Op op) {
  return received_by_counts(of_reduction(ClassicalCollective::reduce_scatter, send, receive, 0, type, op), counts,
                            nullptr);
}

}  // namespace rondo::mpi::calls
