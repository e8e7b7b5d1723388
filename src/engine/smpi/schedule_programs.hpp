#pragma once

// Runs schedules in rounds on SMPI, with this project's own MPI code (mpi/runtime).
// SchedulePrograms runs a schedule of ranks, either with payload that is checked at the end, or without payload for
// the timing only.
// PartPrograms runs the parts of ranks (schedule/parts.hpp). Each part is an MPI process of its own, on the host of
// its rank, and uses the ports and the CPU of its rank.

#include <optional>
#include <simgrid/s4u/Semaphore.hpp>
#include <string>
#include <vector>

#include "engine/smpi/payload.hpp"
#include "engine/smpi/rank_programs.hpp"
#include "mpi/runtime/operation.hpp"
#include "schedule/parts.hpp"

namespace rondo {

/// The programs of all ranks of a schedule.
class SchedulePrograms : public RankPrograms {
 public:
  /// Throws InputError, if payload is not moved, for a message that MPI cannot count.
  SchedulePrograms(Schedule const& schedule, Collective const& collective, SmpiMachine const& machine, Payload payload);

  void run(Rank rank) override;
  bool moves_payload() const override { return memory_.has_value(); }
  bool verifies_payload() const override { return memory_.has_value(); }
  /// The first owed block that is not in its place, if payload was moved.
  std::optional<std::string> wrong_data() override;

 private:
  void time(Rank rank, mpi::Operation&& operation);

  Schedule const& schedule_;
  Collective const& collective_;
  std::optional<RankMemory> memory_;  ///< only with payload
  std::vector<mpi::Rounds> rounds_;   ///< only without payload: one for each program
};

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

  Parts const& parts_;
  Successors successors_;
  std::vector<mpi::Rounds> rounds_;                            ///< by part
  std::vector<simgrid::s4u::SemaphorePtr> predecessor_ended_;  ///< by part: released once by each of its predecessors
};

}  // namespace rondo
