// The bounds of bounds.hpp on a mesh. Ranks differ here, so needs are computed rank by rank; volumes are maxima and
// means over them.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <span>

#include "theory/bounds.hpp"
#include "theory/mean.hpp"
#include "theory/spreading.hpp"

namespace rondo::theory {
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
