#pragma once

// A machine as ways between ranks: what a message from one to another uses on its way, and for how long. Schedules that
// are made for a machine (generate/forest.hpp) read it.

#include <span>
#include <vector>

namespace rondo {

/// A port, a NIC, a memory or a link, and the time that a byte takes of it.
struct ResourceUse {
  int resource = 0;
  double seconds_per_byte = 0;
};

struct RoutedNetwork {
  int ranks = 0;
  int resources = 0;
  std::vector<std::vector<ResourceUse>> ways;  ///< from * ranks + to; empty from a rank to itself
  std::vector<double> startups;                ///< in seconds, likewise
  /// With `neighbors_only`: whether a pair may talk; empty: any pair may.
  std::vector<bool> linked = {};

  std::size_t index(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(to);
  }
  std::span<ResourceUse const> way(int from, int to) const { return ways[index(from, to)]; }
  bool may_talk(int from, int to) const { return linked.empty() || linked[index(from, to)]; }
};

}  // namespace rondo
