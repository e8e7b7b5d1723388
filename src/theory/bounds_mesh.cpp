#include <algorithm>
#include <cstdlib>
#include <set>

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
  std::int64_t most_own_blocks = 0;  ///< most blocks of one rank that leave it
  std::int64_t all_targets = 0;      ///< distinct ones of a rank, summed over the ranks
};

Need need(Torus const& torus, Neighborhood const& neighborhood, Between links, int ports) {
  Need result;
  for (int r = 0; r < torus.size(); ++r) {
    std::set<Rank> targets;
    std::vector<std::int64_t> distances;  // distances of the distinct targets
    std::int64_t own = 0;
    for (int i = 0; i < neighborhood.size(); ++i) {
      auto const target = add(torus, Boundary::open, Rank(r), neighborhood[i]);
      if (!target || *target == Rank(r)) continue;
      std::int64_t distance = 0;
      for (int const c : neighborhood[i]) distance += std::abs(c);
      result.all_distances += distance;
      ++own;
      if (targets.insert(*target).second) distances.push_back(distance);
    }
    auto const distinct = std::ssize(targets);
    result.most_own_blocks = std::max(result.most_own_blocks, own);
    result.all_targets += distinct;
    result.rounds = std::max(result.rounds, links == Between::any_ranks ? rounds_to_reach(distinct, ports)
                                                                        : rounds_to_reach(std::move(distances), ports));
  }
  return result;
}

Bounds alltoall_bounds(Torus const& torus, Need const& need, Between links) {
  std::int64_t const mean_distance = mean_at_least(need.all_distances, torus.size());
  std::int64_t const volume =
      links == Between::any_ranks ? need.most_own_blocks : std::max(need.most_own_blocks, mean_distance);
  return {need.rounds, volume, need.rounds, {}};
}

/// On unit links a tree that joins a rank with its targets can pass all of them, so that nothing is added for these.
Bounds allgather_bounds(Torus const& torus, Need const& need) {
  return {need.rounds, mean_at_least(need.all_targets, torus.size()), need.rounds, {}};
}

}  // namespace

Bounds alltoall_bounds_on_mesh_unit(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Between const links = Between::neighbors;
  return alltoall_bounds(torus, need(torus, neighborhood, links, ports), links);
}

Bounds alltoall_bounds_on_mesh_any(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Between const links = Between::any_ranks;
  return alltoall_bounds(torus, need(torus, neighborhood, links, ports), links);
}

Bounds allgather_bounds_on_mesh_unit(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  return allgather_bounds(torus, need(torus, neighborhood, Between::neighbors, ports));
}

Bounds allgather_bounds_on_mesh_any(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  return allgather_bounds(torus, need(torus, neighborhood, Between::any_ranks, ports));
}

}  // namespace rondo::theory
