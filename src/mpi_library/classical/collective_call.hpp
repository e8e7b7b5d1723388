#pragma once

// Classical collectives by Rondo's schedules, in place of the MPI library's own: the arguments of a call in one form
// for all collectives, and the functions that carry it out.

#include <mpi.h>

#include <memory>
#include <optional>

#include "topology/classical_collective.hpp"

namespace rondo::mpi {

class ClassicalRequest;

/// A call of a collective, on a vector of `count` elements or on blocks. Fields that a kind of collective does not have
/// keep their initial values.
struct CollectiveCall {
  ClassicalCollective collective{};
  void const* send = nullptr;  ///< in a bcast the buffer of all ranks; MPI_IN_PLACE where MPI allows it
  int send_count = 0;
  MPI_Datatype send_type = MPI_DATATYPE_NULL;
  void* receive = nullptr;
  int receive_count = 0;
  MPI_Datatype receive_type = MPI_DATATYPE_NULL;
  int const* counts = nullptr;         ///< by rank, of the data that a v variant brings to this rank, if any
  int const* displacements = nullptr;  ///< by rank, the displacements of these data
  int const* send_counts = nullptr;    ///< by rank, the counts of the data that it sends in a scatterv or an alltoallv
  int const* send_displacements = nullptr;
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  bool by_counts = false;  ///< a v variant

  friend bool operator==(CollectiveCall const&, CollectiveCall const&) = default;
};

/// Carries the collective out, at once, by the algorithm that was chosen for it (choice.hpp), and returns an error
/// class. It does nothing and returns nothing in these cases: no algorithm is chosen; the arguments are wrong, so that
/// the library's own function reports it; the communicator has two groups or a single rank; the algorithm cannot work
/// with this number of ranks or with an operator that does not commute, which rank 0 says once on standard error. All
/// ranks must have been given the same choices.
///
/// A schedule for an operator that does not commute is used only after a proof that it keeps the order of ranks. In a
/// gatherv, scatterv or alltoallv a rank knows only its own sizes, so that algorithms in which other ranks pass on its
/// blocks cannot be used.
std::optional<int> by_choice(CollectiveCall const& call, MPI_Comm comm);

/// Whether the arguments of the calling rank are right, as far as it can tell, on a communicator of one group and
/// several ranks. Throws MpiFailure.
bool is_usable(CollectiveCall const& call, MPI_Comm comm);

/// Makes an operation of the call, which can be started, and started again; null if the library's own has to be used.
/// If no info was given for the communicator, its first collective waits for all ranks. Throws MpiFailure.
std::unique_ptr<ClassicalRequest> requested_by_choice(CollectiveCall const& call, MPI_Comm comm);

/// Takes the choices in an info for a communicator. Throws MpiFailure with MPI_ERR_INFO_VALUE for values that cannot be
/// read.
void take_hints(MPI_Comm comm, MPI_Info info);

}  // namespace rondo::mpi
