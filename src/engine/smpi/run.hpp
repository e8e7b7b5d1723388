#pragma once

// The simulation itself, inside the child process: it sets up SimGrid and SMPI, runs the programs of all ranks, and
// reports the result.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/smpi/rank_programs.hpp"

namespace rondo {

/// Makes the programs of a simulation after its machine has been built. The reference to the machine stays valid.
using MakePrograms = std::function<std::unique_ptr<RankPrograms>(SmpiMachine& machine)>;

/// The settings of SMPI that programs need.
struct SmpiSettings {
  int stack_kib = 64;      ///< stack size of a rank; at least 64 is used, and 1024 with AddressSanitizer
  Bytes buffered{0};       ///< standard sends of up to this size do not wait for their receivers
  Seconds wtime{0};        ///< the time that a call of MPI_Wtime takes
  bool computing = false;  ///< whether computing takes time (engine/programs/computing.hpp)
  bool world = false;      ///< whether MPI_COMM_WORLD is a real communicator; else it is a placeholder
  /// Settings such as "smpi/coll-selector:mpich". If there are any, the collectives are set up again with them.
  std::vector<std::string> collectives = {};
  /// Set for user programs, which run under a keeper (process/run_in_child.hpp). simulation.cpp calls it in the child
  /// before run_smpi, with the private folder of the work.
  std::function<void(std::string const& folder)> enter = {};
};

/// The work of the child: simulates the programs on SimGrid/SMPI, and writes `ready` and one answer to the descriptor
/// `answer` (engine/answer.hpp). Call it once in a process, because SimGrid's clock and state cannot be reset. Throws
/// InputError if the platform cannot carry the ranks, or if `make` throws it. Ends the process itself.
[[noreturn]] void run_smpi(int ranks, MakePrograms const& make, SmpiSettings const& settings, Platform const& platform,
                           EngineOptions const& options, int answer);

}  // namespace rondo
