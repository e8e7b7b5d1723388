#pragma once

// The key `arrival`: when ranks arrive at the collective.

#include "problem/arrival.hpp"
#include "scenario/key.hpp"

namespace rondo::scenario {

Form<problem::Arrival> const& arrival_form();

/// Throws InputError with the place if a list or a file does not have one time for each rank.
problem::Arrival read_arrival(Place const& arrival, int ranks);

}  // namespace rondo::scenario
