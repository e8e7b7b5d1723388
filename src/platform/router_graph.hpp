#pragma once

// The routers of a machine and the links that have not failed, as a graph, for the routes that no closed form knows.

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "platform/routes.hpp"

namespace rondo {

/// The length of a way: how many links between groups of a dragonfly it has, which count first, and how many links.
using WayLength = std::uint64_t;
inline constexpr WayLength unreached = std::numeric_limits<WayLength>::max();

class RouterGraph {
 public:
  struct Edge {
    LinkId link = 0;
    int to = 0;
    WayLength length = 1;
  };

  /// `failed` in ascending order.
  RouterGraph(MachineTopology const& topology, std::span<LinkId const> failed);

  int routers() const { return static_cast<int>(leaving_.first.size()) - 1; }
  /// The links that leave a router, by their numbers.
  std::span<Edge const> leaving(int router) const { return leaving_.of(router); }
  /// The links that lead to a router, each with the router that it leaves as `to`.
  std::span<Edge const> entering(int router) const { return has_returns_ ? leaving_.of(router) : entering_.of(router); }

 private:
  struct Edges {
    std::vector<std::size_t> first;  ///< by router, in `edges`, with a closing one
    std::vector<Edge> edges;
    std::span<Edge const> of(int router) const;
  };
  bool has_returns_;  ///< whether each link has one, of the same length
  Edges leaving_, entering_;
};

/// How far routers are from one, searched for by Dijkstra's algorithm as far as somebody asks.
class Nearness {
 public:
  Nearness(RouterGraph const& graph, int target);
  /// The length of a shortest way from this router; `unreached` if there is none. Of all routers nearer than it the
  /// lengths are known then.
  WayLength from(int router);
  /// What is known: never less than the length of a shortest way.
  WayLength known(int router) const { return length_[static_cast<std::size_t>(router)]; }

 private:
  using Reached = std::pair<WayLength, int>;
  RouterGraph const* graph_;
  std::vector<WayLength> length_;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open_;
};

}  // namespace rondo
