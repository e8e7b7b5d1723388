// Makes distributed graphs. With MPI_Dist_graph_create, a rank may state edges of other ranks; each edge is sent to
// both of its ends, whose order of neighbors follows the order of ranks and statements.

#include "mpi_library/graph/dist_graph.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/named_constants.hpp"
#include "mpi_library/graph/cart_comm.hpp"
#include "mpi_library/graph/cartesian_graph.hpp"
#include "mpi_library/graph/graph_comm.hpp"

namespace rondo::mpi {
namespace {

/// An edge with its weight.
struct NamedEdge {
  int source = 0, target = 0, weight = 0;
};
/// An edge is sent as so many integers.
constexpr int integers_an_edge = 3;
static_assert(sizeof(NamedEdge) == integers_an_edge * sizeof(int));

std::span<int const> list(int length, int const* values, int error) {
  if (length < 0 || (length > 0 && values == nullptr)) throw MpiFailure(error);
  return {values, static_cast<std::size_t>(length)};
}

/// Throws MpiFailure unless all are ranks, or MPI_PROC_NULL if `nobody_allowed`.
void expect_ranks(std::span<int const> ranks, int size, bool nobody_allowed) {
  for (int const rank : ranks) {
    if (rank == MPI_PROC_NULL && nobody_allowed) continue;
    if (rank < 0 || rank >= size) throw MpiFailure(MPI_ERR_RANK);
  }
}

/// The weights of so many edges; empty if the graph has none.
std::vector<int> weights_of(int edges, int const* weights) {
  if (is_unweighted(weights) || weights == MPI_WEIGHTS_EMPTY) {
    if (weights == MPI_WEIGHTS_EMPTY && edges > 0) throw MpiFailure(MPI_ERR_ARG);
    return {};
  }
  if (weights == nullptr && edges > 0) throw MpiFailure(MPI_ERR_ARG);
  std::vector<int> result(weights, weights + edges);
  if (std::any_of(result.begin(), result.end(), [](int weight) { return weight < 0; })) throw MpiFailure(MPI_ERR_ARG);
  return result;
}

Neighbors neighbors(NeighborList const& given, int size) {
  auto const ranks = list(given.degree, given.ranks, MPI_ERR_ARG);
  expect_ranks(ranks, size, true);
  return {{ranks.begin(), ranks.end()}, weights_of(given.degree, given.weights)};
}

/// What lists say about weights. A list without edges says nothing that other ranks would have to say too:
/// MPI_UNWEIGHTED may be a null pointer, as in SMPI, which is also the address of an empty vector.
struct StatedWeights {
  enum Given : std::uint8_t { nowhere, for_no_edge, for_edges };
  Given given = nowhere;
  bool left_out = false;  ///< for edges

  void add(int edges, int const* weights) {
    if (!is_unweighted(weights)) given = std::max(given, edges > 0 ? for_edges : for_no_edge);
    if (is_unweighted(weights) && edges > 0) left_out = true;
  }
  bool contradictory() const { return given == for_edges && left_out; }
  bool weighted() const { return given == for_edges || (given == for_no_edge && !left_out); }
};

/// Collective. `read` checks a rank's arguments: it throws, or tells what they say about weights. Returns whether the
/// graph has weights, which is the same at all ranks. All ranks throw the same error.
template <typename Read>
bool read_together(MPI_Comm comm, Read const& read) {
  int code = MPI_SUCCESS;
  StatedWeights mine;
  try {
    mine = read();
  } catch (MpiFailure const& failure) {
    code = failure.code();
  } catch (std::bad_alloc const&) {
    code = MPI_ERR_NO_MEM;
  }
  std::array<std::uint64_t, 3> const own{static_cast<std::uint64_t>(code), mine.given, mine.left_out ? 1U : 0U};
  std::array<std::uint64_t, 3> most{};
  check(PMPI_Allreduce(own.data(), most.data(), 3, MPI_UINT64_T, MPI_MAX, comm));
  check(static_cast<int>(most[0]));
  StatedWeights const all{static_cast<StatedWeights::Given>(most[1]), most[2] != 0};
  if (all.contradictory()) throw MpiFailure(MPI_ERR_NOT_SAME);
  return all.weighted();
}

/// A number for an edge. Sums of such numbers compare two multisets of edges: they differ, up to chance, if an edge
/// differs.
std::uint64_t number_of(int source, int target) {
  Fingerprint edge;
  edge.add(source);
  edge.add(target);
  return edge.value();
}

/// Collective. Throws unless the edges that ranks name as sources are those that others name as targets. It compares
/// sums of numbers that stand for edges; for different edges they are equal only with a chance of 2^-64.
void expect_both_ends(ProcessTopology const& topology, MPI_Comm comm) {
  int const self = rank_in(comm);
  std::uint64_t mine = 0;
  for (int const target : topology.targets.ranks) mine += target == MPI_PROC_NULL ? 0 : number_of(self, target);
  for (int const source : topology.sources.ranks) mine -= source == MPI_PROC_NULL ? 0 : number_of(source, self);
  std::uint64_t all = 0;
  check(PMPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, comm));
  if (all != 0) throw MpiFailure(MPI_ERR_TOPOLOGY);
}

/// The edges in the lists of a call. Throws MpiFailure for a wrong argument.
std::vector<NamedEdge> named_edges(EdgeLists const& given, int size) {
  auto const sources = list(given.n, given.sources, MPI_ERR_ARG);
  auto const degrees = list(given.n, given.degrees, MPI_ERR_ARG);
  expect_ranks(sources, size, false);
  int edges = 0;
  for (int const degree : degrees) {
    if (degree < 0 || degree > std::numeric_limits<int>::max() - edges) throw MpiFailure(MPI_ERR_ARG);
    edges += degree;
  }
  auto const targets = list(edges, given.targets, MPI_ERR_ARG);
  expect_ranks(targets, size, false);
  std::vector<int> const weights = weights_of(edges, given.weights);
  std::vector<NamedEdge> result;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (int k = 0; k < degrees[i]; ++k) {
      std::size_t const next = result.size();
      result.push_back({sources[i], targets[next], weights.empty() ? 0 : weights[next]});
    }
  }
  return result;
}

