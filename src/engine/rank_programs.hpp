#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/payload.hpp"
#include "mpi/parcels.hpp"

namespace rondo {

/// The MPI programs of all ranks of one simulation, as actors of one process: each runs the schedule, and notes when it
/// started and finished.
class RankPrograms {
 public:
  /// Throws InputError, without payload, for a message that MPI cannot count.
  RankPrograms(Schedule const& schedule, Collective const& collective, bool verified);

  /// What a rank does from MPI_Init to MPI_Finalize; to be called in its actor.
  void run(Rank rank);

  /// Once all have finished: makespan, finish times and whether payload was verified.
  Timing timing() const;
  /// The first owed block that is not in its place, if payload was moved.
  std::optional<std::string> wrong_data();
  /// The first ranks that have not finished, and the round each waits in.
  std::string waiting() const;

 private:
  struct Progress {
    double start = 0;
    double finish = 0;
    int round = 0;
    bool finished = false;
  };

  void execute(Rank rank, mpi::Parcels const& parcels, mpi::Buffers const* buffers);

  Schedule const& schedule_;
  Collective const& collective_;
  std::vector<Progress> progress_;
  std::optional<RankMemory> memory_;      ///< with payload
  std::vector<mpi::PlainParcels> plain_;  ///< without: one a program
};

}  // namespace rondo
