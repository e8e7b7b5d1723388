// All ranks of a torus are alike, so the bounds on a torus count for one rank. Ranks of a mesh differ, so their needs
// are computed rank by rank; volumes are maxima and means over them.

#include "theory/bounds.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
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

namespace {

/// Which ranks have links.
enum class Between : std::uint8_t { neighbors, any_ranks };

/// The least work of the ranks of a mesh; each number is a bound of its own.
struct Need {
  std::int64_t rounds = 0;           ///< that the block of some rank needs to reach its targets
  std::int64_t all_distances = 0;    ///< the sum over all blocks of all ranks
  Bytes all_byte_distances = {};     ///< the same, each distance times the size of its block
  std::int64_t most_own_blocks = 0;  ///< of the rank with most blocks that leave it
  Bytes most_own_bytes = {};         ///< of the rank with most bytes that leave it
  std::int64_t all_targets = 0;      ///< distinct targets of a rank, summed over the ranks
  std::int64_t all_trees =
      0;  ///< a lower bound of the links that connect a rank with its targets, summed over the ranks
};

/// The hops over the links of the mesh. No link leads around an open dimension.
std::int64_t distance(Torus const& torus, Boundary const& boundary, std::span<int const> offset) {
  std::int64_t hops = 0;
  for (std::size_t j = 0; j < offset.size(); ++j) {
    int const along = std::abs(offset[j]);
    int const wrapped = along % torus.extents()[j];
    hops += boundary.closes(j) ? std::min(wrapped, torus.extents()[j] - wrapped) : along;
  }
  return hops;
}

/// A lower bound of the links of any tree that connects a rank with its targets: one for each target; the distance of
/// the farthest target; and in each dimension the links that cover the coordinates, which on a ring are all but the
/// longest gap.
std::int64_t tree_links(Torus const& torus, Boundary const& boundary, Rank rank, std::set<Rank> const& targets,
                        std::int64_t farthest) {
  std::int64_t covering = 0;
  for (std::size_t j = 0; j < torus.extents().size(); ++j) {
    std::set<int> coordinates{torus.coordinates(rank)[j]};
    for (Rank const target : targets) coordinates.insert(torus.coordinates(target)[j]);
    int const first = *coordinates.begin();
    int const last = *coordinates.rbegin();
    int gap = torus.extents()[j] - (last - first);
    for (auto c = std::next(coordinates.begin()); c != coordinates.end(); ++c) gap = std::max(gap, *c - *std::prev(c));
    covering += boundary.closes(j) ? torus.extents()[j] - gap : last - first;
  }
  return std::max({static_cast<std::int64_t>(targets.size()), farthest, covering});
}

/// Goes over all ranks: which targets each has, and how far away they are.
Need need(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood, Between links, int ports,
          std::vector<Bytes> const& sizes = {}) {
  Need result;
  for (int r = 0; r < torus.size(); ++r) {
    std::set<Rank> targets;
    std::vector<std::int64_t> distances;  // distances of the distinct targets
    std::int64_t rank_distances = 0;
    Bytes own_bytes(0);
    for (int i = 0; i < neighborhood.size(); ++i) {
      auto const target = add(torus, boundary, Rank(r), neighborhood[i]);
      if (!target || *target == Rank(r)) continue;
      std::int64_t const hops = distance(torus, boundary, neighborhood[i]);
      Bytes const size = sizes.empty() ? Bytes(0) : sizes.at(static_cast<std::size_t>(i));
      result.all_distances += hops;
      result.all_byte_distances += hops * size;
      ++rank_distances;
      own_bytes += size;
      if (targets.insert(*target).second) distances.push_back(hops);
    }
    auto const distinct = std::ssize(targets);
    result.most_own_blocks = std::max(result.most_own_blocks, rank_distances);
    result.most_own_bytes = std::max(result.most_own_bytes, own_bytes);
    result.all_targets += distinct;
    if (links == Between::neighbors) {
      std::int64_t const farthest = distances.empty() ? 0 : *std::max_element(distances.begin(), distances.end());
      result.all_trees += tree_links(torus, boundary, Rank(r), targets, farthest);
    }
    result.rounds = std::max(result.rounds, links == Between::any_ranks ? rounds_to_reach(distinct, ports)
                                                                        : rounds_to_reach(std::move(distances), ports));
  }
  return result;
}

/// The busiest rank sends at least its own blocks, and at least the mean over all ranks.
Bounds alltoall_bounds(Torus const& torus, Need const& need, Between links) {
  Bounds bounds{need.rounds, need.most_own_blocks, need.rounds, need.most_own_bytes};
  if (links == Between::any_ranks) return bounds;
  Bytes const mean(mean_at_least(need.all_byte_distances.value, torus.size()));
  bounds.volume_blocks = std::max(bounds.volume_blocks, mean_at_least(need.all_distances, torus.size()));
  bounds.volume_bytes = std::max(bounds.volume_bytes, mean);
  return bounds;
}

Bounds allgather_bounds(Torus const& torus, std::int64_t all_moves, Need const& need) {
  return {need.rounds, mean_at_least(all_moves, torus.size()), need.rounds, {}};
}

/// Whether no offset moves along an open dimension. The torus has additional links, which can only help, so its bounds
/// hold here too. They are stronger, because they use that all ranks do the same.
bool stays_in_closed_dimensions(Boundary const& boundary, Neighborhood const& neighborhood) {
  for (int i = 0; i < neighborhood.size(); ++i) {
    for (std::size_t j = 0; j < neighborhood[i].size(); ++j) {
      if (neighborhood[i][j] != 0 && !boundary.closes(j)) return false;
    }
  }
  return true;
}

/// The bounds, with the additional round that a second direction takes.
Bounds with_extra_round(Bounds bounds, Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                        int ports) {
  bounds.rounds = std::max(bounds.rounds, rounds_of_a_straight_way(torus, boundary, neighborhood, ports));
  return bounds;
}

}  // namespace

/// A neighborhood that stays within closed dimensions sees a torus.
Bounds alltoall_bounds_on_mesh_unit(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                    int ports, std::vector<Bytes> const& sizes) {
  if (stays_in_closed_dimensions(boundary, neighborhood)) {
    return alltoall_bounds_unit(torus, neighborhood, ports, sizes);
  }
  Between const links = Between::neighbors;
  Bounds const bounds = alltoall_bounds(torus, need(torus, boundary, neighborhood, links, ports, sizes), links);
  return with_extra_round(bounds, torus, boundary, neighborhood, ports);
}

Bounds alltoall_bounds_on_mesh_any(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                   int ports, std::vector<Bytes> const& sizes) {
  Between const links = Between::any_ranks;
  return alltoall_bounds(torus, need(torus, boundary, neighborhood, links, ports, sizes), links);
}

/// As above; a block goes once over each edge of a tree.
Bounds allgather_bounds_on_mesh_unit(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                     int ports) {
  if (stays_in_closed_dimensions(boundary, neighborhood)) return allgather_bounds_unit(torus, neighborhood, ports);
  Need const all = need(torus, boundary, neighborhood, Between::neighbors, ports);
  return with_extra_round(allgather_bounds(torus, all.all_trees, all), torus, boundary, neighborhood, ports);
}

Bounds allgather_bounds_on_mesh_any(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                    int ports) {
  Need const all = need(torus, boundary, neighborhood, Between::any_ranks, ports);
  return allgather_bounds(torus, all.all_targets, all);
}

}  // namespace rondo::theory
