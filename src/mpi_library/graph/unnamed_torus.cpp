// Tries all factorizations of the number of ranks as tori in row-major order. Each rank computes a fingerprint of its
// offsets on every torus; a torus on which all fingerprints are equal makes the graph isomorphic.

#include "mpi_library/graph/unnamed_torus.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"

namespace rondo::mpi {
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
  int self = 0, ranks = 0;
  check(MPI_Comm_rank(comm, &self));
  check(MPI_Comm_size(comm, &ranks));
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
