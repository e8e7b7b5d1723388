#pragma once

// Finds where predicted times cannot decide: sizes at which the two fastest algorithms lie within each other's
// intervals.

#include <vector>

#include "run/points/simulations.hpp"
#include "run/points/tune.hpp"

namespace rondo {

/// The sizes of the search's grid at which the algorithm of the range and the fastest other one cannot be
/// distinguished, if a true time can lie anywhere between t / (1 + part) and t * (1 + part) for a prediction t.
/// Neighboring sizes with the same two algorithms are one entry. Algorithms that are as fast as the chosen one in the
/// whole range do not count as others.
std::vector<Undecided> undecided(Decisions const& decisions, double part, Simulations& search);

}  // namespace rondo
