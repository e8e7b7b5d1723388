#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/smpi/rank_programs.hpp"

namespace rondo {

/// Makes the programs of a simulation once its machine stands, which stays where it is while they run.
using MakePrograms = std::function<std::unique_ptr<RankPrograms>(SmpiMachine& machine)>;

/// What programs need of SMPI.
struct SmpiSettings {
  int stack_kib = 64;  ///< stack size of a rank
  Bytes buffered{0};   ///< standard sends of up to so many bytes do not wait for their receivers
  Seconds wtime{0};    ///< a call of MPI_Wtime takes so long
  bool world = false;  ///< MPI_COMM_WORLD is a communicator as any other; else a placeholder
  /// "smpi/coll-selector:mpich"; the collectives are set up once more by these, if there are any.
  std::vector<std::string> collectives = {};
  /// Set where programs of others run, which are kept apart (process/run_in_child.hpp): called first in the child, with
  /// its private folder.
  std::function<void(std::string const& folder)> enter = {};
};

/// The child's whole work: simulates the programs on SimGrid/SMPI and writes `ready` and one answer (see answer.hpp).
/// Once a process: SimGrid's clock and state cannot be set back. Throws InputError for a platform that cannot carry the
/// ranks. Ends the process itself.
[[noreturn]] void run_smpi(int ranks, MakePrograms const& make, SmpiSettings const& settings, Platform const& platform,
                           EngineOptions const& options, int answer);

}  // namespace rondo
