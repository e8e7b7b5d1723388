// The messages of the ranks of a mesh, counted without a schedule.
//
// All-to-all: a block for offset C goes along the dimensions in order. When it passes rank R in dimension j, the
// dimensions before j already have the coordinates of the target, and those after j still have the coordinates of the
// origin. So the number of blocks that pass R is a product over the dimensions of the positions that fit between the
// sides. In total, a box of prod (p_j - |c_j|) origins has a neighbor at C, and each of these blocks takes as many hops
// as on the torus.
//
// Allgather: counted from the origin, whose block follows the prefix trie of the neighbors that exist.
//
// Ranks whose distance to both sides of dimension j exceeds f_j, the largest |c_j|, all send the same. So one rank
// represents all of them, in a mesh of at most 2 f_j + 1 ranks in dimension j.

#include <algorithm>
#include <cstdlib>

#include "base/ids.hpp"
#include "theory/isomorphic.hpp"

namespace rondo::theory {
namespace {

/// How far a hop goes.
enum class Hop : std::uint8_t { unit, straight_to_coordinate, straight_to_target };

bool within(int coordinate, int extent) { return 0 <= coordinate && coordinate < extent; }

/// The hops along c that a rank of a line of `extent` ranks sends: the number of origins at the rank or behind it whose
/// block passes the rank, and whose neighbor at c exists.
std::int64_t hops_sent(int rank, int c, int extent, Hop hop) {
  if (c == 0) return 0;
  if (hop != Hop::unit) return within(rank + c, extent) ? 1 : 0;
  int const behind = c > 0 ? rank : extent - 1 - rank;
  int const ahead = extent - 1 - behind;
  return std::max(0, std::min(std::abs(c) - 1, behind) - std::max(0, std::abs(c) - ahead) + 1);
}

std::int64_t hops_on_torus(std::span<int const> offset, Hop hop) {
  std::int64_t hops = 0;
  for (int const c : offset) hops += hop == Hop::unit ? std::abs(c) : c != 0 ? 1 : 0;
  return hop == Hop::straight_to_target ? std::min<std::int64_t>(hops, 1) : hops;
}

/// The hops of blocks for `offset` that a rank sends.
std::int64_t sent(Torus const& torus, std::vector<int> const& rank, std::span<int const> offset,
                  std::vector<int> const& dimension_order, Hop hop) {
  auto const comes_from = [&](int j) { return within(rank[at(j)] - offset[at(j)], torus.extent(j)); };
  auto const goes_on = [&](int j) { return within(rank[at(j)] + offset[at(j)], torus.extent(j)); };
  if (hop == Hop::straight_to_target) {
    return hops_on_torus(offset, hop) > 0 && std::all_of(dimension_order.begin(), dimension_order.end(), goes_on);
  }
  std::int64_t hops = 0;
  for (auto along = dimension_order.begin(); along != dimension_order.end(); ++along) {
    if (!std::all_of(dimension_order.begin(), along, comes_from)) continue;
    if (!std::all_of(along + 1, dimension_order.end(), goes_on)) continue;
    hops += hops_sent(rank[at(*along)], offset[at(*along)], torus.extent(*along), hop);
  }
  return hops;
}

/// A smaller mesh with a rank of each kind, and how many ranks of the mesh each of its ranks represents.
class Representatives {
 public:
  Representatives(Torus const& torus, Neighborhood const& fitted) : small_(extents(torus, fitted)), torus_(torus) {}

  Torus const& mesh() const { return small_; }
  /// How many ranks of the mesh this one represents.
  std::int64_t stands_for(std::vector<int> const& rank) const {
    std::int64_t ranks = 1;
    for (int j = 0; j < small_.dimensions(); ++j) {
      if (2 * rank[at(j)] + 1 == small_.extent(j)) ranks *= torus_.extent(j) - small_.extent(j) + 1;
    }
    return ranks;
  }

 private:
  /// The small mesh: at most 2 f_j + 1 ranks in dimension j.
  static Torus extents(Torus const& torus, Neighborhood const& fitted) {
    std::vector<int> result;
    for (int j = 0; j < torus.dimensions(); ++j) {
      int farthest = 0;
      for (int i = 0; i < fitted.size(); ++i) farthest = std::max(farthest, std::abs(fitted[i][at(j)]));
      result.push_back(std::min(torus.extent(j), 2 * farthest + 1));
    }
    return Torus(result);
  }

