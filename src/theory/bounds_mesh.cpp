#include <algorithm>
#include <cstdlib>
#include <set>
#include <span>

#include "theory/bounds.hpp"
#include "theory/mean.hpp"
#include "theory/spreading.hpp"

namespace rondo::theory {
namespace {

enum class Between : std::uint8_t { neighbors, any_ranks };

/// What the ranks of a mesh have to do, each counted on its own.
struct Need {
  std::int64_t rounds = 0;           ///< the most that a rank's block needs to come to its targets
  std::int64_t all_distances = 0;    ///< sum over all blocks of all ranks
  Bytes all_byte_distances = {};     ///< the same, each times the size of its block
  std::int64_t most_own_blocks = 0;  ///< most blocks of one rank that leave it
  Bytes most_own_bytes = {};         ///< most bytes of one rank that leave it
  std::int64_t all_targets = 0;      ///< distinct ones of a rank, summed over the ranks
};

/// Hops over the links that there are: none leads around an open dimension.
std::int64_t distance(Torus const& torus, Boundary const& boundary, std::span<int const> offset) {
  std::int64_t hops = 0;
  for (std::size_t j = 0; j < offset.size(); ++j) {
    int const along = std::abs(offset[j]);
    int const around = along % torus.extents()[j];
    hops += boundary.closes(j) ? std::min(around, torus.extents()[j] - around) : along;
  }
  return hops;
}

Need need(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood, Between links, int ports,
          std::vector<Bytes> const& sizes = {}) {
  Need result;
  for (int r = 0; r < torus.size(); ++r) {
    std::set<Rank> targets;
    std::vector<std::int64_t> distances;  // distances of the distinct targets
    std::int64_t own = 0;
    Bytes own_bytes(0);
    for (int i = 0; i < neighborhood.size(); ++i) {
      auto const target = add(torus, boundary, Rank(r), neighborhood[i]);
      if (!target || *target == Rank(r)) continue;
      std::int64_t const hops = distance(torus, boundary, neighborhood[i]);
      Bytes const size = sizes.empty() ? Bytes(0) : sizes.at(static_cast<std::size_t>(i));
      result.all_distances += hops;
      result.all_byte_distances += hops * size;
      ++own;
      own_bytes += size;
      if (targets.insert(*target).second) distances.push_back(hops);
    }
    auto const distinct = std::ssize(targets);
    result.most_own_blocks = std::max(result.most_own_blocks, own);
    result.most_own_bytes = std::max(result.most_own_bytes, own_bytes);
    result.all_targets += distinct;
    result.rounds = std::max(result.rounds, links == Between::any_ranks ? rounds_to_reach(distinct, ports)
                                                                        : rounds_to_reach(std::move(distances), ports));
  }
  return result;
}

Bounds alltoall_bounds(Torus const& torus, Need const& need, Between links) {
  Bounds bounds{need.rounds, need.most_own_blocks, need.rounds, need.most_own_bytes};
  if (links == Between::any_ranks) return bounds;
  Bytes const mean(mean_at_least(need.all_byte_distances.value, torus.size()));
  bounds.volume_blocks = std::max(bounds.volume_blocks, mean_at_least(need.all_distances, torus.size()));
  bounds.volume_bytes = std::max(bounds.volume_bytes, mean);
  return bounds;
}

/// On unit links a tree that joins a rank with its targets can pass all of them, so that nothing is added for these.
Bounds allgather_bounds(Torus const& torus, Need const& need) {
  return {need.rounds, mean_at_least(need.all_targets, torus.size()), need.rounds, {}};
}

}  // namespace

Bounds alltoall_bounds_on_mesh_unit(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                    int ports, std::vector<Bytes> const& sizes) {
  Between const links = Between::neighbors;
  return alltoall_bounds(torus, need(torus, boundary, neighborhood, links, ports, sizes), links);
}

Bounds alltoall_bounds_on_mesh_any(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                   int ports, std::vector<Bytes> const& sizes) {
  Between const links = Between::any_ranks;
  return alltoall_bounds(torus, need(torus, boundary, neighborhood, links, ports, sizes), links);
}

Bounds allgather_bounds_on_mesh_unit(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                     int ports) {
  return allgather_bounds(torus, need(torus, boundary, neighborhood, Between::neighbors, ports));
}

Bounds allgather_bounds_on_mesh_any(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                    int ports) {
  return allgather_bounds(torus, need(torus, boundary, neighborhood, Between::any_ranks, ports));
}

}  // namespace rondo::theory
