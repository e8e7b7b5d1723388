#pragma once

// How SMPI runs a schedule: each rank executes its rounds as the MPI library of this project does (mpi/runtime), with
// payload that is checked in the end, or without payload for the timing alone.

#include <optional>
#include <string>
#include <vector>

#include "engine/smpi/payload.hpp"
#include "engine/smpi/rank_programs.hpp"
#include "mpi/runtime/operation.hpp"

namespace rondo {

/// Each rank runs its part of a schedule.
class SchedulePrograms : public RankPrograms {
 public:
  /// Throws InputError, without payload, for a message that MPI cannot count.
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
  std::optional<RankMemory> memory_;  ///< with payload
  std::vector<mpi::Rounds> rounds_;   ///< without: one a program
};

}  // namespace rondo
