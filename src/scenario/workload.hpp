#pragma once

// The parts of the reader of workloads: the schema, the readers of lists of steps and of jobs, and the translation of
// errors in a part that is read as a scenario of its own.

#include <string>

#include "scenario/read.hpp"

namespace rondo::scenario {

/// Calls `read`, which reads a part of a scenario as a scenario of its own. If `read` throws a PlacedError, throws it
/// again with the place in the file, to which `place_of` translates its pointer.
template <typename PlaceOf, typename Read>
auto read_as_scenario(std::string const& file, PlaceOf place_of, Read read) {
  try {
    return read();
  } catch (PlacedError const& refused) {
    // error_at() adds the name of the file and the place, so the old ones are cut off.
    std::string const what = refused.what(), own = file + ": ", before = own + readable(refused.pointer()) + ": ";
    std::size_t const skipped = what.starts_with(before) ? before.size() : what.starts_with(own) ? own.size() : 0;
    throw error_at(file, place_of(refused.pointer()), what.substr(skipped));
  }
}

/// The schema of a scenario's collective of the kind workload.
Json workload_schema();

/// Reads the ranks, steps and repetitions of a workload without jobs, as a single job without a name. The file numbers
/// ranks from 0; the groups of the result number them from `first_rank`. Throws InputError with the place.
problem::Workload read_steps(Place const& collective, int first_rank, Setting const& setting);

/// Reads a list of jobs as one workload, and chooses the hosts of their ranks. Throws InputError with the place.
problem::Workload read_jobs(Place const& jobs, Setting const& setting);

}  // namespace rondo::scenario
