#pragma once

// Files with the measured computing of programs, which runs replay. A file is JSON:
//   {"format": "rondo-computing", "programs": [{"program": CHECKSUM, "ranks": 4, "arguments": ["100"], "times":
//   TIMES}]}
// TIMES has a list for each rank: the nanoseconds of each of its spans between two calls of MPI that do not poll, or
// [NANOSECONDS, PARTS] where calls that poll part the span (engine/programs/computing.hpp).

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
  ComputedSpans spans = {};

  /// Whether it is of the same ranks and arguments.
  bool same_run(MeasuredProgram const& other) const { return ranks == other.ranks && arguments == other.arguments; }
};

/// The arguments of the program, with the values of {block}, {p} and {seed}.
std::vector<std::string> filled_arguments(problem::UserProgram const& problem);

/// The run of the problem, without its spans.
MeasuredProgram run_of(problem::UserProgram const& problem);

/// What the problem's file of times says of its run. Throws InputError if it says nothing, or was measured with another
/// program.
ComputedSpans measured_spans(problem::UserProgram const& problem);

/// The programs of such a file. Throws InputError, which names the key, for any other file.
std::vector<MeasuredProgram> measured_programs(std::string const& file);

/// The text of such a file.
std::string computing_text(std::vector<MeasuredProgram> const& programs);

/// The program that should be measured has failed.
class MeasureFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs the program and measures it, whatever its file says. Throws InputError if it cannot be run, and MeasureFailure.
MeasuredProgram measure_computing(problem::UserProgram const& problem, Platform const& machine,
                                  EngineOptions const& options);

}  // namespace rondo
