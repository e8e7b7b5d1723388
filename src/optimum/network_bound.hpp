#pragma once

// The best lower bound of a time that a network knows.

#include <optional>
#include <string>

#include "optimum/cuts.hpp"
#include "optimum/lengths.hpp"

namespace rondo::optimum {

/// A bound of the time and what it rests on, in the words of docs/optima.md.
struct NetworkBound {
  double seconds = 0;
  std::string by = {};                  ///< rounds, volume, port, cut, lengths
  std::optional<std::string> cut = {};  ///< the set and what passes it, in words
};
/// No schedule is faster, by whatever routes: the best cut of the network's partitions and of these sides, or these
/// lengths of its links, of which there may be none. Unset where nobody is owed anything by others.
std::optional<NetworkBound> network_bound(Network const& network, Demand const& demand, std::vector<Side> const& sides,
                                          Lengths const& lengths = {});

/// Sides that are better than the partitions, by flows. If all bytes grow in proportion, the best ones stay the best.
std::vector<Side> better_sides(Network const& network, Demand const& demand);

}  // namespace rondo::optimum
