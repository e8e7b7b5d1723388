#pragma once

// Isomorphic communicators and their persistent requests, behind the C interface of rondo/isomorphic.h.
// The state of a communicator is its torus, its neighborhood, and how its requests are made. The functions for
// requests give a rank its schedule and check that all ranks ask for the same.

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "mpi/runtime/operation.hpp"
#include "mpi/runtime/own_comm.hpp"
#include "mpi/runtime/slots.hpp"
#include "problem/isomorphic.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::mpi {

/// Options for the schedules of a communicator's requests, with the names and the defaults of scenarios.
struct IsoOptions {
  problem::IsomorphicAlgorithm algorithm = problem::IsomorphicAlgorithm::dimension_wise;
  problem::OrderRule alltoall_order = problem::OrderRule::given, allgather_order = problem::OrderRule::given;
  bool shortest_wrap = false;

  /// Sets "algorithm", "dimension_order" (for both collectives) or "shortest_wrap" ("true", "false"). Throws MpiFailure
  /// with MPI_ERR_ARG for any other option or value.
  void set(std::string_view option, std::string_view value);
};

/// The communicator and the requests that were made on it share this state.
struct IsoComm {
  std::unique_ptr<OwnComm> comm;  ///< carries the operations' messages, never the caller's
  Torus torus;
  Boundary boundary = Boundary::periodic;
  Neighborhood neighborhood;  ///< the caller's; coordinates that schedules cannot hold are replaced by equivalent ones
  IsoOptions options = {};
  Rank rank{};
  int requests = 0;  ///< made so far; equal at all ranks, which call in the same order

  /// The tag of the next request. Two requests have the same tag only if as many requests as MPI has tags lie between
  /// them.
  int next_tag();
};

/// The extents and the boundary of a grid.
struct Grid {
  std::vector<int> extents;
  Boundary boundary = Boundary::periodic;
};
/// Returns the grid on which the ranks of a duplicate of the caller's communicator lie.
using GridOf = std::function<Grid(MPI_Comm)>;

/// Collective. A duplicate of `comm` with an IsoComm attached; the s * d integers are its neighborhood. Throws
/// MpiFailure at every rank if one rank is wrong or if the ranks do not say the same.
MPI_Comm create_iso_comm(MPI_Comm comm, GridOf const& grid_of, int s, int const* coordinates);

/// Throws MpiFailure if there are more integers than a neighborhood may hold, or more extents than a torus may have. It
/// does so before it reads any of them.
void expect_list_fits(int s, int d);

/// The IsoComm attached to a communicator. Throws MpiFailure: MPI_ERR_COMM for MPI_COMM_NULL, MPI_ERR_TOPOLOGY for a
/// communicator without one.
std::shared_ptr<IsoComm> iso_comm(MPI_Comm comm);

using problem::NeighborCollective;

/// A request of the C interface. It keeps alive what its operation needs of the communicator it was made on.
struct IsoRequest {
  std::shared_ptr<IsoComm> home;
  Operation operation;
};

/// The schedule that all ranks follow, as on a torus. `sizes` are those of each neighbor's block, or the one that an
/// allgather sends.
Schedule schedule_of_all(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes);
/// With open dimensions, the schedule of this rank alone, without the blocks that do not exist; otherwise the schedule
/// of all ranks.
Schedule own_schedule(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes);

/// Collective. A rank that cannot call make_request calls this instead. It throws MpiFailure, as make_request then does
/// at the other ranks, with the largest code of all.
void refuse_request(IsoComm const& home, int code);

/// Collective. Makes the schedule of this rank and its messages. An allgather sends one block. Throws MpiFailure at
/// every rank if some rank describes its blocks wrongly, or if the ranks do not ask for the same.
std::unique_ptr<IsoRequest> make_request(std::shared_ptr<IsoComm> const& home, NeighborCollective collective,
                                         Blocks const& send, Blocks const& receive);

}  // namespace rondo::mpi
