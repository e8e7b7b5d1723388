#pragma once

// Where predicted times do not decide: sizes at which the two fastest algorithms are within each other's intervals.

#include <vector>

#include "run/points/simulations.hpp"
#include "run/points/tune.hpp"

namespace rondo {

/// The sizes of the search's grid where the algorithm of the range and the fastest other one cannot be told apart, if a
/// true time lies between t / (1 + part) and t * (1 + part) of its prediction t. Neighboring sizes with the same two
/// are one entry. Algorithms that are as fast as the chosen one in the whole range are no others.
std::vector<Undecided> undecided(Decisions const& decisions, double part, Simulations& search);

}  // namespace rondo
