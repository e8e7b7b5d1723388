#include "mpi/graph_exchange.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"
#include "rondo/topology.h"

namespace rondo::mpi::testing {
namespace {

/// Any order in which the edges to the same rank keep theirs.
void shuffle(std::vector<int>& numbers, std::vector<Digraph::Edge> const& edges, int Digraph::Edge::*other,
             Random& random) {
  for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random.below(i)]);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = i + 1; j < numbers.size(); ++j) {
      auto const at = [&](std::size_t k) { return edges[static_cast<std::size_t>(numbers[k])].*other; };
      if (at(i) == at(j) && numbers[j] < numbers[i]) std::swap(numbers[i], numbers[j]);
    }
  }
}

void keep_distinct(std::vector<Digraph::Edge>& edges) {
  auto const ends = [](Digraph::Edge const& edge) { return std::pair(edge.source, edge.target); };
  std::ranges::sort(edges, {}, ends);
  auto const rest = std::ranges::unique(edges, {}, ends);
  edges.erase(rest.begin(), rest.end());
}

bool of_any_size(Variant variant) { return variant == Variant::alltoallv || variant == Variant::alltoallw; }

std::vector<int> in_ints(std::vector<MPI_Aint> const& displacements) {
  return {displacements.begin(), displacements.end()};
}

int finish(int code, MPI_Request& request, Form form) {
  if (code != MPI_SUCCESS) return code;
  if (form == Form::persistent) {
    // Twice: what the second one delivers is the same.
    Rondo_Start(&request);
    Rondo_Wait(&request, MPI_STATUS_IGNORE);
    Rondo_Start(&request);
  }
  code = Rondo_Wait(&request, MPI_STATUS_IGNORE);
  if (form == Form::persistent) Rondo_Request_free(&request);
  return request == MPI_REQUEST_NULL ? code : MPI_ERR_REQUEST;
}

}  // namespace

Digraph random_digraph(int ranks, double density, bool both_ways, Edges kind, std::uint64_t seed) {
  Random random(seed);
  Digraph graph;
  auto const any = [&] { return static_cast<int>(random.below(static_cast<std::uint64_t>(ranks))); };
  auto const edges = static_cast<int>(density * ranks * ranks);
  for (int i = 0; i < edges; ++i) graph.edges.push_back({any(), any()});
  if (both_ways) {
    for (int rank = 0; rank < ranks; ++rank) graph.edges.push_back({rank, any()});
    std::vector<Digraph::Edge> const way = graph.edges;
    for (auto const& [source, target] : way) graph.edges.push_back({target, source});
  }
  if (kind == Edges::distinct) keep_distinct(graph.edges);
  graph.outgoing.resize(static_cast<std::size_t>(ranks));
  graph.incoming.resize(static_cast<std::size_t>(ranks));
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    graph.outgoing[static_cast<std::size_t>(graph.edges[e].source)].push_back(static_cast<int>(e));
    graph.incoming[static_cast<std::size_t>(graph.edges[e].target)].push_back(static_cast<int>(e));
  }
  for (auto& numbers : graph.outgoing) shuffle(numbers, graph.edges, &Digraph::Edge::target, random);
  for (auto& numbers : graph.incoming) shuffle(numbers, graph.edges, &Digraph::Edge::source, random);
  return graph;
}

Exchange exchange(Variant variant, Digraph const& graph, int rank, Types const& types, int salt) {
  Exchange result{variant, Boundary::periodic, {}, {}, {}, {}};
  std::vector<int> sent, received;
  auto const count = [&](int edge) {
    if (of_any_size(variant)) return (edge + salt) % 4;
    // Each rank gives a block of its own size.
    return variant == Variant::allgatherv ? graph.edges[static_cast<std::size_t>(edge)].source % 3 : 1 + salt % 3;
  };
  for (int const edge : graph.outgoing[static_cast<std::size_t>(rank)]) {
    result.targets.push_back(graph.edges[static_cast<std::size_t>(edge)].target);
    sent.push_back(count(edge));
    result.target_tags.push_back(edge);
  }
  for (int const edge : graph.incoming[static_cast<std::size_t>(rank)]) {
    result.sources.push_back(graph.edges[static_cast<std::size_t>(edge)].source);
    received.push_back(count(edge));
    result.source_tags.push_back(edge);
  }
  if (is_allgather(variant)) sent.assign(1, variant == Variant::allgatherv ? rank % 3 : 1 + salt % 3);
  result.send = side(is_allgather(variant) ? Variant::allgather : variant, sent, types, salt);
  result.receive = side(variant, received, types, salt + 1);
  fill(result, rank, salt);
  return result;
}

