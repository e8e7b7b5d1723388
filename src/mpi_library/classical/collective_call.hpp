#pragma once

// Classical collectives by Rondo's schedules, in place of the MPI library's own.

#include <mpi.h>

#include <memory>
#include <optional>

#include "mpi_library/calls/requested.hpp"
#include "topology/classical_collective.hpp"

namespace rondo::mpi {

/// A collective as it is called, of a vector of `count` elements or of blocks. What a kind does not have is left out.
struct CollectiveCall {
  ClassicalCollective collective{};
  void const* send = nullptr;  ///< in a bcast the buffer of all ranks; MPI_IN_PLACE where MPI allows it
  int send_count = 0;
  MPI_Datatype send_type = MPI_DATATYPE_NULL;
  void* receive = nullptr;
  int receive_count = 0;
  MPI_Datatype receive_type = MPI_DATATYPE_NULL;
  int const* counts = nullptr;         ///< by rank, of what a v variant brings to the calling rank, if anything
  int const* displacements = nullptr;  ///< by rank, of that
  int const* send_counts = nullptr;    ///< by rank, of what it sends in a scatterv or an alltoallv
  int const* send_displacements = nullptr;
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  bool by_counts = false;  ///< a v variant
};

/// Carries the collective out, at once, by the algorithm that was chosen for it (choice.hpp), and returns an error
/// class. Nothing is done, and nothing returned, where none is chosen; where the arguments are wrong, so that the
/// library's own says so; on inter-communicators and those of one rank; and where the algorithm cannot do it with so
/// many ranks or with an operator that does not commute, which rank 0 says once on standard error. The ranks must have
/// been told alike.
///
/// A schedule of an operator that does not commute is proved to keep the order of ranks before it is followed. Of a
/// gatherv, scatterv or alltoallv a rank knows its own sizes only: algorithms by which others pass on its blocks cannot
/// do them.
std::optional<int> by_choice(CollectiveCall const& call, MPI_Comm comm);

/// Makes an operation to be started, and again if need be, of the call; null where the library's own is to be used.
/// Where the communicator was not told by an info, the first collective of it waits for all ranks. Throws MpiFailure.
std::unique_ptr<Requested> requested_by_choice(CollectiveCall const& call, MPI_Comm comm);

/// What an info tells a communicator. Throws MpiFailure, MPI_ERR_INFO_VALUE for what cannot be read.
void take_hints(MPI_Comm comm, MPI_Info info);

}  // namespace rondo::mpi