/// Collective. The edges that end at this rank (as their source or target), ordered by the rank that named them.
std::vector<NamedEdge> delivered(std::vector<NamedEdge> edges, int NamedEdge::*end, MPI_Comm comm) {
  std::stable_sort(edges.begin(), edges.end(), [&](NamedEdge const& a, NamedEdge const& b) { return a.*end < b.*end; });
  auto const ranks = static_cast<std::size_t>(size_of(comm));
  std::vector<int> sent(ranks), received(ranks), sent_from(ranks), received_at(ranks);
  for (NamedEdge const& edge : edges) sent[static_cast<std::size_t>(edge.*end)] += integers_an_edge;
  check(PMPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm));
  int sends = 0, receives = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    sent_from[rank] = std::exchange(sends, sends + sent[rank]);
    received_at[rank] = std::exchange(receives, receives + received[rank]);
  }
  // Both lists get one more edge, so that they have an address even if they are empty.
  std::vector<NamedEdge> result(static_cast<std::size_t>(receives / integers_an_edge) + 1);
  edges.emplace_back();
  check(MPI_Alltoallv(edges.data(), sent.data(), sent_from.data(), MPI_INT, result.data(), received.data(),
                      received_at.data(), MPI_INT, comm));
  result.pop_back();
  return result;
}

/// The sources or the targets of this rank, in the order of the edges.
Neighbors other_ends(std::vector<NamedEdge> const& edges, int NamedEdge::*other, bool weighted) {
  Neighbors result;
  for (NamedEdge const& edge : edges) {
    result.ranks.push_back(edge.*other);
    if (weighted) result.weights.push_back(edge.weight);
  }
  return result;
}

/// The names of the ranks on a communicator, if it is Cartesian or has Cartesian names.
std::optional<CartesianNaming> naming_on(MPI_Comm comm) {
  if (auto const named = Attached<CartesianNaming>::if_any(comm)) return *named;
  return cartesian_naming(comm);
}

/// Collective. Whether all ranks state the same names, as they should.
bool named_alike(MPI_Comm comm, std::optional<CartesianNaming> const& naming) {
  Vote vote;
  vote.arguments.add(naming ? naming->dimensions() : -1);
  for (int j = 0; naming && j < naming->dimensions(); ++j) {
    vote.arguments.add(naming->extents()[static_cast<std::size_t>(j)]);
    vote.arguments.add(naming->closed(j) ? 1 : 0);
  }
  if (naming) vote.arguments.add(static_cast<std::int64_t>(naming->order()));
  return agree(comm, vote) == MPI_SUCCESS;
}

/// A communicator of the same ranks, without the attributes and the topology of the old one.
MPI_Comm with_graph(MPI_Comm comm, OwnComm const& own, ProcessTopology topology, MPI_Info info) {
  auto const naming = naming_on(comm);
  if (named_alike(own.handle(), naming) && naming) topology.grid = cartesian_graph(own.handle(), *naming, topology);
  MPI_Comm const result = fully_connected(comm);
  attach_topology(result, std::make_shared<ProcessTopology const>(std::move(topology)), info);
  return result;
}

}  // namespace

/// Both ends of an edge state it, so nothing is sent; the ranks only compare whether they do.
MPI_Comm create_adjacent_graph(MPI_Comm comm, NeighborList const& sources, NeighborList const& targets, MPI_Info info) {
  expect_intra(comm);
  OwnComm const own(comm);
  ProcessTopology topology;
  topology.weighted = read_together(own.handle(), [&] {
    int const size = size_of(own.handle());
    topology.sources = neighbors(sources, size);
    topology.targets = neighbors(targets, size);
    StatedWeights stated;
    stated.add(sources.degree, sources.weights);
    stated.add(targets.degree, targets.weights);
    if (stated.contradictory()) throw MpiFailure(MPI_ERR_ARG);
    return stated;
  });
  expect_both_ends(topology, own.handle());
  return with_graph(comm, own, std::move(topology), info);
}

/// Edges may be stated at any rank, so they are first sent to both of their ends.
MPI_Comm create_graph(MPI_Comm comm, EdgeLists const& given, MPI_Info info) {
  expect_intra(comm);
  OwnComm const own(comm);
  ProcessTopology topology;
  std::vector<NamedEdge> edges;
  topology.weighted = read_together(own.handle(), [&] {
    edges = named_edges(given, size_of(own.handle()));
    StatedWeights stated;
    stated.add(static_cast<int>(edges.size()), given.weights);
    return stated;
  });
  topology.targets =
      other_ends(delivered(edges, &NamedEdge::source, own.handle()), &NamedEdge::target, topology.weighted);
  topology.sources =
      other_ends(delivered(std::move(edges), &NamedEdge::target, own.handle()), &NamedEdge::source, topology.weighted);
  return with_graph(comm, own, std::move(topology), info);
}

}  // namespace rondo::mpi
