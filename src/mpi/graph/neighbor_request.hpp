#pragma once

// The collectives of MPI's neighborhood chapter on any topology.

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "mpi/graph/neighbor_plan.hpp"
#include "mpi/graph/process_topology.hpp"
#include "mpi/runtime/operation.hpp"
#include "mpi/runtime/progress.hpp"
#include "mpi/runtime/slots.hpp"

namespace rondo::mpi {

/// The blocks of a rank, as a caller of MPI describes them. Lists that MPI takes as ints are kept here as addresses.
struct NeighborCall {
  using Kind = NeighborCollective;
  Kind kind = Kind::alltoall;
  Blocks send, receive;  ///< their numbers are set from the topology: an allgather sends one block
  int const* send_displacements = nullptr;
  int const* receive_displacements = nullptr;
  NeighborForm form = NeighborForm::blocking;

  /// Whether MPI asks for blocks of one size at all ranks.
  bool one_size() const {
    return send.given_counts == Blocks::Given::for_all && receive.given_counts == Blocks::Given::for_all;
  }
};

/// A collective operation of a rank. It keeps alive what it needs of the communicator it was made on.
class NeighborRequest {
 public:
  NeighborRequest(std::shared_ptr<CarriedTopology> home, SingleRound const& round, int failure);
  NeighborRequest(std::shared_ptr<CarriedTopology> home, CombinedPlan plan, Rank self, int failure);
  ~NeighborRequest();
  NeighborRequest(NeighborRequest const&) = delete;
  NeighborRequest& operator=(NeighborRequest const&) = delete;

  void start() { Progress::of_this_process().start(operation_); }
  bool active() const { return operation_.active(); }
  /// Waits. Throws MpiFailure: what was wrong with this rank's arguments, or with the blocks that it received.
  void wait();
  /// The caller's communicator, until it is freed.
  std::shared_ptr<MPI_Comm const> carrier() const { return {home_, &home_->carrier}; }
  /// The error of the operation, or MPI_SUCCESS. To be called while the operation is not active.
  int failure() const { return failure_ != MPI_SUCCESS ? failure_ : operation_.failure(); }

 private:
  std::shared_ptr<CarriedTopology> home_;
  int failure_;
  Operation operation_;
};

/// Collective, and local unless neighbor_plan.hpp says otherwise: makes what this rank does. A rank whose arguments are
/// wrong does its part with empty blocks, so that its neighbors do not wait for it in vain, and are told too: they
/// receive less than they asked for. Throws MpiFailure, MPI_ERR_COMM or MPI_ERR_TOPOLOGY, on a communicator without a
/// topology.
std::unique_ptr<NeighborRequest> make_request(MPI_Comm comm, NeighborCall const& call);
std::unique_ptr<NeighborRequest> make_request(std::shared_ptr<CarriedTopology> home, NeighborCall const& call);

}  // namespace rondo::mpi
