// The key `graph`: a process graph as a rule (random, Moore, geometric, offsets) or as edges, in the scenario or in a
// file. A rule stays a rule here; run/families/resolve.cpp makes the graph, so that parsing a sweep stays cheap. The
// text of a graph's file goes to topology/graph_text.hpp, which is pure.

#include "scenario/graph_source.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "scenario/kinds.hpp"
#include "scenario/permitted_input.hpp"
#include "topology/process_graph.hpp"

namespace rondo::scenario {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{8} << 30;

}  // namespace

WeightedGraph read_graph(std::string const& path, std::optional<int> ranks) {
  return parse_graph(read_file(path, most_bytes), path, ranks);
}

namespace {

/// The source (0) or target (1) of an edge. A schema cannot express that only the third number may be no integer.
Rank rank_in(Json const& edge, std::size_t end, Place const& place) {
  Json const& number = edge[end];
  constexpr int most = Torus::most_ranks - 1;
  if (number.is_number_integer() && number.get<double>() >= 0 && number.get<double>() <= most) {
    return Rank(number.get<int>());
  }
  throw Place{number, place.file, child(place.pointer, std::to_string(end))}.error(
      fmt::format("expected an integer from 0 to {}, got {}", most, shown(number)));
}

/// Edges [source, target] or [source, target, weight]. A graph without weights gets none.
WeightedGraph read_edges(Place const& graph) {
  if (!graph.has("ranks")) {
    throw graph.error("missing key \"ranks\" (the number of ranks), without which \"edges\" say too little");
  }
  Place const list = graph["edges"];
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (std::size_t i = 0; i < list.value.size(); ++i) {
    Json const& edge = list.value[i];
    Place const place{edge, list.file, child(list.pointer, std::to_string(i))};
    edges.push_back({rank_in(edge, 0, place), rank_in(edge, 1, place)});
    weights.push_back(edge.size() > 2 ? edge[2].get<double>() : 1);
  }
  return list.checked([&] { return weighted_graph(graph["ranks"].integer(), edges, weights); });
}

/// The graph of "path". "ranks" may state more ranks than the edges name.
WeightedGraph read_graph_file(Place const& graph) {
  Place const path = graph["path"];
  std::optional<int> ranks;
  if (graph.has("ranks")) ranks = graph["ranks"].integer();
  std::string const file = named_file(path);
  WeightedGraph read = path.checked([&] { return read_graph(file, ranks); });
  if (read.graph.ranks() > 0) return read;
  throw path.error("expected a graph of at least 1 rank, got none in " + shown(path.value));
}

using problem::GeometricGraph;
using problem::GraphSource;
using problem::MooreGraph;
using problem::OffsetsGraph;
using problem::RandomGraph;

// A graph that is drawn or computed is only described here. It is made for a run (problem/graph_collectives.hpp),
// because reading a scenario must be quick. The limits are checked here, where an error has a place.

RandomGraph read_random(Place const& graph, std::uint64_t seed) {
  RandomGraph const random{graph["ranks"].integer(), graph["density"].value.get<double>(), seed};
  graph.checked([&] { expect_random_graph(random.ranks, random.density); });
  return random;
}

MooreGraph read_moore(Place const& graph) {
  MooreGraph moore{read_torus(graph["torus"]), graph["radius"].integer()};
  graph.checked([&] { expect_moore_graph(moore.torus, moore.radius); });
  return moore;
}

OffsetsGraph read_offsets_graph(Place const& graph) {
  Torus torus = read_torus(graph["torus"]);
  Neighborhood neighborhood = read_offsets(graph["offsets"], torus.dimensions(), graph["torus"].pointer);
  OffsetsGraph offsets{std::move(torus), std::move(neighborhood)};
  graph.checked([&] { expect_offsets_graph(offsets.torus, offsets.neighborhood); });
  return offsets;
}

GeometricGraph read_geometric(Place const& graph, std::uint64_t seed) {
  GeometricGraph const geometric{graph["ranks"].integer(), graph["degree"].value.get<double>(), seed};
  graph.checked([&] { expect_geometric_graph(geometric.ranks, geometric.degree); });
  return geometric;
}

}  // namespace

