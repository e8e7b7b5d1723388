#pragma once

// How the reader of workloads takes them apart: lists of steps, and jobs that have one each.

#include <string>

#include "scenario/read.hpp"

namespace rondo::scenario {

/// The result of `read`, which reads a part of a scenario as a scenario of its own. `place_of` says where in the file
/// stands what is refused at a pointer of that one.
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

/// The ranks, steps and repetitions of a workload without jobs, as one job without a name. Its ranks begin with
/// `first_rank` in the groups of steps; the job counts them from 0.
problem::Workload read_steps(Place const& collective, int first_rank, Setting const& setting);

/// The jobs of a list, with the hosts of their ranks.
problem::Workload read_jobs(Place const& jobs, Setting const& setting);

}  // namespace rondo::scenario
