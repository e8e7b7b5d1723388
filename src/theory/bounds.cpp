#include "theory/bounds.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.hpp"

namespace rondo::theory {
namespace {

/// The dimension of a torus that is a ring, where the others have one rank.
std::optional<int> only_dimension(Torus const& torus) {
  std::optional<int> only;
  for (int j = 0; j < torus.dimensions(); ++j) {
    if (torus.extent(j) == 1) continue;
    if (only) return std::nullopt;
    only = j;
  }
  return only;
}

/// On a ring, whether blocks must travel both ways: there are offsets whose only shortest way is + and others whose
/// only shortest way is -.
bool needs_both_directions(Torus const& torus, int dimension, Neighborhood const& neighborhood) {
  bool forward = false;
  bool backward = false;
  for (int i = 0; i < neighborhood.size(); ++i) {
    int const p = torus.extent(dimension);
    int const ahead = ((neighborhood[i][static_cast<std::size_t>(dimension)] % p) + p) % p;
    forward |= 0 < ahead && 2 * ahead < p;
    backward |= 2 * ahead > p;
  }
  return forward && backward;
}

/// Rounds and chain on unit links, of all-to-all and of allgather.
Bounds distance_bounds(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Bounds bounds;
  for (int i = 0; i < neighborhood.size(); ++i) {
    bounds.chain = std::max<std::int64_t>(bounds.chain, torus.distance(neighborhood[i]));
  }
  bounds.rounds = bounds.chain;
  // A farthest block with a single shortest way takes its distance M in rounds only if every rank forwards it that way
  // in each of the M rounds; then the one port is never free for the other way, and going round takes more than M
  // hops. If the farthest way is not single (M = p/2), the bound is M alone.
  auto const line = ports == 1 ? only_dimension(torus) : std::nullopt;
  if (line && 2 * bounds.rounds < torus.extent(*line) && needs_both_directions(torus, *line, neighborhood)) {
    ++bounds.rounds;
  }
  return bounds;
}

std::set<Rank> distinct_targets(Torus const& torus, Boundary const& boundary, Neighborhood const& neighborhood,
                                Rank origin) {
  std::set<Rank> targets;
  for (int i = 0; i < neighborhood.size(); ++i) {
    if (auto const target = add(torus, boundary, origin, neighborhood[i])) targets.insert(*target);
  }
  targets.erase(origin);
  return targets;
}

std::int64_t spreading_rounds(std::size_t targets, int ports) {
  expects(ports >= 1, "at least one port");
  std::int64_t rounds = 0;
  for (std::size_t reached = 1; reached < targets + 1; reached *= static_cast<std::size_t>(ports) + 1) ++rounds;
  return rounds;
}

Bytes size_of(std::vector<Bytes> const& sizes, int i) {
  return sizes.empty() ? Bytes(0) : sizes.at(static_cast<std::size_t>(i));
}

}  // namespace

Seconds time_bound(Bounds const& bounds, Bytes block, int ports, LinearCost const& cost) {
  Bounds in_bytes = bounds;
  in_bytes.volume_bytes = bounds.volume_blocks * block;
  return time_bound_irregular(in_bytes, block, ports, cost);
}

Seconds time_bound_irregular(Bounds const& bounds, Bytes smallest, int ports, LinearCost const& cost) {
  if (bounds.volume_blocks == 0) return Seconds(0);
  Seconds const sequential = static_cast<double>(bounds.chain) * (cost.alpha + smallest / cost.bandwidth);
  double const share = 1.0 / ports;
  return std::max(sequential, cost.alpha + share * (bounds.volume_bytes / cost.bandwidth));
}

Bounds alltoall_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports,
                            std::vector<Bytes> const& sizes) {
  Bounds bounds = distance_bounds(torus, neighborhood, ports);
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::int64_t const distance = torus.distance(neighborhood[i]);
    bounds.volume_blocks += distance;
    bounds.volume_bytes += distance * size_of(sizes, i);
  }
  return bounds;
}

Bounds alltoall_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports,
                           std::vector<Bytes> const& sizes) {
  Bounds bounds;
  for (int i = 0; i < neighborhood.size(); ++i) {
    if (torus.is_self(neighborhood[i])) continue;
    ++bounds.volume_blocks;
    bounds.volume_bytes += size_of(sizes, i);
  }
  bounds.rounds = spreading_rounds(distinct_targets(torus, Boundary::periodic, neighborhood, Rank(0)).size(), ports);
  bounds.chain = bounds.rounds;
  return bounds;
}

Bounds allgather_bounds_unit(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Bounds bounds = distance_bounds(torus, neighborhood, ports);
  bounds.volume_blocks = steiner_bound(torus, neighborhood).links;
  return bounds;
}

Bounds allgather_bounds_any(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  Bounds bounds;
  auto const targets = distinct_targets(torus, Boundary::periodic, neighborhood, Rank(0)).size();
  bounds.volume_blocks = static_cast<std::int64_t>(targets);
  bounds.rounds = spreading_rounds(targets, ports);
  bounds.chain = bounds.rounds;
  return bounds;
}

}  // namespace rondo::theory
