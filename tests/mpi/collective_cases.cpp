// Collectives whose meaning follows the communicator, on random digraphs with loops and repeated edges, against sums
// and lists over all edges.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mpi/graph_exchange.hpp"
#include "rondo/collectives.h"

namespace rondo::mpi::testing {
namespace {

using Ints = std::vector<int>;

/// A graph and a communicator that carries it; blocks are of two integers, rank and a number.
class OnGraph {
 public:
  OnGraph(World const& world, std::uint64_t seed, Report& report)
      : graph_(random_digraph(world.size, 0.15 + 0.1 * static_cast<double>(seed % 7), false, Edges::any, seed)),
        rank_(world.rank),
        report_(report) {
    sources_ = ends(graph_.incoming, &Digraph::Edge::source, rank_);
    targets_ = ends(graph_.outgoing, &Digraph::Edge::target, rank_);
    AlgorithmInfo const info(seed % 2 == 0 ? "auto" : "common_neighbors");
    Rondo_Dist_graph_create_adjacent(world.comm, static_cast<int>(sources_.size()), sources_.data(), MPI_UNWEIGHTED,
                                     static_cast<int>(targets_.size()), targets_.data(), MPI_UNWEIGHTED, info.handle(),
                                     0, &comm_);
    what_ = fmt::format("graph {}", seed);
  }
  ~OnGraph() { MPI_Comm_free(&comm_); }
  OnGraph(OnGraph const&) = delete;
  OnGraph& operator=(OnGraph const&) = delete;

  void rooted(int root) {
    bcast(root);
    gather(root);
    scatter(root);
    reduce(root);
  }
  void all() {
    allreduce();
    allgather();
    alltoall();
    expect({Rondo_Barrier(comm_), true}, "Barrier");
  }

 private:
  Ints ends(std::vector<Ints> const& edges, int Digraph::Edge::*end, int rank) const {
    Ints result;
    for (int const edge : edges[static_cast<std::size_t>(rank)]) {
      result.push_back(graph_.edges[static_cast<std::size_t>(edge)].*end);
    }
    return result;
  }
  /// Braces have it evaluated in this order.
  struct Outcome {
    int code;
    bool holds;
  };
  void expect(Outcome const& outcome, char const* call) {
    report_.expect_code(outcome.code, MPI_SUCCESS, what_ + ": " + call);
    report_.expect(outcome.holds, what_ + ": " + call + ": the values");
  }
  bool hears(int root) const { return std::find(sources_.begin(), sources_.end(), root) != sources_.end(); }

  void bcast(int root) {
    std::array<int, 2> data{rank_, rank_ == root ? 5 : -1};
    std::array<int, 2> const expected = hears(root) && rank_ != root ? std::array{root, 5} : data;
    int const code = Rondo_Bcast(data.data(), 2, MPI_INT, root, comm_);
    expect({code, data == expected}, "Bcast");
  }

  void gather(int root) {
    std::array<int, 2> sent{rank_, 7};
    Ints received(2 * sources_.size() + 1, -1), expected = received;
    if (rank_ == root) {
      for (std::size_t i = 0; i < sources_.size(); ++i) {
        expected[2 * i] = sources_[i];
        expected[2 * i + 1] = 7;
      }
    }
    expect({Rondo_Gather(sent.data(), 2, MPI_INT, received.data(), 2, MPI_INT, root, comm_), received == expected},
           "Gather");
    // Each rank gives as many integers as its rank says, at the root in reverse order.
    Ints counts, places, values(static_cast<std::size_t>(rank_ + 1), rank_), all, awaited;
    for (int const source : sources_) counts.push_back(source % 3);
    for (std::size_t i = 0; i < sources_.size(); ++i) places.push_back(static_cast<int>(2 * (sources_.size() - 1 - i)));
    all.assign(2 * sources_.size() + 1, -1);
    awaited = all;
    for (std::size_t i = 0; rank_ == root && i < sources_.size(); ++i) {
      std::fill_n(awaited.begin() + places[i], counts[i], sources_[i]);
    }
    expect({Rondo_Gatherv(values.data(), rank_ % 3, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, root,
                          comm_),
            all == awaited},
           "Gatherv");
  }

