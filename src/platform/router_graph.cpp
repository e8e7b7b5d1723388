#include "platform/router_graph.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace rondo {

namespace {

constexpr WayLength over_a_link = 1;
/// More than any way has links.
constexpr WayLength over_a_global_link = over_a_link + (WayLength{1} << 32);

}  // namespace

RouterGraph::RouterGraph(MachineTopology const& topology, std::span<LinkId const> failed)
    : first_(at(rondo::routers(topology)) + 1, 0) {
  std::vector<std::pair<LinkId, RouterLink>> links;
  for (LinkId id = 0; id < link_ids(topology); ++id) {
    auto const found = link(topology, id);
    if (found && !std::binary_search(failed.begin(), failed.end(), id)) links.emplace_back(id, *found);
  }
  for (auto const& [id, each] : links) ++first_[at(each.from) + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  edges_.resize(links.size());
  for (auto const& [id, each] : links) {
    WayLength const length = between_groups(topology, each) ? over_a_global_link : over_a_link;
    edges_[next[at(each.from)]++] = {id, each.to, length};
  }
}

std::span<RouterGraph::Edge const> RouterGraph::leaving(int router) const {
  std::size_t const first = first_[at(router)];
  return std::span(edges_).subspan(first, first_[at(router) + 1] - first);
}

Nearness::Nearness(RouterGraph const& graph, int target) : graph_(&graph), length_(at(graph.routers()), unreached) {
  length_[at(target)] = 0;
  open_.emplace(0, target);
}

WayLength Nearness::from(int router) {
  while (!open_.empty() && open_.top().first < length_[at(router)]) {
    auto const [length, near] = open_.top();
    open_.pop();
    if (length > length_[at(near)]) continue;
    // Every link has its return, of one length.
    for (RouterGraph::Edge const& edge : graph_->leaving(near)) {
      WayLength& there = length_[at(edge.to)];
      if (length + edge.length >= there) continue;
      there = length + edge.length;
      open_.emplace(there, edge.to);
    }
  }
  return known(router);
}

}  // namespace rondo
