#include "theory/bounds.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "theory/spreading.hpp"

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

std::set<Rank> distinct_targets(Torus const& torus, Neighborhood const& neighborhood) {
  std::set<Rank> targets;
  for (int i = 0; i < neighborhood.size(); ++i) targets.insert(torus.add(Rank(0), neighborhood[i]));
  targets.erase(Rank(0));
  return targets;
}

/// Rounds and chain on unit links, of all-to-all and of allgather: a block for each target leaves every rank in both.
Bounds unit_rounds(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  std::vector<std::int64_t> distances;
  for (Rank const target : distinct_targets(torus, neighborhood)) {
    distances.push_back(torus.distance(Rank(0), target));
  }
  std::int64_t const farthest = distances.empty() ? 0 : *std::max_element(distances.begin(), distances.end());
  Bounds bounds;
  bounds.rounds = bounds.chain = rounds_to_reach(std::move(distances), ports);
  // On one port a farthest block with a single shortest way takes its distance M in rounds only if every rank forwards
  // it that way in each of the M rounds; then the port is never free for the other way, and going round takes more than
  // M hops. If the farthest way is not single (M = p/2), nothing is added.
  auto const line = ports == 1 ? only_dimension(torus) : std::nullopt;
  if (line && 2 * farthest < torus.extent(*line) && needs_both_directions(torus, *line, neighborhood)) {
    bounds.rounds = std::max(bounds.rounds, farthest + 1);
  }
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
  Bounds bounds = unit_rounds(torus, neighborhood, ports);
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::int64_t const distance = torus.distance(neighborhood[i]);
    bounds.volume_blocks += distance;
    bounds.volume_bytes += distance * size_of(sizes, i);
  }
  return bounds;
}

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
