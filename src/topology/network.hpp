#pragma once

// A network with capacities: which ranks can send data to which, and how fast. It contains neither schedules nor
// routes, so a bound that follows from it holds for all of them.

#include <cstdint>
#include <optional>
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

}  // namespace rondo