char const* const graph_schema = R"json({
"type": "object",
"title": "an object such as {\"kind\": \"moore\", \"torus\": [8, 8], \"radius\": 1}",
"description": "the process graph: an edge from each rank to each rank that it sends to",
"kinds": [
  {"kind": "erdos_renyi", "required": ["ranks", "density"],
   "description": "each ordered pair of ranks is an edge with the same probability; random numbers come from /seed", "properties": {
     "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216,
               "description": "the number of ranks; a random number is drawn for each pair"},
     "density": {"type": "number", "minimum": 0, "maximum": 1, "description": "the probability of an edge"}}},
  {"kind": "moore", "required": ["torus", "radius"],
   "description": "every rank of a torus sends to all ranks within a Chebyshev distance, once to each", "properties": {
     "torus": {"type": "array", "title": "a list of 1 to 64 extents such as [8, 8]", "minItems": 1, "maxItems": 64,
               "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
               "description": "the extents of the torus of ranks, p in all"},
     "radius": {"type": "integer", "minimum": 0, "maximum": 1048576,
                "description": "the largest Chebyshev distance"}}},
  {"kind": "offsets", "required": ["torus", "offsets"],
   "description": "every rank of a torus sends to its neighbors at these offsets; duplicates and the zero vector are allowed", "properties": {
     "torus": {"type": "array", "title": "a list of 1 to 64 extents such as [8, 8]", "minItems": 1, "maxItems": 64,
               "items": {"type": "integer", "minimum": 1, "maximum": 16777216},
               "description": "the extents of the torus of ranks, p in all"},
     "offsets": {"type": "array", "title": "a list of offsets",
                 "items": {"type": "array", "title": "an offset: a list of integers",
                           "items": {"type": "integer", "minimum": -1048576, "maximum": 1048576}},
                 "description": "the offsets from a rank to its targets, with a coordinate for each dimension"}}},
  {"kind": "geometric", "required": ["ranks", "degree"],
   "description": "similar to the parts of a mesh: random points in a cube are neighbors if they are close; random numbers come from /seed", "properties": {
     "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the number of ranks"},
     "degree": {"type": "number", "minimum": 0, "maximum": 16777216,
                "description": "the mean number of neighbors of a point that is not near a face of the cube"}}},
  {"kind": "edges",
   "description": "a list of edges, or a file with a line of source and target for each edge, or in Matrix Market format", "properties": {
     "ranks": {"type": "integer", "minimum": 1, "maximum": 16777216,
               "description": "the number of ranks; without it the file decides"},
     "edges": {"type": "array", "title": "a list of edges",
               "items": {"type": "array", "title": "an edge: two ranks, and a weight or nothing",
                         "minItems": 2, "maxItems": 3, "items": {"type": "number"}},
               "description": "source, target and, for block_sizes, a weight w, which is 1 if it is left out"},
     "path": {"type": "string", "minLength": 1, "title": "the name of a file",
              "description": "a file with the edges, relative to the scenario's folder"},
     "checksum": {"type": "string", "minLength": 1, "title": "a checksum such as \"fnv1a:0123456789abcdef\"",
                  "description": "the checksum of that file. A file with another checksum is refused. Records contain it."}}}
]
})json";

/// Reads any kind. `seed` is the scenario's, from which random graphs are drawn.
GraphSource read_graph_source(Place const& graph, std::uint64_t seed) {
  std::string const kind = graph["kind"].text();
  if (kind == "erdos_renyi") return read_random(graph, seed);
  if (kind == "moore") return read_moore(graph);
  if (kind == "offsets") return read_offsets_graph(graph);
  if (kind == "geometric") return read_geometric(graph, seed);
  expects(kind == "edges", "a reader for each kind of graph");
  if (graph.has("edges") == graph.has("path")) {
    throw graph.error(
        fmt::format("expected either \"edges\" or \"path\", got {}", graph.has("edges") ? "both" : "none"));
  }
  if (graph.has("checksum") && !graph.has("path")) {
    throw graph["checksum"].error("expected a \"path\" beside it, the file that it is of");
  }
  return graph.has("edges") ? read_edges(graph) : read_graph_file(graph);
}

}  // namespace rondo::scenario
