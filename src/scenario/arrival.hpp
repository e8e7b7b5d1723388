#pragma once

// The key `arrival`: when ranks come to the collective.

#include "problem/arrival.hpp"
#include "scenario/key.hpp"

namespace rondo::scenario {

Form<problem::Arrival> const& arrival_form();

/// Throws InputError, with the place, for a list or a file that has not a time for each rank.
problem::Arrival read_arrival(Place const& arrival, int ranks);

}  // namespace rondo::scenario
