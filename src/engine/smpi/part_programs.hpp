#pragma once

// Runs the parts of ranks (schedule/parts.hpp) on SMPI. Each part is an MPI process of its own, on the host of its
// rank, and uses the ports and the CPU of its rank.

#include <simgrid/s4u/Semaphore.hpp>
#include <vector>

#include "engine/smpi/rank_programs.hpp"
#include "mpi/runtime/operation.hpp"
#include "schedule/parts.hpp"

namespace rondo {

/// The programs of all parts of one simulation. Each part takes the place of a rank.
class PartPrograms : public RankPrograms {
 public:
  /// The parts and the machine must outlive this object. Throws InputError for a message that MPI cannot count.
  PartPrograms(Parts const& parts, SmpiMachine const& machine);

  /// Runs a part from MPI_Init to MPI_Finalize: waits for its predecessors, then calculates or runs its rounds.
  void run(Rank part) override;
  bool moves_payload() const override { return false; }
  Noise noise(Platform const& platform, EngineOptions const& options) const override {
    return {platform, options, &parts_};
  }

 private:
  /// Waits until all predecessors of the part have ended, and until its rank has arrived.
  void await_predecessors(Rank part) const;
  void run_rounds(Rank part);

  SmpiMachine const& machine_;
  Parts const& parts_;
  Successors successors_;
  std::vector<mpi::Rounds> rounds_;                            ///< by part
  std::vector<simgrid::s4u::SemaphorePtr> predecessor_ended_;  ///< by part: released once by each of its predecessors
};

}  // namespace rondo
