#pragma once

// Makes the selection file of librondo_mpi (docs/production.md) from simulations on a machine.

#include <string>
#include <vector>

#include "run/points/tune.hpp"

namespace rondo {

/// The fastest algorithms and schedules for the collectives of all jobs, with a rule for each number of ranks and range
/// of sizes. Sizes below the least and above the greatest examined one get the nearest rule. Names of schedules are
/// relative to `folder`, in which the file will be. Throws InputError if a scenario's collective is not one of MPI's on
/// all ranks, if the library cannot do what is fastest, and if a collective has the same number of ranks twice;
/// TuneFailure.
std::string selection_text(std::vector<Job> const& jobs, TuneOptions const& options, std::string const& folder);

}  // namespace rondo
