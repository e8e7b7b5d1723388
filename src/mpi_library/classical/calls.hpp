#pragma once

// The calls of MPI's classical collectives, as collective_call.hpp takes them, from the arguments of their functions
// without the communicator. The types of the arguments say which function it is: MPI_Gather has a count where
// MPI_Gatherv has lists.

#include <mpi.h>

#include "mpi_library/classical/collective_call.hpp"

namespace rondo::mpi::calls {

/// MPI_Barrier.
inline CollectiveCall of(ClassicalCollective collective) { return {.collective = collective}; }

/// MPI_Gather, MPI_Scatter, MPI_Allgather and MPI_Alltoall.
inline CollectiveCall of(ClassicalCollective collective, void const* send, int send_count, MPI_Datatype send_type,
                         void* receive, int receive_count, MPI_Datatype receive_type, int root = 0) {
  return {.collective = collective,
          .send = send,
          .send_count = send_count,
          .send_type = send_type,
          .receive = receive,
          .receive_count = receive_count,
          .receive_type = receive_type,
          .root = root};
}

/// MPI_Bcast.
inline CollectiveCall of(ClassicalCollective collective, void* buffer, int count, MPI_Datatype type, int root) {
  return of(collective, buffer, count, type, buffer, count, type, root);
}

/// MPI_Reduce, MPI_Allreduce, MPI_Reduce_scatter_block, MPI_Scan and MPI_Exscan.
inline CollectiveCall of(ClassicalCollective collective, void const* send, void* receive, int count, MPI_Datatype type,
                         MPI_Op op, int root = 0) {
  CollectiveCall call = of(collective, send, count, type, receive, count, type, root);
  call.op = op;
  return call;
}

/// Data that comes to a rank has a count and a displacement for each source.
inline CollectiveCall received_by_counts(CollectiveCall call, int const* counts, int const* displacements) {
  call.by_counts = true;
  call.counts = counts;
  call.displacements = displacements;
  return call;
}

/// Data that a rank sends has them for each target.
inline CollectiveCall sent_by_counts(CollectiveCall call, int const* counts, int const* displacements) {
  call.by_counts = true;
  call.send_counts = counts;
  call.send_displacements = displacements;
  return call;
}

/// MPI_Gatherv and MPI_Allgatherv.
inline CollectiveCall of(ClassicalCollective collective, void const* send, int send_count, MPI_Datatype send_type,
                         void* receive, int const* counts, int const* displacements, MPI_Datatype receive_type,
                         int root = 0) {
  CollectiveCall const call = of(collective, send, send_count, send_type, receive, 0, receive_type, root);
  return received_by_counts(call, counts, displacements);
}

/// MPI_Scatterv.
inline CollectiveCall of(ClassicalCollective collective, void const* send, int const* counts, int const* displacements,
                         MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type,
                         int root) {
  CollectiveCall const call = of(collective, send, 0, send_type, receive, receive_count, receive_type, root);
  return sent_by_counts(call, counts, displacements);
}

/// MPI_Alltoallv.
inline CollectiveCall of(ClassicalCollective collective, void const* send, int const* send_counts,
                         int const* send_displacements, MPI_Datatype send_type, void* receive, int const* counts,
                         int const* displacements, MPI_Datatype receive_type) {
  CollectiveCall const call = of(collective, send, 0, send_type, receive, 0, receive_type);
  return received_by_counts(sent_by_counts(call, send_counts, send_displacements), counts, displacements);
}

/// MPI_Reduce_scatter.
inline CollectiveCall of(ClassicalCollective collective, void const* send, void* receive, int const* counts,
                         MPI_Datatype type, MPI_Op op) {
  return received_by_counts(of(collective, send, receive, 0, type, op), counts, nullptr);
}

}  // namespace rondo::mpi::calls