  Torus small_;
  Torus const& torus_;
};

/// Counts the blocks that pass each representative.
MeshCounts count_alltoall(Torus const& torus, Neighborhood const& fitted, std::vector<int> const& dimension_order,
                          Hop hop, Sizes const& sizes) {
  MeshCounts counts;
  Representatives const representatives(torus, fitted);
  Torus const& mesh = representatives.mesh();
  for (int r = 0; r < mesh.size(); ++r) {
    std::vector<int> const rank = mesh.coordinates(Rank(r));
    std::int64_t blocks = 0;
    Bytes bytes;
    for (int i = 0; i < fitted.size(); ++i) {
      std::int64_t const times = sent(mesh, rank, fitted[i], dimension_order, hop);
      blocks += times;
      if (!sizes.empty()) bytes += times * sizes[at(i)];
    }
    counts.volume_blocks = std::max(counts.volume_blocks, blocks);
    counts.volume_bytes = std::max(counts.volume_bytes, bytes);
  }
  for (int i = 0; i < fitted.size(); ++i) {
    std::int64_t blocks = hops_on_torus(fitted[i], hop);
    for (int j = 0; j < torus.dimensions(); ++j) blocks *= torus.extent(j) - std::abs(fitted[i][at(j)]);
    counts.total_blocks += blocks;
  }
  return counts;
}

/// The offsets, with their coordinates in the order of the dimensions, sorted lexicographically. So the children of a
/// node of the prefix trie are adjacent.
std::vector<std::vector<int>> sorted_offsets(Neighborhood const& fitted, std::vector<int> const& dimension_order) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < fitted.size(); ++i) {
    std::vector<int>& row = rows.emplace_back();
    for (int const j : dimension_order) row.push_back(fitted[i][at(j)]);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// Follows the block of each origin of a mesh whose dimensions are already in order.
class BlockFollower {
 public:
  BlockFollower(Torus const& mesh, std::vector<std::vector<int>> const& rows, Hop hop)
      : mesh_(mesh), rows_(rows), hop_(hop), sends_(at(mesh.size()), 0) {}

  /// How often the block of this origin is sent.
  std::int64_t follow(std::vector<int> const& origin) {
    present_.clear();
    for (std::vector<int> const& row : rows_) {
      bool inside = true;
      for (std::size_t j = 0; j < row.size() && inside; ++j) inside = within(origin[j] + row[j], mesh_.extents()[j]);
      if (inside) present_.push_back(&row);
    }
    std::int64_t sent = 0;
    for (std::size_t depth = 0; depth < origin.size(); ++depth) sent += follow_level(origin, depth);
    return sent;
  }

  std::int64_t most_sends() const { return *std::max_element(sends_.begin(), sends_.end()); }

 private:
  /// Follows the block of one origin from the nodes of a depth to the next depth.
  std::int64_t follow_level(std::vector<int> const& origin, std::size_t depth) {
    std::int64_t sent = 0;
    auto const prefix_end = [&](std::size_t first) {
      auto const& node = *present_[first];
      std::size_t last = first + 1;
      auto const end = node.begin() + static_cast<std::ptrdiff_t>(depth);
      while (last < present_.size() && std::equal(node.begin(), end, present_[last]->begin())) ++last;
      return last;
    };
    for (std::size_t first = 0; first < present_.size();) {
      std::size_t const last = prefix_end(first);
      std::vector<int> place = origin;
      for (std::size_t j = 0; j < depth; ++j) place[j] += (*present_[first])[j];
      sent += leave(place, depth, first, last);
      first = last;
    }
    return sent;
  }

  /// The block leaves the node at `place` along a dimension. [first, last) are the offsets below the node.
  std::int64_t leave(std::vector<int> place, std::size_t depth, std::size_t first, std::size_t last) {
    std::int64_t sent = 0;
    if (hop_ == Hop::straight_to_coordinate) {
      for (std::size_t n = first; n < last; ++n) {
        int const c = (*present_[n])[depth];
        if (c != 0 && (n == first || c != (*present_[n - 1])[depth])) ++sent;
      }
      sends_[at(mesh_.rank(place).value)] += sent;
      return sent;
    }
    int const ahead = std::max(0, (*present_[last - 1])[depth]);
    int const back = std::max(0, -(*present_[first])[depth]);
    int const start = place[depth];
    auto const send_from = [&](int coordinate) {
      place[depth] = coordinate;
      ++sends_[at(mesh_.rank(place).value)];
      ++sent;
    };
    for (int h = 0; h < ahead; ++h) send_from(start + h);
    for (int h = 0; h < back; ++h) send_from(start - h);
    return sent;
  }

  Torus const& mesh_;
  std::vector<std::vector<int>> const& rows_;
  Hop hop_;
  std::vector<std::int64_t> sends_;               ///< by rank
  std::vector<std::vector<int> const*> present_;  ///< the offsets for which the origin has a neighbor
};

/// Follows the blocks of all representatives.
MeshCounts count_allgather(Torus const& torus, Neighborhood const& fitted, std::vector<int> const& dimension_order,
                           Hop hop) {
  Representatives const representatives(torus, fitted);
  std::vector<int> extents;
  for (int const j : dimension_order) extents.push_back(representatives.mesh().extent(j));
  Torus const mesh(extents);
  auto const rows = sorted_offsets(fitted, dimension_order);
  BlockFollower followed(mesh, rows, hop);
  MeshCounts counts;
  for (int r = 0; r < mesh.size(); ++r) {
    std::vector<int> const origin = mesh.coordinates(Rank(r));
    std::vector<int> as_given(origin.size());
    for (std::size_t k = 0; k < origin.size(); ++k) as_given[at(dimension_order[k])] = origin[k];
    counts.total_blocks += followed.follow(origin) * representatives.stands_for(as_given);
  }
  counts.volume_blocks = followed.most_sends();
  return counts;
}

std::vector<int> any_order(Torus const& torus) {
  std::vector<int> order;
  for (int j = 0; j < torus.dimensions(); ++j) order.push_back(j);
  return order;
}

MeshCounts with_rounds(std::int64_t rounds, MeshCounts counts) {
  counts.rounds = rounds;
  return counts;
}

MeshCounts with_rounds(PortedCounts const& ported, MeshCounts counts) {
  if (ported.has_closed_form) counts.rounds = ported.counts.rounds;
  return counts;
}

}  // namespace

/// The rounds are those on a torus with the offsets that fit into the mesh.
MeshCounts alltoall_dimension_wise_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                           std::vector<int> const& dimension_order, int ports, Sizes const& sizes) {
  Neighborhood const fitted = fitting(torus, neighborhood);
  return with_rounds(alltoall_dimension_wise_ported(torus, fitted, dimension_order, ports),
                     count_alltoall(torus, fitted, dimension_order, Hop::unit, sizes));
}

