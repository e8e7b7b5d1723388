#pragma once

// What a communicator of two groups carries: who is in which, and how its requests are made.

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "mpi/intergroup/library.hpp"
#include "topology/groups.hpp"

namespace rondo::mpi {

struct IntergroupOptions {
  enum class Algorithm : std::uint8_t { group_allgather, root_gathering, ring_sequences, ring_allgather, ring_optimal };
  enum class BuildingBlocks : std::uint8_t { schedule, mpi };

  Algorithm algorithm = Algorithm::group_allgather;
  IntraAllgather allgather = IntraAllgather::bruck;
  Broadcast broadcast = Broadcast::binomial;
  BuildingBlocks building_blocks = BuildingBlocks::schedule;

  /// Throws MpiFailure with MPI_ERR_ARG for a name or a value that is none.
  void set(std::string_view option, std::string_view value);
};

/// Shared by the communicator it is attached to and the requests that were made on it.
struct IntergroupComm {
  std::unique_ptr<SubComm> ordered;  ///< the senders, then the receivers; none of the caller's messages travel on it
  Groups groups;
  Rank rank{};  ///< in `ordered`
  IntergroupOptions options = {};
};

/// Collective over the ranks of a communicator. Throws MpiFailure at every rank if a group is empty.
std::shared_ptr<IntergroupComm> intergroup_of(MPI_Comm comm, bool is_sender);
/// Collective: a duplicate of `comm` with the same attached.
MPI_Comm create_intergroup_comm(MPI_Comm comm, bool is_sender);

}  // namespace rondo::mpi
