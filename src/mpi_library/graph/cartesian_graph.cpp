// is_isomorphic() gathers the offsets of all ranks. For a Cartesian graph, the ranks tell each other the offsets of
// their neighbors and check whether all have the same neighborhood.

#include "mpi_library/graph/cartesian_graph.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/own_comm.hpp"

namespace rondo::mpi {

namespace {

/// The offsets from `self` to those of `targets` that have a name. Negative entries are skipped, because MPI_PROC_NULL
/// stands for a neighbor past the border of a grid.
OffsetCounts offset_counts(CartesianNaming const& naming, int self, std::span<int const> targets) {
  OffsetCounts result;
  for (int const target : targets) {
    if (target < 0) continue;
    if (auto const offset = naming.offset(self, target)) ++result[*offset];
  }
  return result;
}

}  // namespace

/// The counts as a list for messages: coordinates and count of each offset.
std::vector<int> flat(OffsetCounts const& counts) {
  std::vector<int> result;
  for (auto const& [offset, times] : counts) {
    result.insert(result.end(), offset.begin(), offset.end());
    result.push_back(times);
  }
  return result;
}

namespace {

/// The number of targets that are ranks; MPI_PROC_NULL is negative.
std::ptrdiff_t number_of_ranks(std::span<int const> targets) {
  return std::ranges::count_if(targets, [](int target) { return target >= 0; });
}

std::ptrdiff_t total(OffsetCounts const& counts) {
  std::ptrdiff_t sum = 0;
  for (auto const& [offset, times] : counts) sum += times;
  return sum;
}

/// Collective. Gathers the lists of all ranks into one, in the order of the ranks.
std::vector<int> gathered(MPI_Comm comm, std::vector<int> const& mine) {
  int const ranks = size_of(comm);
  auto const length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranks)), starts;
  check(PMPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm));
  int total = 0;
  for (int const each : lengths) starts.push_back(std::exchange(total, total + each));
  // One element more gives MPI a buffer even if all lists are empty.
  std::vector<int> all(static_cast<std::size_t>(total) + 1);
  check(PMPI_Allgatherv(mine.data(), length, MPI_INT, all.data(), lengths.data(), starts.data(), MPI_INT, comm));
  all.pop_back();
  return all;
}

/// Each offset with the largest number of edges that any rank has for it. `lists` has the counts of all ranks, each in
/// the form of flat().
OffsetCounts united(std::vector<int> const& lists, std::size_t dimensions) {
  OffsetCounts result;
  for (auto at = lists.begin(); at != lists.end();) {
    auto const end = at + static_cast<std::ptrdiff_t>(dimensions);
    int& times = result[Vector(at, end)];
    times = std::max(times, *end);
    at = end + 1;
  }
  return result;
}

}  // namespace

bool is_isomorphic(MPI_Comm comm, CartesianNaming const& naming, std::span<int const> targets) {
  OwnComm const own(comm);
  int const self = rank_in(comm);
  OffsetCounts const mine = offset_counts(naming, self, targets);
  bool const all_named = naming.coordinates(self).has_value() && total(mine) == number_of_ranks(targets);
  OffsetCounts expected = united(gathered(own.handle(), flat(mine)), static_cast<std::size_t>(naming.dimensions()));
  // An offset that leads from this rank to no rank is not expected of it.
  std::erase_if(expected, [&](auto const& each) { return !naming.relative_rank(self, each.first); });
  int const same = all_named && mine == expected ? 1 : 0;
  int all = 0;
  check(PMPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, own.handle()));
  return all != 0;
}

namespace {

/// Computes the offset of an edge. Both of its ends get the same one. Unset if either end is MPI_PROC_NULL.
std::optional<Vector> edge(CartesianNaming const& naming, int source, int target) {
  if (source < 0 || target < 0) return std::nullopt;
  return naming.offset(source, target);
}

/// Tells whether any neighbor is a rank, not MPI_PROC_NULL.
bool has_neighbors(ProcessTopology const& topology) {
  auto const is_rank = [](int rank) { return rank >= 0; };
  return std::ranges::any_of(topology.targets.ranks, is_rank) || std::ranges::any_of(topology.sources.ranks, is_rank);
}

/// Finds the common neighborhood of all ranks. In each turn, the rank with the most offsets that no rank has named yet
/// names them to all ranks. The turns end when every offset has been named, or when a rank lacks a neighbor that
/// another rank has named. Usually one rank names all offsets in the first turn.
class Discovery {
 public:
  /// Counts the offsets of this rank's targets.
  Discovery(MPI_Comm comm, CartesianNaming const& naming, ProcessTopology const& topology)
      : comm_(comm), naming_(naming) {
    self_ = rank_in(comm);
    mine_ = offset_counts(naming, self_, topology.targets.ranks);
    lonely_ = !has_neighbors(topology);
  }

