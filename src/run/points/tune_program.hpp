#pragma once

// The best algorithms for the collectives that a user's program calls, on one machine.
//
// The program runs as its scenario says, which tells what collectives it calls. Then it runs with each algorithm of one
// of these collectives at a time, and once with the best of all of them together.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/points/tune.hpp"

namespace rondo {

struct TriedAlgorithm {
  std::string algorithm;  ///< "-": the MPI library's own
  std::optional<Seconds> time;
  std::string error = {};  ///< why there is no time
};

struct TunedCollective {
  std::string collective;             ///< "allreduce"
  double share = 0;                   ///< of the time of the run as the scenario says
  std::vector<TriedAlgorithm> tried;  ///< the fastest first, those without a time last
};

struct ProgramDecisions {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  std::string scenario, title, version;
  int p = 0;
  std::vector<std::pair<std::string, scenario::Json>> axes;  ///< the sweep's, but for algorithm and block
  Seconds as_is;                                             ///< the time as the scenario says
  std::vector<TunedCollective> collectives;                  ///< the largest share first
  std::optional<Seconds>
      together;          ///< with the best of each; unset where fewer than two are faster than the run as it is
  Settings environment;  ///< of the fastest run, beyond the scenario's own; empty: none is faster
  Seconds fastest;
};

/// Whether the problem is a program that has no block to be searched.
bool is_fixed_program(scenario::Point const& point, std::string const& file);

/// Decides for each problem of the job that is in the part. Throws InputError for a program that is not linked with
/// librondo_mpi and for algorithms that none of its collectives has; TuneFailure where the program does not run.
std::vector<ProgramDecisions> tune_programs(Job const& job, TuneOptions const& options);

}  // namespace rondo
