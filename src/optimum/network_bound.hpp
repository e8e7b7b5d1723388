#pragma once

// The best lower bound of the time that follows from a network and a demand, and the search for its best cuts. Cuts
// are searched by flows, for demands in which the bytes that pass a cut are a sum over ranks: gathering, spreading
// and reducing. For exchanges between pairs the best cut is hard to find, and is not searched for.

#include <optional>
#include <string>
#include <vector>

#include "optimum/cuts.hpp"
#include "optimum/lengths.hpp"

namespace rondo::optimum {

/// The limit of flows times links.
inline constexpr double most_flow_links = 2e5;

/// The cuts whose links take longer than `seconds` for their bytes; the longest one of all is among them, unless the
/// limit above stops the search. A set S whose w(S) bytes have to leave over capacity c(S) takes longer than t if w(S)
/// > t c(S). This is a minimum cut with capacities t c, between a vertex that has links of capacity w to the ranks with
/// these bytes, and a rank outside. Each cut that is found raises t (Dinkelbach 1967).
std::vector<Side> min_cuts(Network const& network, Demand const& demand, double seconds);

/// A bound of the time and its reason, in the words of docs/optima.md.
struct NetworkBound {
  double seconds = 0;
  std::string by = {};                  ///< rounds, volume, port, cut, lengths
  std::optional<std::string> cut = {};  ///< the set and what passes it, in words
};
/// No schedule is faster, whatever its routes. The bound comes from the best cut among the network's partitions and
/// these sides, or from these lengths of its links, of which there may be none. Unset if no rank is owed anything by
/// another.
std::optional<NetworkBound> network_bound(Network const& network, Demand const& demand, std::vector<Side> const& sides,
                                          Lengths const& lengths = {});

/// Sides that give larger bounds than the partitions, found by flows. If all bytes grow in proportion, they remain the
/// best.
std::vector<Side> better_sides(Network const& network, Demand const& demand);

}  // namespace rondo::optimum
