#pragma once

// A machine as routes between ranks: the resources that a message uses on its way, and for how long. Schedules that are
// made for a particular machine read it (generate/forest.hpp).

#include <span>
#include <vector>

namespace rondo {

/// A use of a resource (a port, a NIC, a memory or a link): the time for which each byte occupies it.
struct ResourceUse {
  int resource = 0;
  double seconds_per_byte = 0;
};

/// The routes and start-ups between all pairs of ranks.
struct RoutedNetwork {
  int ranks = 0;
  int resources = 0;
  std::vector<std::vector<ResourceUse>> ways;  ///< index from * ranks + to; empty from a rank to itself
  std::vector<double> startups;                ///< in seconds, with the same index
  /// With `neighbors_only`: whether a pair of ranks may talk; empty: all pairs may.
  std::vector<bool> linked = {};
  /// Whether several messages from one rank to another, all posted at once, take no longer than one with their bytes.
  bool many_are_free = false;
  /// How many messages a rank sends at once, and how many it receives, each from its start-up to its last byte; the
  /// others wait for their turn. 0: any number, which share the resources.
  int ports = 0;

  std::size_t index(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(to);
  }
  std::span<ResourceUse const> way(int from, int to) const { return ways[index(from, to)]; }
  bool may_talk(int from, int to) const { return linked.empty() || linked[index(from, to)]; }
};

}  // namespace rondo
