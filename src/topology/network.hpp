#pragma once

// Machines as networks. A Network has capacities: which ranks can send data to which, and how fast. It contains
// neither schedules nor routes, so a bound that follows from it holds for all of them. A RoutedNetwork has routes
// between ranks: the resources that a message uses on its way, and for how long. Schedules that are made for a
// particular machine read it (generate/forest.hpp).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace rondo {

/// What carries the bytes of a link; used in texts for people.
enum class LinkKind : std::uint8_t { port, nic, memory, island, cable };

/// A directed link between vertices.
struct NetworkLink {
  int from = 0, to = 0;
  /// Bytes per second that it carries; unset: unlimited.
  std::optional<double> capacity = {};
  LinkKind kind = LinkKind::cable;
  std::int32_t group = 0;  ///< links of one group are equivalent, such as all links between the groups of a dragonfly
};

/// A partition of some vertices of a network into disjoint parts.
struct Partition {
  std::vector<int> part_of;        ///< by vertex; -1: it is in no part
  std::vector<std::string> names;  ///< of the parts: "hosts of group 2"
};

/// Lower bounds of the time of a message without bandwidth.
struct LeastStartup {
  Seconds alone;          ///< no message between two ranks takes less
  Seconds between_hosts;  ///< bytes that pass a set of links between hosts, of total capacity c, take at least this and
                          ///< bytes / c
  Seconds between_ranks;  ///< the same for links between any two ranks; in LogGP it may be negative
};

/// The first vertices are the ranks, where data begin and end. A byte may take any route over other vertices, including
/// other ranks.
struct Network {
  int ranks = 0;
  int vertices = 0;
  std::vector<NetworkLink> links;
  std::vector<int> host_of = {};           ///< by rank
  std::vector<Partition> partitions = {};  ///< natural divisions of the machine, such as its hosts or groups
  LeastStartup startup = {};

  int add_vertex() { return vertices++; }
};

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
