#pragma once

// Finds the best cuts of a network by flows, for demands in which the bytes that pass a cut are a sum over ranks:
// gathering, spreading and reducing. For exchanges between pairs the best cut is hard to find, and is not searched for.

#include <vector>

#include "optimum/cuts.hpp"

namespace rondo::optimum {

/// The limit of flows times links.
inline constexpr double most_flow_links = 2e5;

/// The cuts whose links take longer than `seconds` for their bytes; the longest one of all is among them, unless the
/// limit above stops the search. A set S whose w(S) bytes have to leave over capacity c(S) takes longer than t if w(S)
/// > t c(S). This is a minimum cut with capacities t c, between a vertex that has links of capacity w to the ranks with
/// these bytes, and a rank outside. Each cut that is found raises t (Dinkelbach 1967).
std::vector<Side> min_cuts(Network const& network, Demand const& demand, double seconds);

}  // namespace rondo::optimum
