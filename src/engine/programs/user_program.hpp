#pragma once

// An MPI program that is not Rondo's, on the simulated machine: what smpirun does, with Rondo's own machine. Knows no
// MPI, so that run/ may ask for it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "engine/programs/program_image.hpp"

namespace rondo {

struct UserProgram {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  std::shared_ptr<ProgramImage const> image;
  std::string name;  ///< argv[0]
  std::vector<std::string> arguments = {};
  Settings environment = {};           ///< beside this process's own, of which RONDO_* are taken away
  std::string folder = {};             ///< in which it runs; empty: this one
  std::string selector = "default";    ///< the library whose algorithms SMPI's collectives take
  Settings algorithms = {};            ///< for single collectives: {"allgather", "ring"}
  Bytes buffered{0};                   ///< standard sends of up to so many bytes do not wait for their receivers
  Bytes stack{std::int64_t{8} << 20};  ///< of each rank; what is not used takes no memory
  Seconds wtime{0};                    ///< a call of MPI_Wtime takes so long
};

struct UserProgramRun {
  /// From the start of all ranks until the last main has returned; all messages, of MPI itself too. The makespan of a
  /// program that calls MPI_Pcontrol(1) is that of its timed regions: each begins with the first rank's MPI_Pcontrol(1)
  /// and ends with the last rank's MPI_Pcontrol(0), or with the program.
  Timing timing;
  Bytes most_sent;                            ///< by a rank, to others
  std::vector<CollectiveCalls> profile = {};  ///< where EngineOptions::calls asks for it; the longest time first
};

/// Runs the program in a child process, each rank in a loaded copy of its own: variables are private to ranks. Messages
/// take what the machine's linear timing says, those of a rank to itself nothing, computing nothing. A rank that
/// returns something else than 0, calls MPI_Abort, or ends without MPI_Finalize, is a Failure::exited; messages that
/// nobody has received when all ranks have returned are a Failure::unreceived.
/// Throws InputError as simulate_program does.
Outcome<UserProgramRun> simulate_user_program(int ranks, UserProgram const& program, Platform const& platform,
                                              EngineOptions const& options);

/// The names that SMPI has for the algorithms of a collective, "allgather"; but for those that are known to fail.
std::vector<std::string> collective_algorithms(std::string const& collective);

}  // namespace rondo
