#include <fmt/format.h>

#include "scenario/graph_file.hpp"
#include "scenario/load.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {
namespace {

ProcessGraph read_edges(Place const& graph) {
  if (!graph.has("ranks")) {
    throw graph.error("missing key \"ranks\" (the number of ranks), without which \"edges\" say too little");
  }
  Place const list = graph["edges"];
  std::vector<Edge> edges;
  for (Json const& edge : list.value) edges.push_back({Rank(edge[0].get<int>()), Rank(edge[1].get<int>())});
  return list.checked([&] { return ProcessGraph(graph["ranks"].integer(), edges); });
}

ProcessGraph read_graph_file(Place const& graph) {
  Place const path = graph["path"];
  std::optional<int> ranks;
  if (graph.has("ranks")) ranks = graph["ranks"].integer();
  return path.checked([&] { return read_graph(resolve(folder_of(path.file), path.text()), ranks); });
}

}  // namespace

GraphSource read_graph_source(Place const& graph) {
  std::string const kind = graph["kind"].text();
  if (kind == "erdos_renyi") return RandomGraph{graph["ranks"].integer(), graph["density"].value.get<double>()};
  if (kind == "moore") return MooreGraph{read_torus(graph["torus"]), graph["radius"].integer()};
  expects(kind == "edges", "a reader for each kind of graph");
  if (graph.has("edges") == graph.has("path")) {
    throw graph.error(
        fmt::format("expected either \"edges\" or \"path\", got {}", graph.has("edges") ? "both" : "none"));
  }
  return graph.has("edges") ? read_edges(graph) : read_graph_file(graph);
}

}  // namespace rondo::scenario
