// What dimension-wise algorithms cost on several ports, counted from the coordinates of the neighborhood.
//
// An algorithm passes through stretches, each along one direction of a dimension or to one coordinate of it; k
// stretches share a group of rounds. A block that has spent a rounds of the group before it comes to a stretch is in
// that stretch's messages of the group's rounds a+1 .. a+h, where h is how far the stretch takes it. Blocks of one rank
// that have the same coordinates so far are one block in an allgather, which goes as far as the farthest of them. So
// each class of blocks adds an interval of rounds to a stretch, and the messages are the sums over the intervals.

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/index.hpp"
#include "theory/isomorphic.hpp"

namespace rondo::theory {
namespace {

enum class Shared : std::uint8_t { no, same_coordinates };

struct Stretch {
  std::vector<int> hops;  ///< by neighbor
  bool leaves = true;     ///< whether a hop leads to another rank
};

std::vector<Stretch> unit_stretches(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order) {
  std::vector<Stretch> stretches;
  for (int const j : dimension_order) {
    if (torus.extent(j) == 1) continue;
    for (int const sign : {+1, -1}) {
      Stretch stretch;
      for (int i = 0; i < neighborhood.size(); ++i) stretch.hops.push_back(std::max(0, sign * neighborhood[i][at(j)]));
      stretches.push_back(std::move(stretch));
    }
  }
  return stretches;
}

std::vector<Stretch> direct_stretches(Torus const& torus, Neighborhood const& neighborhood,
                                      std::vector<int> const& dimension_order) {
  std::vector<Stretch> stretches;
  for (int const j : dimension_order) {
    if (torus.extent(j) == 1) continue;
    std::set<int> coordinates;
    for (int i = 0; i < neighborhood.size(); ++i) coordinates.insert(neighborhood[i][at(j)]);
    coordinates.erase(0);
    for (int const c : coordinates) {
      Stretch stretch{{}, c % torus.extent(j) != 0};
      for (int i = 0; i < neighborhood.size(); ++i) stretch.hops.push_back(neighborhood[i][at(j)] == c ? 1 : 0);
      stretches.push_back(std::move(stretch));
    }
  }
  return stretches;
}

struct Load {
  std::int64_t blocks = 0;
  Bytes bytes;
};

/// The messages of the stretches that share rounds.
class Group {
 public:
  explicit Group(std::size_t neighbors) : before_(neighbors, 0) {}

  /// `members`: the blocks that are one.
  void add_interval(std::map<std::int64_t, Load>& message, std::vector<int> const& members, Stretch const& stretch,
                    Sizes const& sizes) const {
    int hops = 0;
    for (int const i : members) hops = std::max(hops, stretch.hops[at(i)]);
    int const begin = before_[at(members.front())];
    for (int round = begin + 1; round <= begin + hops; ++round) {
      ++message[round].blocks;
      if (!sizes.empty()) message[round].bytes += sizes[at(members.front())];
    }
  }

  void close_stretch(std::map<std::int64_t, Load> const& message, Stretch const& stretch, Counts& counts) {
    for (auto const& [round, load] : message) {
      counts.volume_blocks += load.blocks;
      counts.volume_bytes += load.bytes;
      Load& largest = largest_[round];
      largest = {std::max(largest.blocks, load.blocks), std::max(largest.bytes, load.bytes)};
    }
    for (std::size_t i = 0; i < before_.size(); ++i) before_[i] += stretch.hops[i];
    ++stretches_;
  }

  int stretches() const { return stretches_; }

  /// The next stretch begins another group.
  void close(Counts& counts) {
    counts.rounds += std::ssize(largest_);
    for (auto const& [round, largest] : largest_) {
      counts.critical_blocks += largest.blocks;
      counts.critical_bytes += largest.bytes;
    }
    largest_.clear();
    std::fill(before_.begin(), before_.end(), 0);
    stretches_ = 0;
  }

 private:
  std::vector<int> before_;               ///< by neighbor: the rounds of the group that its block has spent
  std::map<std::int64_t, Load> largest_;  ///< by round of the group
  int stretches_ = 0;
};

using Classes = std::vector<std::vector<int>>;

/// The classes of blocks once those that part in the stretch have parted.
Classes parted(Classes const& classes, Stretch const& stretch) {
  Classes result;
  for (std::vector<int> const& members : classes) {
    std::map<int, std::vector<int>> by_hops;
    for (int const i : members) by_hops[stretch.hops[at(i)]].push_back(i);
    for (auto& [hops, part] : by_hops) result.push_back(std::move(part));
  }
  return result;
}

Classes first_classes(int neighbors, Shared shared) {
  std::vector<int> all(at(neighbors));
  std::iota(all.begin(), all.end(), 0);
  if (all.empty()) return {};
  if (shared == Shared::same_coordinates) return {all};
  Classes each;
  for (int const i : all) each.push_back({i});
  return each;
}

Counts count(std::vector<Stretch> const& stretches, int neighbors, Shared shared, int ports, Sizes const& sizes = {}) {
  expects(sizes.empty() || sizes.size() == at(neighbors), "one size a neighbor");
  Counts counts;
  Classes classes = first_classes(neighbors, shared);
  Group group(at(neighbors));
  for (Stretch const& stretch : stretches) {
    bool const used = std::any_of(stretch.hops.begin(), stretch.hops.end(), [](int hops) { return hops > 0; });
    if (used && stretch.leaves) {
      if (ports > 0 && group.stretches() == ports) group.close(counts);
      std::map<std::int64_t, Load> message;
      for (std::vector<int> const& members : classes) group.add_interval(message, members, stretch, sizes);
      group.close_stretch(message, stretch, counts);
    }
    classes = parted(classes, stretch);
  }
  group.close(counts);
  return counts;
}

}  // namespace

Counts alltoall_dimension_wise_ported(Torus const& torus, Neighborhood const& neighborhood,
                                      std::vector<int> const& dimension_order, int ports, Sizes const& sizes) {
  return count(unit_stretches(torus, neighborhood, dimension_order), neighborhood.size(), Shared::no, ports, sizes);
}

Counts allgather_dimension_wise_ported(Torus const& torus, Neighborhood const& neighborhood,
                                       std::vector<int> const& dimension_order, int ports) {
  return count(unit_stretches(torus, neighborhood, dimension_order), neighborhood.size(), Shared::same_coordinates,
               ports);
}

Counts alltoall_direct_ported(Torus const& torus, Neighborhood const& neighborhood,
                              std::vector<int> const& dimension_order, int ports, Sizes const& sizes) {
  return count(direct_stretches(torus, neighborhood, dimension_order), neighborhood.size(), Shared::no, ports, sizes);
}

Counts allgather_direct_ported(Torus const& torus, Neighborhood const& neighborhood,
                               std::vector<int> const& dimension_order, int ports) {
  return count(direct_stretches(torus, neighborhood, dimension_order), neighborhood.size(), Shared::same_coordinates,
               ports);
}

}  // namespace rondo::theory
