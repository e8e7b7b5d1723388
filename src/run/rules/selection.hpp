#pragma once

// The selection file of librondo_mpi (docs/production.md), from simulations on a machine.

#include <string>
#include <vector>

#include "run/points/tune.hpp"

namespace rondo {

/// The fastest algorithms and schedules of all jobs' collectives, a rule for each number of ranks and range of sizes.
/// Sizes below the least and above the greatest that were looked at have the nearest rule. Names of schedules are
/// relative to `folder`, where the file will be. Throws InputError where a scenario's collective is none of MPI's on
/// all ranks, where the library cannot do what is the fastest, and where a collective has the same number of ranks
/// twice; TuneFailure.
std::string selection_text(std::vector<Job> const& jobs, TuneOptions const& options, std::string const& folder);

}  // namespace rondo
