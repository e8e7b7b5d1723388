#pragma once

// The measured computing of users' programs, which runs replay, and the measurement of it. A file of times is JSON:
// {"format": "rondo-computing", "programs": [PROGRAM, ...]}
// PROGRAM is {"program": CHECKSUM, "ranks": 4, "arguments": ["100"], "times": TIMES}, with the checksum of its
// files. TIMES has a list for each rank: the nanoseconds of each of its spans between two calls of MPI that do not
// poll, or [NANOSECONDS, PARTS] where calls that poll part the span (engine/programs/computing.hpp).

#include <stdexcept>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/programs/computing.hpp"
#include "problem/programs.hpp"

namespace rondo {

/// The computing of a program on so many ranks, with these arguments.
struct MeasuredProgram {
  std::string program;  ///< the checksum of its files
  int ranks = 0;
  std::vector<std::string> arguments;
  ComputedSpans spans = {};  ///< by rank; empty if it is not measured

  /// Whether both have the same number of ranks and the same arguments. Checksums are not compared.
  bool same_run(MeasuredProgram const& other) const { return ranks == other.ranks && arguments == other.arguments; }
};

/// The arguments of the program, in which {block}, {p} and {seed} are replaced by their values.
std::vector<std::string> filled_arguments(problem::UserProgram const& problem);

/// The run of the problem, without its spans. Reads the program's files for their checksum.
MeasuredProgram run_of(problem::UserProgram const& problem);

/// The spans of the problem's run in its file of times (problem.computing must be set). Throws InputError if there is
/// no such file, if it lacks the run, or if the program has changed since it was measured.
ComputedSpans measured_spans(problem::UserProgram const& problem);

/// The programs of such a file. Throws InputError, which names the key /collective/computing/times, for a file in
/// another format or with impossible times.
std::vector<MeasuredProgram> measured_programs(std::string const& file);

/// The text of such a file, with a line for each rank, so that it can be read and compared.
std::string computing_text(std::vector<MeasuredProgram> const& programs);

/// Says that the program that should be measured has failed.
class MeasureFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs the program and measures it, even if its file has times already. Throws InputError if it cannot be run, and
/// MeasureFailure if the run fails.
MeasuredProgram measure_computing(problem::UserProgram const& problem, Platform const& machine,
                                  EngineOptions const& options);

}  // namespace rondo