  void scatter(int root) {
    Ints sent, counts, places;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      sent.insert(sent.end(), {static_cast<int>(i), targets_[i]});
      counts.push_back(2);
      places.push_back(static_cast<int>(2 * i));
    }
    // The root's last edge to this rank.
    Ints const roots = ends(graph_.outgoing, &Digraph::Edge::target, root);
    std::array<int, 2> expected{-1, -1};
    for (std::size_t i = 0; i < roots.size(); ++i) {
      if (roots[i] == rank_) expected = {static_cast<int>(i), rank_};
    }
    std::array<int, 2> received{-1, -1}, again{-1, -1};
    expect({Rondo_Scatter(sent.data(), 2, MPI_INT, received.data(), 2, MPI_INT, root, comm_), received == expected},
           "Scatter");
    expect({Rondo_Scatterv(sent.data(), counts.data(), places.data(), MPI_INT, again.data(), 2, MPI_INT, root, comm_),
            again == expected},
           "Scatterv");
  }

  /// The sum of the ranks of the sources of `rank` and their number; without sources, what the buffer held before.
  std::array<int, 2> sums(int rank) const {
    std::array<int, 2> result{0, 0};
    Ints const sources = ends(graph_.incoming, &Digraph::Edge::source, rank);
    for (int const source : sources) {
      result[0] += source;
      ++result[1];
    }
    return sources.empty() ? std::array{-1, -1} : result;
  }

  void reduce(int root) {
    std::array<int, 2> sent{rank_, 1}, received{-1, -1};
    auto const expected = rank_ == root ? sums(root) : received;
    expect({Rondo_Reduce(sent.data(), received.data(), 2, MPI_INT, MPI_SUM, root, comm_), received == expected},
           "Reduce");
  }

  void allreduce() {
    std::array<int, 2> sent{rank_, 1}, received{-1, -1};
    expect({Rondo_Allreduce(sent.data(), received.data(), 2, MPI_INT, MPI_SUM, comm_), received == sums(rank_)},
           "Allreduce");
    double const mine = rank_;
    double largest = -1;
    expect({Rondo_Allreduce(const_cast<double*>(&mine), &largest, 1, MPI_DOUBLE, MPI_MAX, comm_),
            largest == (sources_.empty() ? -1 : *std::max_element(sources_.begin(), sources_.end()))},
           "Allreduce, MAX");
  }

  void allgather() {
    Ints received(sources_.size()), backwards(sources_.size()), ones(sources_.size(), 1);
    expect({Rondo_Allgather(&rank_, 1, MPI_INT, received.data(), 1, MPI_INT, comm_), received == sources_},
           "Allgather");
    std::vector<MPI_Aint> places;
    for (std::size_t i = sources_.size(); i > 0; --i) places.push_back(static_cast<MPI_Aint>((i - 1) * sizeof(int)));
    std::vector<MPI_Datatype> types(sources_.size(), MPI_INT);
    int const code =
        Rondo_Allgatherw(&rank_, 1, MPI_INT, backwards.data(), ones.data(), places.data(), types.data(), comm_);
    std::reverse(backwards.begin(), backwards.end());
    expect({code, backwards == sources_}, "Allgatherw");
  }

  /// A number for each target and one from each source; those along parallel edges are in the order of the edges.
  void alltoall() {
    Ints sent, expected, received(sources_.size());
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      auto const before = std::count(targets_.begin(), targets_.begin() + static_cast<std::ptrdiff_t>(i), targets_[i]);
      sent.push_back(10000 * rank_ + 100 * targets_[i] + static_cast<int>(before));
    }
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      auto const before = std::count(sources_.begin(), sources_.begin() + static_cast<std::ptrdiff_t>(i), sources_[i]);
      expected.push_back(10000 * sources_[i] + 100 * rank_ + static_cast<int>(before));
    }
    expect({Rondo_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm_), received == expected},
           "Alltoall");
  }

  Digraph graph_;
  int rank_;
  Report& report_;
  Ints sources_, targets_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::string what_;
};

void on_random_digraphs(World const& world, Report& report) {
  std::uint64_t const graphs = world.effort == Effort::full ? 20 : 3;
  for (std::uint64_t seed = 0; seed < graphs; ++seed) {
    OnGraph on(world, seed, report);
    on.rooted(static_cast<int>(seed) % world.size);
    on.all();
  }
}

