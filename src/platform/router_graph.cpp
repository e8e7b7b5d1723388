// Builds the graph of the links that have not failed, and finds shortest distances to a router by Dijkstra's algorithm.

#include "platform/router_graph.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace rondo {

namespace {

constexpr WayLength over_a_link = 1;
/// Larger than the number of links of any path, so that one link between groups outweighs all other links.
constexpr WayLength over_a_global_link = over_a_link + (WayLength{1} << 32);

}  // namespace

/// Sorts the links by the router that they leave. Only a directed graph also needs them by the router to which they
/// lead; on any other machine each link has one of the same length in the opposite direction.
RouterGraph::RouterGraph(MachineTopology const& topology, std::span<LinkId const> failed) {
  auto const* listed = std::get_if<GraphMachine>(&topology);
  has_returns_ = listed == nullptr || !listed->directed;
  std::vector<std::pair<int, Edge>> leaving, entering;
  for (LinkId id = 0; id < link_ids(topology); ++id) {
    auto const found = link(topology, id);
    if (!found || std::binary_search(failed.begin(), failed.end(), id)) continue;
    WayLength const length = between_groups(topology, *found) ? over_a_global_link : over_a_link;
    leaving.push_back({found->from, {id, found->to, length}});
    if (!has_returns_) entering.push_back({found->to, {id, found->from, length}});
  }
  auto const by_router = [&](std::vector<std::pair<int, Edge>> const& edges) {
    Edges result{std::vector<std::size_t>(at(rondo::routers(topology)) + 1, 0), std::vector<Edge>(edges.size())};
    for (auto const& [router, edge] : edges) ++result.first[at(router) + 1];
    for (std::size_t i = 1; i < result.first.size(); ++i) result.first[i] += result.first[i - 1];
    std::vector<std::size_t> next(result.first.begin(), result.first.end() - 1);
    for (auto const& [router, edge] : edges) result.edges[next[at(router)]++] = edge;
    return result;
  };
  leaving_ = by_router(leaving);
  entering_ = by_router(entering);
}

std::span<RouterGraph::Edge const> RouterGraph::Edges::of(int router) const {
  return std::span(edges).subspan(first[at(router)], first[at(router) + 1] - first[at(router)]);
}

Nearness::Nearness(RouterGraph const& graph, int target) : graph_(&graph), length_(at(graph.routers()), unreached) {
  length_[at(target)] = 0;
  open_.emplace(0, target);
}

/// Continues the search until the distance of this router is final. Entries of the queue that a shorter path has
/// replaced are skipped.
WayLength Nearness::from(int router) {
  while (!open_.empty() && open_.top().first < length_[at(router)]) {
    auto const [length, near] = open_.top();
    open_.pop();
    if (length > length_[at(near)]) continue;
    for (RouterGraph::Edge const& edge : graph_->entering(near)) {
      WayLength& best = length_[at(edge.to)];
      if (length + edge.length >= best) continue;
      best = length + edge.length;
      open_.emplace(best, edge.to);
    }
  }
  return so_far(router);
}

}  // namespace rondo
