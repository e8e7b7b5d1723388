#pragma once

// The routers of a machine and the links that have not failed, as a graph, and distances in it. Routes that have no
// closed form follow them: around failed links, on machines that are stated as a graph, and if a shortest route is
// drawn.

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "platform/routes.hpp"

namespace rondo {

/// The length of a path: how many links it has, where a link between groups of a dragonfly counts more than all other
/// links together.
using WayLength = std::uint64_t;
inline constexpr WayLength unreached = std::numeric_limits<WayLength>::max();

/// Routers and the links that have not failed.
class RouterGraph {
 public:
  /// A link from the point of view of one end.
  struct Edge {
    LinkId link = 0;
    int to = 0;  ///< the router at the other end
    WayLength length = 1;
  };

  /// `failed` must be in ascending order.
  RouterGraph(MachineTopology const& topology, std::span<LinkId const> failed);

  int routers() const { return static_cast<int>(leaving_.first.size()) - 1; }
  /// The links that leave a router, by their numbers.
  std::span<Edge const> leaving(int router) const { return leaving_.of(router); }
  /// The links that lead to a router: for each of them, the router that it leaves as `to`, and its length. Only if
  /// links are directed, `link` is its number; otherwise it is the number of the link in the opposite direction.
  std::span<Edge const> entering(int router) const { return has_returns_ ? leaving_.of(router) : entering_.of(router); }

 private:
  /// The edges of a router in an array of all edges.
  struct Edges {
    std::vector<std::size_t> first;  ///< by router, where its edges begin in `edges`; then the number of all edges
    std::vector<Edge> edges;
    std::span<Edge const> of(int router) const;
  };
  bool has_returns_;  ///< whether each link has a link of the same length in the opposite direction
  Edges leaving_;
  Edges entering_;  ///< without edges if has_returns_
};

/// The distances of routers to one target. Dijkstra's algorithm finds them. It stops when the distance that was asked
/// for is final, and the next question continues it.
class Nearness {
 public:
  Nearness(RouterGraph const& graph, int target);
  /// The length of a shortest path from this router to the target; `unreached` if there is none. After the call the
  /// distances of all nearer routers are known.
  WayLength from(int router);
  /// The shortest distance that the search has found so far, at first `unreached`; never less than the true distance.
  WayLength so_far(int router) const { return length_[static_cast<std::size_t>(router)]; }

 private:
  using Reached = std::pair<WayLength, int>;  ///< a distance, and the router that has it
  RouterGraph const* graph_;
  std::vector<WayLength> length_;  ///< by router: the value of so_far()
  /// Routers whose links the search has not followed yet, the nearest first. A router may also have outdated entries.
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open_;
};

}  // namespace rondo
