#pragma once

// A user's MPI program on the simulated machine, as smpirun runs it, but with Rondo's model of machines. The header
// names nothing of MPI, so that run/ may include it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "engine/programs/computing.hpp"
#include "engine/programs/program_image.hpp"

namespace rondo {

/// A program with all settings of its run.
struct UserProgram {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  std::shared_ptr<ProgramImage const> image;
  std::string name;  ///< argv[0]
  std::vector<std::string> arguments = {};
  Settings environment = {};           ///< in addition to this process's own environment, of which RONDO_* are removed
  std::string input = {};              ///< the file that rank 0 reads as its standard input; empty: none
  std::string folder = {};             ///< the folder in which it runs; empty: the current one
  std::string selector = "default";    ///< the library whose algorithms SMPI uses for collectives
  Settings algorithms = {};            ///< for single collectives: {"allgather", "ring"}
  Bytes buffered{0};                   ///< standard sends of up to this size do not wait for their receivers
  Bytes stack{std::int64_t{8} << 20};  ///< of each rank; unused parts take no memory
  Seconds wtime{0};                    ///< the time that a call of MPI_Wtime takes
  std::optional<Computing> computing = {};  ///< unset: computing takes no time
};

/// The result of a run.
struct UserProgramRun {
  /// From the start of all ranks until the last main has returned. It counts all messages, including those of MPI
  /// itself. If a program calls MPI_Pcontrol(1), the makespan is that of its timed regions. Each region begins with the
  /// first rank's MPI_Pcontrol(1) and ends with the last rank's MPI_Pcontrol(0), or with the program.
  Timing timing;
  Bytes most_sent;                            ///< by the rank that sends the most to other ranks
  std::vector<CollectiveCalls> profile = {};  ///< only if EngineOptions::calls asks for it; the longest time first
  ComputedSpans computed = {};                ///< if computing is measured
};

/// Runs the program in a child process. Each rank has a loaded copy of its own, so variables are private to ranks.
/// Messages take the time of the machine's timing; messages of a rank to itself take none. If a rank
/// returns another value than 0, calls MPI_Abort, or ends without MPI_Finalize, the result is a Failure::exited. If
/// messages are left unreceived when all ranks have returned, it is a Failure::unreceived. Throws InputError as
/// simulate_program does.
Outcome<UserProgramRun> simulate_user_program(int ranks, UserProgram const& program, Platform const& platform,
                                              EngineOptions const& options);

/// SMPI's names of the algorithms of a collective, such as "allgather", without those that are known to fail.
std::vector<std::string> collective_algorithms(std::string const& collective);

}  // namespace rondo
