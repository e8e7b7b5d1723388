#include <algorithm>
#include <cstdlib>
#include <set>

#include "theory/bounds.hpp"
#include "theory/mean.hpp"

namespace rondo::theory {
namespace {

/// What the ranks of a mesh have to do, each counted on its own.
struct Need {
  std::int64_t farthest = 0;         ///< largest distance of a block
  std::int64_t all_distances = 0;    ///< sum over all blocks of all ranks
  std::int64_t most_own_blocks = 0;  ///< of one rank, that leave it
  std::int64_t most_targets = 0;     ///< distinct ones of one rank
  std::int64_t all_targets = 0;      ///< the same, summed over the ranks
};

Need need(Torus const& torus, Neighborhood const& neighborhood) {
  Need result;
  for (int r = 0; r < torus.size(); ++r) {
    std::set<Rank> targets;
    std::int64_t own = 0;
    for (int i = 0; i < neighborhood.size(); ++i) {
      auto const target = add(torus, Boundary::open, Rank(r), neighborhood[i]);
      if (!target || *target == Rank(r)) continue;
      std::int64_t distance = 0;
      for (int const c : neighborhood[i]) distance += std::abs(c);
      result.farthest = std::max(result.farthest, distance);
      result.all_distances += distance;
      ++own;
      targets.insert(*target);
    }
    auto const distinct = static_cast<std::int64_t>(targets.size());
    result.most_own_blocks = std::max(result.most_own_blocks, own);
    result.most_targets = std::max(result.most_targets, distinct);
    result.all_targets += distinct;
  }
  return result;
}

std::int64_t spreading_rounds(std::int64_t targets, int ports) {
  std::int64_t rounds = 0;
  for (std::int64_t reached = 1; reached < targets + 1; reached *= ports + 1) ++rounds;
  return rounds;
}

}  // namespace

Bounds alltoall_bounds_on_mesh_unit(Torus const& torus, Neighborhood const& neighborhood) {
  Need const all = need(torus, neighborhood);
  return {
      all.farthest, std::max(all.most_own_blocks, mean_at_least(all.all_distances, torus.size())), all.farthest, {}};
}

Bounds alltoall_bounds_on_mesh_any(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Need const all = need(torus, neighborhood);
  std::int64_t const rounds = spreading_rounds(all.most_targets, ports);
  return {rounds, all.most_own_blocks, rounds, {}};
}

Bounds allgather_bounds_on_mesh_unit(Torus const& torus, Neighborhood const& neighborhood) {
  Need const all = need(torus, neighborhood);
  return {all.farthest, mean_at_least(all.all_targets, torus.size()), all.farthest, {}};
}

Bounds allgather_bounds_on_mesh_any(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Need const all = need(torus, neighborhood);
  std::int64_t const rounds = spreading_rounds(all.most_targets, ports);
  return {rounds, mean_at_least(all.all_targets, torus.size()), rounds, {}};
}

}  // namespace rondo::theory
