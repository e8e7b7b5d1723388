// Computes with the names of ranks on a grid: coordinates, relative ranks, offsets and neighborhoods.
// unnamed_torus() tries all factorizations of the number of ranks as tori in row-major order. Each rank computes a
// fingerprint of its offsets on every torus; a torus on which all fingerprints are equal makes the graph isomorphic.

#include "mpi_library/graph/cart_naming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"

namespace rondo::mpi {
namespace {

Vector in_order(Vector vector, CartesianNaming::Order order) {
  if (order == CartesianNaming::Order::column_major) std::reverse(vector.begin(), vector.end());
  return vector;
}

/// The length of an offset in a metric.
std::int64_t length(Vector const& offset, Metric metric) {
  std::int64_t result = 0;
  for (int const coordinate : offset) {
    std::int64_t const part = std::abs(static_cast<std::int64_t>(coordinate));
    result = metric == Metric::manhattan ? result + part : std::max(result, part);
  }
  return result;
}

/// All vectors with coordinates from `least` to `most`.
struct Box {
  Vector least, most;

  /// The number of vectors; infinity if it is more than a double holds.
  double size() const {
    double result = 1;
    for (std::size_t j = 0; j < least.size(); ++j) result *= static_cast<double>(most[j]) - least[j] + 1;
    return result;
  }
  /// Moves to the next vector in lexicographic order; returns false after the last one.
  bool advance(Vector& offset) const {
    for (std::size_t j = offset.size(); j-- > 0;) {
      if (offset[j] != most[j]) {
        ++offset[j];
        return true;
      }
      offset[j] = least[j];
    }
    return false;
  }
};

}  // namespace

CartesianNaming::CartesianNaming(Vector extents, std::vector<bool> closed, Order order, int ranks)
    : extents_(std::move(extents)),
      closed_(std::move(closed)),
      order_(order),
      ranks_(ranks),
      torus_(in_order(extents_, order)) {}

Vector CartesianNaming::in_order_of_ranks(Vector vector) const { return in_order(std::move(vector), order_); }

std::optional<Vector> CartesianNaming::coordinates(int rank) const {
  if (rank < 0 || rank >= std::min(ranks_, size())) return std::nullopt;
  return in_order(torus_.coordinates(Rank(rank)), order_);
}

/// The rank at these coordinates; unset outside of an open dimension or if the point has no rank.
std::optional<int> CartesianNaming::rank(Vector coordinates) const {
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    if (!closed_[j] && (coordinates[j] < 0 || coordinates[j] >= extents_[j])) return std::nullopt;
  }
  int const rank = torus_.rank(in_order(std::move(coordinates), order_)).value;
  if (rank >= ranks_) return std::nullopt;
  return rank;
}

/// The rank at an offset from another one, or against it with sign = -1.
std::optional<int> CartesianNaming::relative_rank(int source, std::span<int const> offset, int sign) const {
  std::optional<Vector> place = coordinates(source);
  if (!place) return std::nullopt;
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    // Any integer is accepted; the remainder, or the clamp, avoids an overflow.
    int const step = closed_[j] ? offset[j] % extents_[j] : std::clamp(offset[j], -extents_[j], extents_[j]);
    (*place)[j] += sign * step;
  }
  return rank(std::move(*place));
}

/// The shortest offset; of two equally short ones the positive one.
std::optional<Vector> CartesianNaming::offset(int source, int target) const {
  auto const from = coordinates(source);
  auto const to = coordinates(target);
  if (!from || !to) return std::nullopt;
  Vector result;
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    int step = (*to)[j] - (*from)[j];
    if (closed_[j] && 2 * step > extents_[j]) step -= extents_[j];
    if (closed_[j] && 2 * step <= -extents_[j]) step += extents_[j];
    result.push_back(step);
  }
  return result;
}

