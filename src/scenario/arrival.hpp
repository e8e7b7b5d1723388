#pragma once

// The key `arrival`: when ranks come to the collective.

#include "problem/arrival.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {

extern char const* const arrival_schema;

/// Throws InputError, with the place, for a list or a file that has not a time for each rank.
problem::Arrival read_arrival(Place const& arrival, int ranks);

}  // namespace rondo::scenario
