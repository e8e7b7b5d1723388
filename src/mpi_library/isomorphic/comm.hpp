#pragma once

// What an isomorphic communicator carries: the torus, the neighborhood and the way its requests are made.

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "mpi/runtime/own_comm.hpp"
#include "problem/isomorphic.hpp"
#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::mpi {

/// How the schedules of a communicator's requests are made, in the words of scenarios and with their defaults.
struct IsoOptions {
  problem::IsomorphicAlgorithm algorithm = problem::IsomorphicAlgorithm::dimension_wise;
  problem::OrderRule alltoall_order = problem::OrderRule::given, allgather_order = problem::OrderRule::given;
  bool shortest_wrap = false;

  /// "algorithm", "dimension_order" (of both collectives) or "shortest_wrap" ("true", "false"). Throws MpiFailure with
  /// MPI_ERR_ARG for another option or value.
  void set(std::string_view option, std::string_view value);
};

/// Shared by the communicator it is attached to and the requests that were made on it.
struct IsoComm {
  std::unique_ptr<OwnComm> comm;  ///< carries the operations' messages, never the caller's
  Torus torus;
  Boundary boundary = Boundary::periodic;
  Neighborhood neighborhood;  ///< the caller's; coordinates that schedules cannot hold are replaced by equivalent ones
  IsoOptions options = {};
  Rank rank{};
  int requests = 0;  ///< made so far, at all ranks alike

  /// The tag of the next request: two requests have the same one only if as many as MPI has tags lie between them.
  int next_tag();
};

struct Grid {
  std::vector<int> extents;
  Boundary boundary = Boundary::periodic;
};
/// Says on which grid a duplicate of the caller's communicator stands.
using GridOf = std::function<Grid(MPI_Comm)>;

/// Collective: a duplicate of `comm` with an IsoComm attached; its neighborhood are the s * d integers. Throws
/// MpiFailure at every rank if at one rank something is wrong or if they do not say the same.
MPI_Comm create_iso_comm(MPI_Comm comm, GridOf const& grid_of, int s, int const* coordinates);

/// Throws MpiFailure for more integers than a neighborhood may hold, or a torus have extents, before any of them is
/// read.
void expect_list_fits(int s, int d);

/// The IsoComm attached to a communicator. Throws MpiFailure: MPI_ERR_COMM for MPI_COMM_NULL, MPI_ERR_TOPOLOGY for a
/// communicator without one.
std::shared_ptr<IsoComm> iso_comm(MPI_Comm comm);

}  // namespace rondo::mpi
