// Wraps LEMON's preflow algorithm, the only use of LEMON.

#include "optimum/flow.hpp"

#include <lemon/preflow.h>
#include <lemon/smart_graph.h>

namespace rondo::optimum {

struct Flows::Graph {
  lemon::SmartDigraph digraph;
  std::vector<lemon::SmartDigraph::Node> nodes;
  std::vector<lemon::SmartDigraph::Arc> arcs;
  lemon::SmartDigraph::ArcMap<std::int64_t> capacity{digraph};
  using Preflow = lemon::Preflow<lemon::SmartDigraph, lemon::SmartDigraph::ArcMap<std::int64_t>>;
};

Flows::Flows(int vertices, std::vector<Arc> const& arcs) : graph_(std::make_unique<Graph>()) {
  graph_->digraph.reserveNode(vertices);
  graph_->digraph.reserveArc(static_cast<int>(arcs.size()));
  for (int v = 0; v < vertices; ++v) graph_->nodes.push_back(graph_->digraph.addNode());
  for (Arc const& each : arcs) {
    auto const arc = graph_->digraph.addArc(graph_->nodes[static_cast<std::size_t>(each.from)],
                                            graph_->nodes[static_cast<std::size_t>(each.to)]);
    graph_->arcs.push_back(arc);
    graph_->capacity[arc] = each.capacity;
  }
}

Flows::~Flows() = default;

void Flows::set_capacity(int arc, std::int64_t capacity) {
  graph_->capacity[graph_->arcs[static_cast<std::size_t>(arc)]] = capacity;
}

MinCut Flows::min_cut(int source, int sink) {
  Graph::Preflow preflow(graph_->digraph, graph_->capacity, graph_->nodes[static_cast<std::size_t>(source)],
                         graph_->nodes[static_cast<std::size_t>(sink)]);
  preflow.runMinCut();
  MinCut cut{preflow.flowValue(), {}};
  for (auto const& node : graph_->nodes) cut.source_side.push_back(preflow.minCut(node));
  return cut;
}

}  // namespace rondo::optimum
