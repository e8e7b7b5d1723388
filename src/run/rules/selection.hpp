#pragma once

// Makes the selection file of librondo_mpi (docs/production.md) from simulations on a machine.

#include <string>
#include <vector>

#include "run/points/tune.hpp"

namespace rondo {

/// The text of the selection file: the fastest algorithms and schedules for the collectives of all jobs, with a rule
/// for each number of ranks and range of sizes. Sizes below the least and above the greatest examined one get the
/// nearest rule. Names of schedules are relative to `folder`, in which the file will be; empty: the working directory.
/// Throws InputError if a scenario's collective is not one of MPI's on all ranks, if the library does not have the
/// fastest algorithm, and if a collective has the same number of ranks twice. Throws TuneFailure as tune() does.
std::string selection_text(std::vector<Job> const& jobs, TuneOptions const& options, std::string const& folder);

}  // namespace rondo