Exchange exchange(Variant variant, std::vector<int> targets, std::vector<int> sources, int rank, Types const& types,
                  int salt) {
  Exchange result{variant, Boundary::periodic, {}, {}, std::move(targets), std::move(sources)};
  std::vector<int> const sent(is_allgather(variant) ? 1 : result.targets.size(), 1 + salt % 3);
  std::vector<int> const received(result.sources.size(), 1 + salt % 3);
  result.send = side(is_allgather(variant) ? Variant::allgather : variant, sent, types, salt);
  result.receive = side(variant, received, types, salt + 1);
  fill(result, rank, salt);
  return result;
}

AlgorithmInfo::AlgorithmInfo(char const* algorithm) {
  MPI_Info_create(&info_);
  MPI_Info_set(info_, "rondo_neighbor_algorithm", algorithm);
}

AlgorithmInfo::~AlgorithmInfo() { MPI_Info_free(&info_); }

MPI_Comm rondo_graph(MPI_Comm comm, Exchange const& exchange, char const* algorithm, Report& report) {
  AlgorithmInfo const info(algorithm);
  MPI_Comm result = MPI_COMM_NULL;
  int const code = Rondo_Dist_graph_create_adjacent(
      comm, static_cast<int>(exchange.sources.size()), exchange.sources.data(), MPI_UNWEIGHTED,
      static_cast<int>(exchange.targets.size()), exchange.targets.data(), MPI_UNWEIGHTED, info.handle(), 0, &result);
  report.expect_code(code, MPI_SUCCESS, "create");
  return result;
}

int call_rondo(Exchange& exchange, Form form, MPI_Comm comm) {
  Side& from = exchange.send;
  Side& into = exchange.receive;
  auto const count = [](Side const& side) { return side.counts.empty() ? 0 : side.counts[0]; };
  auto const type = [](Side const& side) { return side.types.empty() ? MPI_BYTE : side.types[0]; };
  std::vector<int> const sends = in_ints(from.displacements), receives = in_ints(into.displacements);
  MPI_Request request = MPI_REQUEST_NULL;
  auto const call = [&](auto blocking, auto non_blocking, auto persistent, auto... arguments) {
    if (form == Form::blocking) return blocking(arguments..., comm);
    int const code = form == Form::non_blocking ? non_blocking(arguments..., comm, &request)
                                                : persistent(arguments..., comm, MPI_INFO_NULL, &request);
    return finish(code, request, form);
  };
  switch (exchange.variant) {
    case Variant::alltoall:
      return call(Rondo_Neighbor_alltoall, Rondo_Ineighbor_alltoall, Rondo_Neighbor_alltoall_init, from.buffer.data(),
                  count(from), type(from), into.buffer.data(), count(into), type(into));
    case Variant::alltoallv:
      return call(Rondo_Neighbor_alltoallv, Rondo_Ineighbor_alltoallv, Rondo_Neighbor_alltoallv_init,
                  from.buffer.data(), from.counts.data(), sends.data(), type(from), into.buffer.data(),
                  into.counts.data(), receives.data(), type(into));
    case Variant::alltoallw:
      return call(Rondo_Neighbor_alltoallw, Rondo_Ineighbor_alltoallw, Rondo_Neighbor_alltoallw_init,
                  from.buffer.data(), from.counts.data(), from.displacements.data(), from.types.data(),
                  into.buffer.data(), into.counts.data(), into.displacements.data(), into.types.data());
    case Variant::allgather:
      return call(Rondo_Neighbor_allgather, Rondo_Ineighbor_allgather, Rondo_Neighbor_allgather_init,
                  from.buffer.data(), count(from), type(from), into.buffer.data(), count(into), type(into));
    case Variant::allgatherv:
    case Variant::allgatherw:
      break;
  }
  return call(Rondo_Neighbor_allgatherv, Rondo_Ineighbor_allgatherv, Rondo_Neighbor_allgatherv_init, from.buffer.data(),
              count(from), type(from), into.buffer.data(), into.counts.data(), receives.data(), type(into));
}

}  // namespace rondo::mpi::testing