/// The offsets with a length from `shadow` to `depth`, in lexicographic order.
std::vector<Vector> CartesianNaming::neighbors(int rank, Metric metric, int shadow, int depth) const {
  std::vector<Vector> result;
  std::optional<Vector> const place = coordinates(rank);
  if (depth < 0 || !place) return result;
  Box box{Vector(extents_.size(), -depth), Vector(extents_.size(), depth)};
  for (std::size_t j = 0; j < extents_.size(); ++j) {
    if (closed_[j]) continue;
    box.least[j] = std::max(-depth, -(*place)[j]);
    box.most[j] = std::min(depth, extents_[j] - 1 - (*place)[j]);
  }
  if (box.size() > most_offsets) {
    throw InputError(
        fmt::format("expected a depth of at most {} offsets, got one of {:.0f}", most_offsets, box.size()));
  }
  Vector offset = box.least;
  do {
    std::int64_t const away = length(offset, metric);
    if (away >= shadow && away <= depth && relative_rank(rank, offset)) result.push_back(offset);
  } while (box.advance(offset));
  return result;
}

namespace {

constexpr std::size_t most_dimensions = 4;
constexpr std::size_t most_tori = 1000;

/// All ways to write `places` as a product of at most so many factors above 1.
void append_tori(int places, Vector& chosen, std::vector<Vector>& all) {
  if (places == 1 && !chosen.empty()) all.push_back(chosen);
  if (chosen.size() == most_dimensions) return;
  for (int extent = 2; extent <= places && all.size() < most_tori; ++extent) {
    if (places % extent != 0) continue;
    chosen.push_back(extent);
    append_tori(places / extent, chosen, all);
    chosen.pop_back();
  }
}

/// The neighbors of a rank as it sees them on some torus.
struct View {
  std::uint64_t offsets = 0;  ///< a fingerprint
  std::int64_t length = 0;    ///< of all offsets together, in hops
};

/// The neighbors of the rank on one torus.
View view(CartesianNaming const& torus, int self, ProcessTopology const& topology) {
  View result;
  Fingerprint stated;
  for (auto const* const ends : {&topology.targets.ranks, &topology.sources.ranks}) {
    std::vector<Vector> offsets;
    for (int const rank : *ends) {
      // Both ends of an edge compute the offset from source to target.
      if (rank >= 0)
        offsets.push_back(*(ends == &topology.targets.ranks ? torus.offset(self, rank) : torus.offset(rank, self)));
    }
    std::ranges::sort(offsets);
    stated.add(static_cast<std::int64_t>(offsets.size()));
    for (Vector const& offset : offsets) {
      for (int const hops : offset) {
        stated.add(hops);
        result.length += std::abs(hops);
      }
    }
  }
  result.offsets = stated.value();
  return result;
}

CartesianNaming naming_of_torus(Vector const& extents, int ranks) {
  return {extents, std::vector<bool>(extents.size(), true), CartesianNaming::Order::row_major, ranks};
}

bool is_full_of_ranks(std::vector<int> const& neighbors) {
  return !neighbors.empty() && std::ranges::all_of(neighbors, [](int rank) { return rank >= 0; });
}

}  // namespace

/// Tries every torus with this number of ranks; the graph must be isomorphic on it. Unset if there is none.
std::optional<CartesianNaming> unnamed_torus(MPI_Comm comm, ProcessTopology const& topology) {
  int const self = rank_in(comm), ranks = size_of(comm);
  std::vector<Vector> tori;
  Vector chosen;
  append_tori(ranks, chosen, tori);
  if (tori.empty()) return std::nullopt;
  // The largest complement is the complement of the smallest, so that one reduction yields both.
  std::vector<std::uint64_t> mine, largest;
  std::vector<std::int64_t> lengths;
  bool const none = !is_full_of_ranks(topology.targets.ranks) || !is_full_of_ranks(topology.sources.ranks);
  mine.push_back(none ? 1 : 0);
  for (Vector const& extents : tori) {
    View const seen = none ? View{} : view(naming_of_torus(extents, ranks), self, topology);
    mine.insert(mine.end(), {seen.offsets, ~seen.offsets});
    lengths.push_back(seen.length);
  }
  largest.resize(mine.size());
  check(PMPI_Allreduce(mine.data(), largest.data(), static_cast<int>(mine.size()), MPI_UINT64_T, MPI_MAX, comm));
  if (largest.front() != 0) return std::nullopt;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < tori.size(); ++i) {
    bool const same = largest[1 + 2 * i] == ~largest[2 + 2 * i];
    if (same && (!best || lengths[i] < lengths[*best])) best = i;
  }
  if (!best) return std::nullopt;
  return naming_of_torus(tori[*best], ranks);
}

}  // namespace rondo::mpi
