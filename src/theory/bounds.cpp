// The bounds of bounds.hpp on a torus. Each function counts for one rank, since all ranks of a torus are alike.

#include "theory/bounds.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <span>

#include "theory/spreading.hpp"

namespace rondo::theory {
namespace {

/// The dimension along which an offset moves; unset if it moves along none or several.
std::optional<std::size_t> only_dimension(Torus const& torus, std::span<int const> offset) {
  std::optional<std::size_t> only;
  for (std::size_t j = 0; j < offset.size(); ++j) {
    if (offset[j] % torus.extents()[j] == 0) continue;
    if (only) return std::nullopt;
    only = j;
  }
  return only;
}

/// The hops along a ring of p ranks in the shorter direction; negative if that is backwards.
int shortest(int hops, int p) {
  int const ahead = ((hops % p) + p) % p;
  return 2 * ahead > p ? ahead - p : ahead;
}

/// The ranks at the offsets, without the rank itself.
std::set<Rank> distinct_targets(Torus const& torus, Neighborhood const& neighborhood) {
  std::set<Rank> targets;
  for (int i = 0; i < neighborhood.size(); ++i) targets.insert(torus.add(Rank(0), neighborhood[i]));
  targets.erase(Rank(0));
  return targets;
}

/// Rounds and chain on unit links. They are the same for all-to-all and allgather, because in both a block for each
/// target leaves every rank.
Bounds unit_rounds(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  std::vector<std::int64_t> distances;
  for (Rank const target : distinct_targets(torus, neighborhood)) {
    distances.push_back(torus.distance(Rank(0), target));
  }
  Bounds bounds;
  bounds.rounds = bounds.chain = rounds_to_reach(std::move(distances), ports);
  bounds.rounds = std::max(bounds.rounds, rounds_of_a_straight_way(torus, Boundary::periodic, neighborhood, ports));
  return bounds;
}

/// Rounds and chain over any links.
Bounds any_rounds(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Bounds bounds;
  bounds.rounds = bounds.chain = rounds_to_reach(std::ssize(distinct_targets(torus, neighborhood)), ports);
  return bounds;
}

Bytes size_of(std::vector<Bytes> const& sizes, int i) {
  return sizes.empty() ? Bytes(0) : sizes.at(static_cast<std::size_t>(i));
}

/// Whether the block at an offset can travel along while all ranks send in direction `way` in `most` rounds.
bool lies_on(Torus const& torus, Boundary const& boundary, std::span<int const> offset, std::size_t way, int most) {
  for (std::size_t j = 0; j < offset.size(); ++j) {
    int const p = torus.extents()[j];
    int const hops = boundary.closes(j) ? shortest(offset[j], p) : offset[j];
    if (j != way && hops != 0) return false;
    if (j == way && (most > 0 ? hops < 0 || hops > most : hops > 0 || hops < most)) return false;
  }
  return true;
}

}  // namespace

std::int64_t rounds_of_a_straight_way(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                      int ports) {
  if (ports != 1) return 0;
  std::int64_t rounds = 0;
  for (int i = 0; i < neighborhood.size(); ++i) {
    auto const way = only_dimension(torus, neighborhood[i]);
    if (!way || !boundary.closes(*way) || !fits(torus, neighborhood[i], boundary)) continue;
    int const extent = torus.extents()[*way];
    int const hops = shortest(neighborhood[i][*way], extent);
    if (2 * std::abs(hops) >= extent || std::abs(hops) < rounds) continue;
    bool all_on_it = true;
    for (int k = 0; k < neighborhood.size(); ++k) {
      all_on_it &= !fits(torus, neighborhood[k], boundary) || lies_on(torus, boundary, neighborhood[k], *way, hops);
    }
    rounds = std::max<std::int64_t>(rounds, std::abs(hops) + (all_on_it ? 0 : 1));
  }
  return rounds;
}

TimeBound time_bound(Bounds const& bounds, Bytes block, int ports, LinearCost const& cost) {
  Bounds in_bytes = bounds;
  in_bytes.volume_bytes = bounds.volume_blocks * block;
  return time_bound_irregular(in_bytes, block, ports, cost);
}

/// The bound for blocks of different sizes: a chain of messages carries at least the smallest block.
TimeBound time_bound_irregular(Bounds const& bounds, Bytes smallest, int ports, LinearCost const& cost) {
  if (bounds.volume_blocks == 0) return {};
  Seconds const sequential = static_cast<double>(bounds.chain) * (cost.alpha + smallest / cost.bandwidth);
  double const share = 1.0 / ports;
  return time_bound_of(sequential.value, (cost.alpha + share * (bounds.volume_bytes / cost.bandwidth)).value);
}

/// Every block takes as many hops as its distance.
Bounds alltoall_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports,
                            std::vector<Bytes> const& sizes) {
  Bounds bounds = unit_rounds(torus, neighborhood, ports);
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::int64_t const distance = torus.distance(neighborhood[i]);
    bounds.volume_blocks += distance;
    bounds.volume_bytes += distance * size_of(sizes, i);
  }
  return bounds;
}

/// Every block takes one hop, unless the rank keeps it.
Bounds alltoall_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports,
                           std::vector<Bytes> const& sizes) {
  Bounds bounds = any_rounds(torus, neighborhood, ports);
  for (int i = 0; i < neighborhood.size(); ++i) {
    if (torus.is_self(neighborhood[i])) continue;
    ++bounds.volume_blocks;
    bounds.volume_bytes += size_of(sizes, i);
  }
  return bounds;
}

Bounds allgather_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Bounds bounds = unit_rounds(torus, neighborhood, ports);
  bounds.volume_blocks = steiner_bound(torus, neighborhood).links;
  return bounds;
}

Bounds allgather_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Bounds bounds = any_rounds(torus, neighborhood, ports);
  bounds.volume_blocks = std::ssize(distinct_targets(torus, neighborhood));
  return bounds;
}

}  // namespace rondo::theory
