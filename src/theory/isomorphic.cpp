#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "theory/theory.hpp"

namespace rondo::theory {
namespace {

/// The largest positive (sign +1) or the magnitude of the largest negative (sign -1) coordinate; 0 if there is none.
std::int64_t reach(Neighborhood const& neighborhood, int dimension, int sign) {
  int farthest = 0;
  for (int i = 0; i < neighborhood.size(); ++i) {
    farthest = std::max(farthest, sign * neighborhood[i][static_cast<std::size_t>(dimension)]);
  }
  return farthest;
}

/// In one dimension, whether blocks must travel both ways: there are offsets whose only shortest way is + and others
/// whose only shortest way is -.
bool needs_both_directions(Torus const& torus, Neighborhood const& neighborhood) {
  bool forward = false;
  bool backward = false;
  for (int i = 0; i < neighborhood.size(); ++i) {
    int const p = torus.extent(0);
    int const ahead = ((neighborhood[i][0] % p) + p) % p;
    forward |= 0 < ahead && 2 * ahead < p;
    backward |= 2 * ahead > p;
  }
  return forward && backward;
}

}  // namespace

Seconds time(Counts const& counts, Bytes block, Bytes envelope, LinearCost const& cost) {
  Bytes const carried = counts.volume_blocks * block + counts.rounds * envelope;
  return static_cast<double>(counts.rounds) * cost.alpha + carried / cost.bandwidth;
}

Counts alltoall_torus(Torus const& torus, Neighborhood const& neighborhood) {
  Counts counts;
  for (int j = 0; j < torus.dimensions(); ++j) {
    if (torus.extent(j) == 1) continue;
    counts.rounds += reach(neighborhood, j, +1) + reach(neighborhood, j, -1);
    for (int i = 0; i < neighborhood.size(); ++i) {
      counts.volume_blocks += std::abs(neighborhood[i][static_cast<std::size_t>(j)]);
    }
  }
  return counts;
}

Counts alltoall_straightforward(Torus const& torus, Neighborhood const& neighborhood) {
  std::int64_t away = 0;
  for (int i = 0; i < neighborhood.size(); ++i) away += torus.is_self(neighborhood[i]) ? 0 : 1;
  return {away, away};
}

Cutoff cutoff(Counts const& combining, Counts const& straightforward, LinearCost const& cost) {
  using enum Cutoff::Faster;
  // D alpha + V m beta < s alpha + s m beta  <=>  m (V - s) < (alpha / beta) (s - D)
  std::int64_t const rounds_saved = straightforward.rounds - combining.rounds;
  std::int64_t const extra_volume = combining.volume_blocks - straightforward.volume_blocks;
  double const startups = cost.alpha.value * cost.bandwidth.value * static_cast<double>(rounds_saved);
  if (extra_volume == 0) return {startups > 0 ? always : never, 0};
  double const bytes = startups / static_cast<double>(extra_volume);
  if (extra_volume > 0) return bytes > 0 ? Cutoff{below, bytes} : Cutoff{never, 0};
  return bytes > 0 ? Cutoff{above, bytes} : Cutoff{always, 0};
}

Seconds time_bound(Bounds const& bounds, Bytes block, int ports, LinearCost const& cost) {
  if (bounds.volume_blocks == 0) return Seconds(0);
  Seconds const sequential = static_cast<double>(bounds.chain) * (cost.alpha + block / cost.bandwidth);
  double const share = 1.0 / ports;
  return std::max(sequential, cost.alpha + share * ((bounds.volume_blocks * block) / cost.bandwidth));
}

Bounds alltoall_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Bounds bounds;
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::int64_t const distance = torus.distance(neighborhood[i]);
    bounds.volume_blocks += distance;
    bounds.chain = std::max(bounds.chain, distance);
  }
  bounds.rounds = bounds.chain;
  // A farthest block with a single shortest way takes its distance M in rounds only if every rank forwards it that way
  // in each of the M rounds; then the one port is never free for the other way, and going round takes more than M
  // hops. If the farthest way is not single (M = p/2), the bound is M alone.
  bool const one_line = torus.dimensions() == 1 && ports == 1;
  if (one_line && 2 * bounds.rounds < torus.extent(0) && needs_both_directions(torus, neighborhood)) ++bounds.rounds;
  return bounds;
}

Bounds alltoall_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  expects(ports >= 1, "at least one port");
  std::set<Rank> targets;
  Bounds bounds;
  for (int i = 0; i < neighborhood.size(); ++i) {
    if (torus.is_self(neighborhood[i])) continue;
    ++bounds.volume_blocks;
    targets.insert(torus.add(Rank(0), neighborhood[i]));
  }
  for (std::size_t reached = 1; reached < targets.size() + 1; reached *= static_cast<std::size_t>(ports) + 1) {
    ++bounds.rounds;
  }
  bounds.chain = bounds.rounds;
  return bounds;
}

}  // namespace rondo::theory
