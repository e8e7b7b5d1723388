#pragma once

// The best cuts of a network by flows, for demands of which every cut's bytes are known from a sum over ranks: what is
// gathered, spread or reduced. Of exchanges between pairs the best cut is hard to find, and none is looked for.

#include <vector>

#include "optimum/cuts.hpp"

namespace rondo::optimum {

/// So many flows, times links, are tried at most.
inline constexpr double most_flow_links = 2e5;

/// Cuts that take longer than `seconds` for their bytes, the longest of all if none is left out by the limit above.
/// A set S that bytes w(S) have to leave over capacity c(S) takes longer than t if w(S) > t c(S); that is a minimum cut
/// with capacities t c, between a vertex with links of capacity w to what has them and a rank outside. Each that is
/// found sets t anew (Dinkelbach 1967).
std::vector<Side> min_cuts(Network const& network, Demand const& demand, double seconds);

}  // namespace rondo::optimum