/// Communicators without a graph: MPI's own, and a Cartesian one, which has its naming alone. Collectives on them
/// involve all ranks, as MPI's do.
void on_other_communicators(World const& world, Report& report) {
  int sum = 0, one = 1, size = world.size, period = 1;
  std::vector<int> all(static_cast<std::size_t>(world.size), -1);
  MPI_Comm grid = MPI_COMM_NULL;
  Rondo_Cart_create(world.comm, 1, &size, &period, 0, &grid);
  for (MPI_Comm comm : {world.comm, grid}) {
    report.expect_code(Rondo_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS, "Allreduce");
    report.expect(sum == world.size, "the sum over all ranks");
    int rank = world.rank;
    Rondo_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, comm);
    report.expect(all.back() == world.size - 1, "Allgather of all ranks");
    int before = 0;
    report.expect_code(Rondo_Scan(&one, &before, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS, "Scan");
    report.expect(before == world.rank + 1, "Scan over the ranks");
  }
  MPI_Comm_free(&grid);
}

void subtract(void* left, void* right, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i)
    static_cast<int*>(right)[i] = static_cast<int*>(left)[i] - static_cast<int*>(right)[i];
}

void undefined(World const& world, Report& report) {
  int const next = (world.rank + 1) % world.size, last = (world.rank + world.size - 1) % world.size;
  MPI_Comm ring = MPI_COMM_NULL;
  Rondo_Dist_graph_create_adjacent(world.comm, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &ring);
  std::vector<int> many(static_cast<std::size_t>(world.size), 1);
  int one = 1, result = 0;
  report.expect_code(Rondo_Reduce_scatter(many.data(), &result, many.data(), MPI_INT, MPI_SUM, ring), MPI_ERR_TOPOLOGY,
                     "Reduce_scatter");
  report.expect_code(Rondo_Reduce_scatter_block(many.data(), &result, 1, MPI_INT, MPI_SUM, ring), MPI_ERR_TOPOLOGY,
                     "Reduce_scatter_block");
  report.expect_code(Rondo_Scan(&one, &result, 1, MPI_INT, MPI_SUM, ring), MPI_ERR_TOPOLOGY, "Scan");
  report.expect_code(Rondo_Exscan(&one, &result, 1, MPI_INT, MPI_SUM, ring), MPI_ERR_TOPOLOGY, "Exscan");
  report.expect_code(Rondo_Bcast(&one, 1, MPI_INT, world.size, ring), MPI_ERR_ROOT, "a root that is no rank");
  report.expect_code(Rondo_Gather(&one, 1, MPI_INT, &result, 1, MPI_INT, -1, ring), MPI_ERR_ROOT, "a negative root");
  MPI_Op minus = MPI_OP_NULL;
  MPI_Op_create(subtract, 0, &minus);
  report.expect_code(Rondo_Allreduce(&one, &result, 1, MPI_INT, minus, ring), MPI_ERR_OP, "an operation with an order");
  MPI_Op_free(&minus);
  // Rank 0 gives too much: the next rank is told, nobody waits in vain.
  std::array<int, 2> data{1, 1}, sums{0, 0};
  int const count = world.rank == 0 ? 2 : 1;
  int const code = Rondo_Allreduce(data.data(), sums.data(), count, MPI_INT, MPI_SUM, ring);
  bool const told = world.size > 1 && (world.rank == 0 || world.rank == 1);
  report.expect_code(code, told ? MPI_ERR_TRUNCATE : MPI_SUCCESS, "counts that differ");
  MPI_Comm_free(&ring);
}

}  // namespace

std::vector<TestCase> collective_cases() {
  // Item [Traeff21, Listing 2; MPI_Barrier on a graph; MPI_Bcast on a graph; MPI_Gather on a graph; MPI_Scatter on a
  // graph; MPI_Reduce on a graph; MPI_Allreduce on a graph; MPI_Allgather on a graph; MPI_Alltoall on a graph]: holds.
  return {{"collectives_follow_the_graph", on_random_digraphs},
          {"collectives_without_a_graph_are_mpis_own", on_other_communicators},
          // Item [Traeff21, MPI_Reduce_scatter on a graph; MPI_Scan on a graph]: holds.
          {"what_graphs_do_not_have_is_refused", undefined}};
}

}  // namespace rondo::mpi::testing
