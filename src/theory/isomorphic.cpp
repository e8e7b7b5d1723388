// The closed forms of [Traeff16] and of the other isomorphic algorithms: sums over the coordinates of the neighborhood.

#include "theory/isomorphic.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <queue>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/ids.hpp"

namespace rondo::theory {
namespace {

/// The largest positive (sign +1) or the magnitude of the largest negative (sign -1) coordinate; 0 if no coordinate has
/// that sign.
std::int64_t reach(Neighborhood const& neighborhood, int dimension, int sign) {
  int farthest = 0;
  for (int i = 0; i < neighborhood.size(); ++i) farthest = std::max(farthest, sign * neighborhood[i][at(dimension)]);
  return farthest;
}

/// Counts the block of neighbor i, which is sent `times` times. On one port every message is the largest of its round.
void add_blocks(Counts& counts, int i, std::int64_t times, Sizes const& sizes) {
  counts.volume_blocks += times;
  counts.critical_blocks += times;
  if (sizes.empty()) return;
  expects(at(i) < sizes.size(), "one size a neighbor");
  counts.volume_bytes += times * sizes[at(i)];
  counts.critical_bytes += times * sizes[at(i)];
}

/// The children of each node on one level of the prefix trie: the coordinates that follow a prefix of `depth`
/// coordinates. Coordinates of dimensions of extent 1 are no part of a prefix.
std::map<std::vector<int>, std::set<int>> level(Torus const& torus, Neighborhood const& neighborhood,
                                                std::vector<int> const& dimension_order, std::size_t depth) {
  std::map<std::vector<int>, std::set<int>> children;
  for (int i = 0; i < neighborhood.size(); ++i) {
    std::vector<int> prefix;
    for (std::size_t k = 0; k < depth; ++k) {
      int const j = dimension_order[k];
      if (torus.extent(j) > 1) prefix.push_back(neighborhood[i][at(j)]);
    }
    children[prefix].insert(neighborhood[i][at(dimension_order[depth])]);
  }
  return children;
}

/// Whether a message by this coordinate goes to another rank.
bool leaves(int coordinate, int extent) { return coordinate % extent != 0; }

/// Calls visit(dimension, children of a node) for each node of the prefix trie that has children. Levels of dimensions
/// of extent 1 are skipped.
template <typename Visit>
void each_node(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order,
               Visit const& visit) {
  for (std::size_t depth = 0; depth < dimension_order.size(); ++depth) {
    if (torus.extent(dimension_order[depth]) == 1) continue;
    for (auto const& [prefix, children] : level(torus, neighborhood, dimension_order, depth)) {
      visit(dimension_order[depth], children);
    }
  }
}

/// The way of a block along a dimension: its hops ahead and back, and its bytes if sizes are given.
struct BlockHops {
  std::int64_t ahead = 0, back = 0;
  Bytes bytes{0};
  std::int64_t hops(int sign) const { return sign > 0 ? ahead : back; }
};
using HopsByDimension = std::vector<std::vector<BlockHops>>;  ///< by dimension, then in any order

/// The number and bytes of the blocks with at least `hops` >= 1 hops in this direction; none if `hops` is 0.
Counts going(std::vector<BlockHops> const& blocks, int sign, std::int64_t hops) {
  Counts counts;
  for (BlockHops const& each : blocks) {
    if (hops < 1 || each.hops(sign) < hops) continue;
    ++counts.volume_blocks;
    counts.volume_bytes += each.bytes;
  }
  return counts;
}

/// Adds the rounds of an exchange along one dimension, by the formula of alltoall_parity in the header. `hops` has an
/// entry for each block.
void add_exchange(Counts& counts, std::vector<BlockHops> const& hops, std::int64_t rounds) {
  counts.rounds += rounds;
  for (std::int64_t r = 1; r <= rounds; ++r) {
    std::int64_t blocks = 0;
    Bytes bytes;
    for (int const sign : {+1, -1}) {
      Counts const now = going(hops, sign, r), late = going(hops, sign, r - 1);
      blocks = std::max(blocks, now.volume_blocks + late.volume_blocks);
      bytes = std::max(bytes, now.volume_bytes + late.volume_bytes);
      counts.volume_blocks += now.volume_blocks;
      counts.volume_bytes += now.volume_bytes;
    }
    counts.critical_blocks += blocks;
    counts.critical_bytes += bytes;
  }
}

/// A dimension of even extent is exchanged, in max(ahead, back) + 1 rounds, if this saves a round. Any other one takes
/// the sum of both directions.
Counts parity_counts(Torus const& torus, Neighborhood const& neighborhood, HopsByDimension const& hops_by_dimension) {
  Counts counts;
  for (int j = 0; j < torus.dimensions(); ++j) {
    if (torus.extent(j) == 1) continue;
    std::int64_t const ahead = reach(neighborhood, j, +1), back = reach(neighborhood, j, -1);
    if (torus.extent(j) % 2 == 0 && std::max(ahead, back) + 1 < ahead + back) {
      add_exchange(counts, hops_by_dimension[at(j)], std::max(ahead, back) + 1);
      continue;
    }
    counts.rounds += ahead + back;
    for (BlockHops const& each : hops_by_dimension[at(j)]) {
      std::int64_t const hops = each.ahead + each.back;
      counts.volume_blocks += hops;
      counts.critical_blocks += hops;
      counts.volume_bytes += hops * each.bytes;
      counts.critical_bytes += hops * each.bytes;
    }
  }
  return counts;
}

/// The exchange, which uses one port, or the combining algorithm on several ports, if that takes no more rounds.
PortedCounts better(Counts const& exchanges, PortedCounts const& combining) {
  if (combining.least_rounds > exchanges.rounds) return {exchanges, exchanges.rounds};
  if (combining.counts.rounds <= exchanges.rounds) return combining;
  return {exchanges, std::min(combining.least_rounds, exchanges.rounds), combining.has_closed_form};
}

}  // namespace

Counts alltoall_dimension_wise(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes) {
  Counts counts;
  for (int j = 0; j < torus.dimensions(); ++j) {
    if (torus.extent(j) == 1) continue;
    counts.rounds += reach(neighborhood, j, +1) + reach(neighborhood, j, -1);
    for (int i = 0; i < neighborhood.size(); ++i) add_blocks(counts, i, std::abs(neighborhood[i][at(j)]), sizes);
  }
  return counts;
}

/// The rounds are those of the all-to-all. Sizes do not matter, because there is only one block.
Counts allgather_dimension_wise(Torus const& torus, Neighborhood const& neighborhood,
                                std::vector<int> const& dimension_order) {
  Counts counts{alltoall_dimension_wise(torus, neighborhood).rounds};
  each_node(torus, neighborhood, dimension_order, [&](int, std::set<int> const& children) {
    counts.volume_blocks += std::max(0, *children.rbegin()) + std::max(0, -*children.begin());
  });
  counts.critical_blocks = counts.volume_blocks;
  return counts;
}

/// A round has as many messages as there are ports. The largest one is critical.
Counts alltoall_straightforward(Torus const& torus, Neighborhood const& neighborhood, int ports, Sizes const& sizes) {
  Counts counts;
  Bytes largest;  // message of the round
  for (int i = 0; i < neighborhood.size(); ++i) {
    if (torus.is_self(neighborhood[i])) continue;
    bool const opens_round = ports == 0 ? counts.volume_blocks == 0 : counts.volume_blocks % ports == 0;
    if (opens_round) {
      counts.critical_bytes += std::exchange(largest, Bytes(0));
      ++counts.rounds;
    }
    ++counts.volume_blocks;
    if (sizes.empty()) continue;
    counts.volume_bytes += sizes[at(i)];
    largest = std::max(largest, sizes[at(i)]);
  }
  counts.critical_bytes += largest;
  counts.critical_blocks = counts.rounds;  // each message is a block
  return counts;
}

Counts allgather_straightforward(Torus const& torus, Neighborhood const& neighborhood, int ports) {
  return alltoall_straightforward(torus, neighborhood, ports);
}

Counts alltoall_posted(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes) {
  return alltoall_straightforward(torus, neighborhood, 0, sizes);
}

Counts allgather_posted(Torus const& torus, Neighborhood const& neighborhood) {
  return alltoall_posted(torus, neighborhood);
}

/// List scheduling: each message takes the port that is free first.
Seconds posted_time(std::vector<Bytes> const& messages, int ports, Bytes envelope, LinearCost const& cost) {
  expects(ports >= 1, "at least one port");
  std::priority_queue<Seconds, std::vector<Seconds>, std::greater<>> free;
  for (int k = 0; k < ports; ++k) free.emplace(0);
  Seconds last;
  for (Bytes const message : messages) {
    Seconds const end = free.top() + cost.alpha + (message + envelope) / cost.bandwidth;
    free.pop();
    free.push(end);
    last = std::max(last, end);
  }
  return last;
}

Counts alltoall_direct(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes) {
  Counts counts;
  for (int j = 0; j < torus.dimensions(); ++j) {
    std::set<int> coordinates;
    for (int i = 0; i < neighborhood.size(); ++i) {
      int const c = neighborhood[i][at(j)];
      if (!leaves(c, torus.extent(j))) continue;
      coordinates.insert(c);
      add_blocks(counts, i, 1, sizes);
    }
    counts.rounds += static_cast<std::int64_t>(coordinates.size());
  }
  return counts;
}

/// Offsets that are equal modulo the extents share their hops.
Counts allgather_direct(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  Neighborhood const alike = alike_modulo_extents(torus, neighborhood);
  Counts counts{alltoall_direct(torus, alike).rounds};
  each_node(torus, alike, dimension_order, [&](int dimension, std::set<int> const& children) {
    counts.volume_blocks +=
        std::count_if(children.begin(), children.end(), [&](int c) { return leaves(c, torus.extent(dimension)); });
  });
  counts.critical_blocks = counts.volume_blocks;
  return counts;
}

/// The hops of each block in each dimension.
Counts alltoall_parity(Torus const& torus, Neighborhood const& neighborhood, Sizes const& sizes) {
  HopsByDimension hops_by_dimension(at(torus.dimensions()));
  for (int i = 0; i < neighborhood.size(); ++i) {
    for (int j = 0; j < torus.dimensions(); ++j) {
      expects(sizes.empty() || at(i) < sizes.size(), "one size a neighbor");
      std::int64_t const c = neighborhood[i][at(j)];
      hops_by_dimension[at(j)].push_back(
          {std::max<std::int64_t>(0, c), std::max<std::int64_t>(0, -c), sizes.empty() ? Bytes(0) : sizes[at(i)]});
    }
  }
  return parity_counts(torus, neighborhood, hops_by_dimension);
}

/// The hops in each dimension from each node of the prefix trie.
Counts allgather_parity(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  HopsByDimension hops_by_dimension(at(torus.dimensions()));
  each_node(torus, neighborhood, dimension_order, [&](int dimension, std::set<int> const& children) {
    hops_by_dimension[at(dimension)].push_back(
        {std::max(0, *children.rbegin()), std::max(0, -*children.begin()), Bytes(0)});
  });
  return parity_counts(torus, neighborhood, hops_by_dimension);
}

PortedCounts alltoall_parity_ported(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports, Sizes const& sizes) {
  Counts const exchanges = alltoall_parity(torus, neighborhood, sizes);
  if (ports == 1) return {exchanges, exchanges.rounds};
  return better(exchanges, alltoall_dimension_wise_ported(torus, neighborhood, dimension_order, ports, sizes));
}

PortedCounts allgather_parity_ported(Torus const& torus, Neighborhood const& neighborhood,
                                     std::vector<int> const& dimension_order, int ports) {
  Counts const exchanges = allgather_parity(torus, neighborhood, dimension_order);
  if (ports == 1) return {exchanges, exchanges.rounds};
  return better(exchanges, allgather_dimension_wise_ported(torus, neighborhood, dimension_order, ports));
}

}  // namespace rondo::theory