MeshCounts allgather_dimension_wise_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                            std::vector<int> const& dimension_order, int ports) {
  Neighborhood const fitted = fitting(torus, neighborhood);
  return with_rounds(allgather_dimension_wise_ported(torus, fitted, dimension_order, ports),
                     count_allgather(torus, fitted, dimension_order, Hop::unit));
}

MeshCounts alltoall_direct_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                   std::vector<int> const& dimension_order, int ports, Sizes const& sizes) {
  Neighborhood const fitted = fitting(torus, neighborhood);
  return with_rounds(alltoall_direct_ported(torus, fitted, dimension_order, ports),
                     count_alltoall(torus, fitted, dimension_order, Hop::straight_to_coordinate, sizes));
}

MeshCounts allgather_direct_on_mesh(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports) {
  Neighborhood const fitted = fitting(torus, neighborhood);
  // Along open dimensions different coordinates lead to different ranks, as in an all-to-all.
  return with_rounds(alltoall_direct_ported(torus, fitted, dimension_order, ports),
                     count_allgather(torus, fitted, dimension_order, Hop::straight_to_coordinate));
}

MeshCounts straightforward_on_mesh(Torus const& torus, Neighborhood const& neighborhood, int ports,
                                   Sizes const& sizes) {
  Neighborhood const fitted = fitting(torus, neighborhood);
  return with_rounds(alltoall_straightforward(torus, fitted, ports).rounds,
                     count_alltoall(torus, fitted, any_order(torus), Hop::straight_to_target, sizes));
}

}  // namespace rondo::theory