  /// Collective. Returns how often each offset occurs in the common neighborhood; unset at all ranks if they have none.
  /// Throws MpiFailure.
  std::optional<OffsetCounts> run() && {
    for (;;) {
      OffsetCounts const unnamed = not_named();
      struct {
        int number, rank;
      } mine{agrees() ? static_cast<int>(unnamed.size()) : disagreement, self_}, most{};
      check(PMPI_Allreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, comm_));
      if (most.number == disagreement) return std::nullopt;
      if (most.number == 0) return std::move(named_);
      receive_offsets(most.rank, most.number, unnamed);
    }
  }

 private:
  /// The number of unnamed offsets that a rank states if it does not agree; as the largest one it reaches all ranks.
  static constexpr int disagreement = std::numeric_limits<int>::max();

  /// Returns the offsets of this rank that no rank has named yet.
  OffsetCounts not_named() const {
    OffsetCounts result;
    for (auto const& each : mine_) {
      if (!named_.contains(each.first)) result.insert(each);
    }
    return result;
  }
  /// Tells whether this rank has each named neighbor as often as the naming rank. A neighbor past an open border does
  /// not exist and may be missing.
  bool agrees() const {
    if (lonely_) return false;
    return std::ranges::all_of(named_, [&](auto const& each) {
      auto const found = mine_.find(each.first);
      return found != mine_.end() ? found->second == each.second : !naming_.relative_rank(self_, each.first);
    });
  }
  /// Collective. The rank `root` names its `number` unnamed offsets; all ranks note them as named.
  void receive_offsets(int root, int number, OffsetCounts const& unnamed) {
    std::size_t const length = at(naming_.dimensions()) + 1;
    std::vector<int> list = flat(unnamed);
    list.resize(at(number) * length);
    check(PMPI_Bcast(list.data(), static_cast<int>(list.size()), MPI_INT, root, comm_));
    for (auto entry = list.begin(); entry != list.end(); entry += static_cast<std::ptrdiff_t>(length)) {
      auto const end = entry + static_cast<std::ptrdiff_t>(length) - 1;
      named_.emplace(Vector(entry, end), *end);
    }
  }

  MPI_Comm comm_;
  CartesianNaming const& naming_;
  int self_ = 0;
  bool lonely_ = false;  ///< this rank has no neighbor
  OffsetCounts mine_;    ///< of this rank's targets
  OffsetCounts named_;   ///< the same at all ranks
};

/// Tells for each dimension of the torus whether it is closed. An open dimension of extent 1 counts as closed: no point
/// has a neighbor along it, so no block crosses its border.
std::vector<bool> closed_dimensions(CartesianNaming const& naming) {
  Vector result;
  for (int j = 0; j < naming.dimensions(); ++j) result.push_back(naming.closed(j) || naming.extents()[at(j)] == 1);
  result = naming.in_order_of_ranks(std::move(result));
  return {result.begin(), result.end()};
}

/// Assigns places in the neighborhood to edges. Edges with the same offset get consecutive places, one after the other.
class Places {
 public:
  explicit Places(OffsetCounts const& counts) {
    for (auto const& [offset, times] : counts) next_[offset] = std::exchange(end_, end_ + times);
  }
  /// Returns the next free place of an offset, which must have one; -1 without an offset.
  int take(std::optional<Vector> const& offset) { return offset ? next_.at(*offset)++ : -1; }

 private:
  std::map<Vector, int> next_;  ///< by offset: its next free place
  int end_ = 0;                 ///< the number of places
};

/// Lists each offset as often as it occurs, in the order of the torus' dimensions.
Neighborhood neighborhood_of(CartesianNaming const& naming, OffsetCounts const& counts) {
  std::vector<Vector> offsets;
  for (auto const& [offset, times] : counts) {
    offsets.insert(offsets.end(), at(times), naming.in_order_of_ranks(offset));
  }
  return {naming.dimensions(), offsets};
}

}  // namespace

std::shared_ptr<CartesianGraph const> cartesian_graph(MPI_Comm comm, CartesianNaming const& naming,
                                                      ProcessTopology const& topology) {
  int const ranks = size_of(comm), self = rank_in(comm);
  if (naming.size() != ranks || naming.dimensions() == 0) return nullptr;
  auto const counts = Discovery(comm, naming, topology).run();
  if (!counts) return nullptr;
  Boundary const boundary = Boundary::closed_in(closed_dimensions(naming));
  IsoOptions options;
  options.allgather_order = problem::OrderRule::best;
  options.shortest_wrap = boundary == Boundary::periodic;
  auto graph = std::make_shared<CartesianGraph>(CartesianGraph{
      {nullptr, naming.torus(), boundary, neighborhood_of(naming, *counts), options, Rank(self)}, {}, {}});
  Places targets(*counts), sources(*counts);
  for (int const target : topology.targets.ranks) graph->targets.push_back(targets.take(edge(naming, self, target)));
  graph->sources.resize(topology.sources.ranks.size());
  for (int k = 0; k < topology.indegree(); ++k) {
    auto const j = at(topology.receive_order(k));
    graph->sources[j] = sources.take(edge(naming, topology.sources.ranks[j], self));
  }
  return graph;
}

}  // namespace rondo::mpi
