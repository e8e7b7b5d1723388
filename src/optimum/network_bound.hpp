#pragma once

// The best lower bound of the time that follows from a network and a demand.

#include <optional>
#include <string>

#include "optimum/cuts.hpp"
#include "optimum/lengths.hpp"

namespace rondo::optimum {

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
