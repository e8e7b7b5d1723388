#pragma once

// Finds the best algorithms for the collectives that a user's program calls, on one machine.
//
// First the program runs as its scenario says, which shows the collectives that it calls. Then it runs once with each
// algorithm of each of these collectives, and once with the best ones of all collectives together.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/points/tune.hpp"

namespace rondo {

/// An algorithm and the time of the program with it.
struct TriedAlgorithm {
  std::string algorithm;  ///< "-": the MPI library's own
  std::optional<Seconds> time;
  std::string error = {};  ///< why there is no time
};

/// A collective that the program calls.
struct TunedCollective {
  std::string collective;             ///< "allreduce"
  double share = 0;                   ///< of the time of the run as the scenario says
  std::vector<TriedAlgorithm> tried;  ///< the fastest first, those without a time last
};

/// The decisions for one program.
struct ProgramDecisions {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  std::string scenario, title, version;
  int p = 0;
  std::vector<std::pair<std::string, scenario::Json>> axes;  ///< the sweep's, but for algorithm and block
  Seconds as_is;                                             ///< the time as the scenario says
  std::vector<TunedCollective> collectives;                  ///< the largest share first
  std::optional<Seconds> together;  ///< with the best of each; unset unless at least two are faster than the first run
  Settings environment;             ///< of the fastest run, beyond the scenario's own; empty: none is faster
  Seconds fastest;
};

/// Whether the problem is a program without a block whose size could be varied.
bool is_fixed_program(scenario::Point const& point, std::string const& file);

/// Decides for each problem of the job in the part. Throws InputError if a program is not linked with librondo_mpi, and
/// for an algorithm that none of its collectives has. Throws TuneFailure if the program does not run.
std::vector<ProgramDecisions> tune_programs(Job const& job, TuneOptions const& options);

}  // namespace rondo
