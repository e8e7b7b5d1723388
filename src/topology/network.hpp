#pragma once

// A network with capacities: who can send data to whom, and how fast. It says nothing of schedules and routes, so
// that what it bounds holds for all of them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace rondo {

/// What carries the bytes of a link, for people.
enum class LinkKind : std::uint8_t { port, nic, memory, island, cable };

/// A directed link between vertices.
struct NetworkLink {
  int from = 0, to = 0;
  /// Bytes a second that it carries; unset: any number.
  std::optional<double> capacity = {};
  LinkKind kind = LinkKind::cable;
  std::int32_t group = 0;  ///< links of one group are alike, such as all links between the groups of a dragonfly
};

/// Vertices of a network in disjoint parts.
struct Partition {
  std::vector<int> part_of;        ///< by vertex; -1: in no part
  std::vector<std::string> names;  ///< of the parts: "hosts of group 2"
};

/// Time of a message that uses no bandwidth.
struct LeastStartup {
  Seconds alone;          ///< no message between two ranks ends before
  Seconds between_hosts;  ///< if bytes pass a set of links of capacity c between hosts, they take this and bytes / c
  Seconds between_ranks;  ///< the same of links between any two ranks; in LogGP it may be negative
};

/// The ranks are its first vertices: data begins and ends there. A byte may take any way over any other vertices, and
/// over ranks.
struct Network {
  int ranks = 0;
  int vertices = 0;
  std::vector<NetworkLink> links;
  std::vector<int> host_of = {};           ///< by rank
  std::vector<Partition> partitions = {};  ///< in which the machine is built
  LeastStartup startup = {};

  int add_vertex() { return vertices++; }
};

}  // namespace rondo
