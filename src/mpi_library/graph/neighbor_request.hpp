#pragma once

// The neighborhood collectives of MPI [MPI 4.1, 8.6], on any topology: their arguments in one form, and their requests.

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "mpi/runtime/operation.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/calls/progress.hpp"
#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/graph/neighbor_plan.hpp"
#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

/// The blocks of a rank in the form of MPI's arguments. Lists that MPI takes as ints are stored here as addresses.
struct NeighborCall {
  using Kind = NeighborCollective;
  Kind kind = Kind::alltoall;
  Blocks send, receive;  ///< their numbers are set from the topology: an allgather sends one block
  int const* send_displacements = nullptr;
  int const* receive_displacements = nullptr;
  NeighborForm form = NeighborForm::blocking;

  /// Whether MPI requires that blocks have one size at all ranks.
  bool one_size() const {
    return send.given_counts == Blocks::Given::for_all && receive.given_counts == Blocks::Given::for_all;
  }
};

/// A collective operation of a rank. It keeps alive everything that it needs from its communicator.
class NeighborRequest : public RequestOperation {
 public:
  NeighborRequest(std::shared_ptr<AttachedTopology> home, SingleRound const& round, int failure);
  NeighborRequest(std::shared_ptr<AttachedTopology> home, CombinedPlan plan, Rank self, int failure);
  ~NeighborRequest() override;
  NeighborRequest(NeighborRequest const&) = delete;
  NeighborRequest& operator=(NeighborRequest const&) = delete;

  void start() override { Progress::of_this_process().start(operation_); }
  bool active() const override { return operation_.active(); }
  /// Throws MpiFailure for an error in this rank's arguments, or in the blocks that it received.
  void wait() override;
  void finish() override;
  std::shared_ptr<MPI_Comm const> comm() const override { return {home_, &home_->carrier}; }
  /// Notes another error in this rank's arguments, which is reported first; MPI_SUCCESS notes none.
  void fail(int code) {
    if (code != MPI_SUCCESS) failure_ = code;
  }
  /// Sets the work that remains after the blocks have arrived, such as that of a reduction.
  void then(std::function<void()> work) { then_ = std::move(work); }

 private:
  std::shared_ptr<AttachedTopology> home_;
  int failure_;
  std::function<void()> then_;
  Operation operation_;
};

/// Makes the operation of this rank. Collective, but local unless neighbor_plan.hpp says otherwise. A rank with wrong
/// arguments does its part with empty blocks, so that its neighbors do not wait for it in vain; they notice the error
/// because they receive less than they asked for. Throws MpiFailure: MPI_ERR_COMM or MPI_ERR_TOPOLOGY on a communicator
/// without a topology, MPI_ERR_TOPOLOGY on a graph in which, as all ranks know, an edge does not lead back.
std::unique_ptr<NeighborRequest> make_request(MPI_Comm comm, NeighborCall const& call);
std::unique_ptr<NeighborRequest> make_request(std::shared_ptr<AttachedTopology> home, NeighborCall const& call);

/// Starts the operation, waits for it and finishes it. Throws MpiFailure.
void carry_out(NeighborRequest& request);

}  // namespace rondo::mpi
