#pragma once

// Runs a schedule on SMPI. Each rank executes its rounds with this project's own MPI code (mpi/runtime), either with
// payload that is checked at the end, or without payload for the timing only.

#include <optional>
#include <string>
#include <vector>

#include "engine/smpi/payload.hpp"
#include "engine/smpi/rank_programs.hpp"
#include "mpi/runtime/operation.hpp"

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

  SmpiMachine const& machine_;
  Schedule const& schedule_;
  Collective const& collective_;
  std::optional<RankMemory> memory_;  ///< only with payload
  std::vector<mpi::Rounds> rounds_;   ///< only without payload: one for each program
};

}  // namespace rondo
