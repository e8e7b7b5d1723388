#include <algorithm>
#include <map>
#include <set>

#include "theory/walks.hpp"

namespace rondo::theory {
namespace {

using Vector = std::vector<int>;

/// A block on its way: how far from its origin it is sent, and the neighbors that it is sent on for.
struct Move {
  Vector from;
  std::vector<Vector> targets;
  std::size_t neighbor = 0;  ///< the first of them
};

std::vector<Move> moves_of(Walks const& walks, Neighborhood const& neighborhood, Sharing sharing) {
  std::vector<Move> moves;
  std::map<std::pair<int, int>, int> trie;  // the node behind a node and a step; 0 is the root
  std::map<int, std::size_t> shared;        // the move to a node
  for (int i = 0; i < neighborhood.size(); ++i) {
    Vector position(walks.torus.extents().size(), 0);
    int node = 0;
    for (int const step : walks.of[static_cast<std::size_t>(i)]) {
      node = trie.try_emplace({node, step}, static_cast<int>(trie.size()) + 1).first->second;
      auto const [entry, first] = shared.try_emplace(node, moves.size());
      if (sharing == Sharing::none || first) moves.push_back({position, {}, static_cast<std::size_t>(i)});
      Move& move = sharing == Sharing::none ? moves.back() : moves[entry->second];
      move.targets.emplace_back(neighborhood[i].begin(), neighborhood[i].end());
      Vector const& taken = walks.steps[static_cast<std::size_t>(step)];
      for (std::size_t j = 0; j < position.size(); ++j) position[j] += taken[j];
    }
  }
  return moves;
}

bool inside(Torus const& torus, Vector const& coordinates) {
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    if (coordinates[j] < 0 || coordinates[j] >= torus.extents()[j]) return false;
  }
  return true;
}

Vector sum(Vector a, Vector const& b, int sign) {
  for (std::size_t j = 0; j < a.size(); ++j) a[j] += sign * b[j];
  return a;
}

bool sends(Torus const& torus, Vector const& rank, Move const& move) {
  Vector const origin = sum(rank, move.from, -1);
  if (!inside(torus, origin)) return false;
  return std::any_of(move.targets.begin(), move.targets.end(),
                     [&](Vector const& target) { return inside(torus, sum(origin, target, +1)); });
}

/// Ranks that are equally far from every side, or farther than any block goes, send the same.
std::map<Vector, std::vector<Rank>> alike(Torus const& torus, Neighborhood const& fitted) {
  int farthest = 0;
  for (int i = 0; i < fitted.size(); ++i) {
    for (int const c : fitted[i]) farthest = std::max(farthest, std::abs(c));
  }
  std::map<Vector, std::vector<Rank>> ranks;
  for (int r = 0; r < torus.size(); ++r) {
    Vector const coordinates = torus.coordinates(Rank(r));
    Vector sides;
    for (std::size_t j = 0; j < coordinates.size(); ++j) {
      sides.push_back(std::min(coordinates[j], farthest));
      sides.push_back(std::min(torus.extents()[j] - 1 - coordinates[j], farthest));
    }
    ranks[sides].emplace_back(r);
  }
  return ranks;
}

}  // namespace

MeshCounts count_on_mesh(Walks const& walks, Neighborhood const& neighborhood, Sharing sharing, int ports,
                         Sizes const& sizes) {
  std::vector<Move> const moves = moves_of(walks, neighborhood, sharing);
  MeshCounts counts;
  counts.rounds = count(walks, sharing, ports).rounds;
  for (auto const& [sides, ranks] : alike(walks.torus, fitting(walks.torus, neighborhood))) {
    Vector const coordinates = walks.torus.coordinates(ranks.front());
    std::int64_t sent = 0;
    Bytes bytes;
    for (Move const& move : moves) {
      if (!sends(walks.torus, coordinates, move)) continue;
      ++sent;
      if (!sizes.empty()) bytes = bytes + sizes[move.neighbor];
    }
    counts.volume_blocks = std::max(counts.volume_blocks, sent);
    counts.volume_bytes = std::max(counts.volume_bytes, bytes);
    counts.total_blocks += sent * static_cast<std::int64_t>(ranks.size());
  }
  return counts;
}

MeshCounts alltoall_torus_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                  std::vector<int> const& dimension_order, int ports, Sizes const& sizes) {
  return count_on_mesh(unit_walks(torus, fitting(torus, neighborhood), dimension_order), neighborhood, Sharing::none,
                       ports, sizes);
}

MeshCounts allgather_torus_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                   std::vector<int> const& dimension_order, int ports) {
  return count_on_mesh(unit_walks(torus, fitting(torus, neighborhood), dimension_order), neighborhood,
                       Sharing::same_hops, ports);
}

MeshCounts alltoall_direct_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                   std::vector<int> const& dimension_order, int ports, Sizes const& sizes) {
  return count_on_mesh(direct_walks(torus, fitting(torus, neighborhood), dimension_order), neighborhood, Sharing::none,
                       ports, sizes);
}

MeshCounts allgather_direct_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports) {
  return count_on_mesh(direct_walks(torus, fitting(torus, neighborhood), dimension_order), neighborhood,
                       Sharing::same_hops, ports);
}

MeshCounts alltoall_steps_on_mesh(Torus const& torus, Neighborhood const& neighborhood, Decomposition const& steps,
                                  int ports, Sizes const& sizes) {
  return count_on_mesh(step_walks(torus, steps), neighborhood, Sharing::none, ports, sizes);
}

MeshCounts allgather_steps_on_mesh(Torus const& torus, Neighborhood const& neighborhood, Decomposition const& steps,
                                   int ports) {
  return count_on_mesh(step_walks(torus, steps), neighborhood, Sharing::same_hops, ports);
}

MeshCounts straightforward_on_mesh(Torus const& torus, Neighborhood const& neighborhood, int ports,
                                   Sizes const& sizes) {
  return count_on_mesh(straightforward_walks(torus, fitting(torus, neighborhood)), neighborhood, Sharing::none, ports,
                       sizes);
}

}  // namespace rondo::theory
