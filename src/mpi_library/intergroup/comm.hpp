#pragma once

// The state of a communicator of two groups: which rank is in which group, and how its requests are made.

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "mpi/runtime/library_intergroup.hpp"
#include "problem/intergroup.hpp"

namespace rondo::mpi {

/// The communicator and the requests that were made on it share this state.
struct IntergroupComm {
  std::unique_ptr<SubComm> ordered;  ///< the senders, then the receivers; carries no messages of the caller
  problem::Intergroup problem;       ///< the problem of its requests, without the sizes of their blocks
  Rank rank{};                       ///< in `ordered`
};

/// Sets "algorithm", "allgather", "broadcast" or "building_blocks" to a name of problem/enums.hpp, or "torus" to
/// extents. Throws MpiFailure with MPI_ERR_ARG for another option or name, MPI_ERR_DIMS for too many ranks.
void set_option(problem::Intergroup& problem, std::string_view option, std::string_view value);

/// Collective over the ranks of a communicator. `code` is the error that this rank has found before. Throws MpiFailure
/// at every rank if a group is empty, or if some rank has found an error.
std::shared_ptr<IntergroupComm> intergroup_of(MPI_Comm comm, bool is_sender, int code = MPI_SUCCESS);
/// Collective. A duplicate of `comm` with the same state attached.
MPI_Comm create_intergroup_comm(MPI_Comm comm, bool is_sender, int code = MPI_SUCCESS);

}  // namespace rondo::mpi
