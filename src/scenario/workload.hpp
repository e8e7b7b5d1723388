#pragma once

// The schema of workloads, and the two parts of their reader: lists of steps, and jobs that have one list each.

#include <string>

#include "scenario/read.hpp"

namespace rondo::scenario {

/// Calls `read`, which reads a part of a scenario as a scenario of its own. `place_of` translates the pointer of an
/// error in that scenario to the place in the file.
template <typename PlaceOf, typename Read>
auto read_elsewhere(std::string const& file, PlaceOf place_of, Read read) {
  try {
    return read();
  } catch (PlacedError const& refused) {
    std::string const what = refused.what(), own = file + ": ", before = own + readable(refused.pointer()) + ": ";
    std::size_t const skipped = what.starts_with(before) ? before.size() : what.starts_with(own) ? own.size() : 0;
    throw error_at(file, place_of(refused.pointer()), what.substr(skipped));
  }
}

/// The schema of a scenario's collective of the kind workload.
Json workload_schema();

/// The ranks, steps and repetitions of a workload without jobs, as a single job without a name. The ranks in the groups
/// of its steps begin with `first_rank`; the job counts them from 0.
problem::Workload read_steps(Place const& collective, int first_rank, Setting const& setting);

/// The jobs of a list, with the hosts of their ranks.
problem::Workload read_jobs(Place const& jobs, Setting const& setting);

}  // namespace rondo::scenario
