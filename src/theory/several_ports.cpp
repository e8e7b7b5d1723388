// The counts of dimension-wise algorithms on several ports, from the coordinates of the neighborhood.
//
// An algorithm consists of stretches, each along one direction of a dimension or to one coordinate of it. k stretches
// share a group of rounds. If a block has spent a rounds of the group before it comes to a stretch, it is in the
// messages of that stretch in the rounds a+1 .. a+h of the group, where h is its number of hops in the stretch. In an
// allgather, blocks of one rank with the same coordinates so far are one block, which goes as far as the farthest of
// them. So each class of blocks adds an interval of rounds to a stretch, and messages are sums over these intervals.
//
// Groups of k stretches may take more rounds than smaller groups, so the best size of all is used. A lower bound tells
// whether another order of the hops could take fewer rounds. T rounds are too few if some hops that must be taken in
// the rounds a to b need more than k (b - a + 1) uses of stretches. Which hops these are follows from the numbers of
// hops before and after them on their way. Several blocks share a use, so a stretch needs as many uses as the block
// with the most such hops.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "theory/isomorphic.hpp"

namespace rondo::theory {
namespace {

/// Whether blocks with the same coordinates so far are one block.
enum class Shared : std::uint8_t { no, same_coordinates };

/// A part of all routes, along one direction of a dimension or to one coordinate of it: the hops of each neighbor's
/// block in it.
struct Stretch {
  std::vector<int> hops;  ///< by neighbor
  bool leaves = true;     ///< whether a hop leads to another rank
};

/// One stretch for each dimension and direction, + before -. Dimensions of extent 1 are skipped.
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

/// One stretch for each dimension and each different coordinate of it other than 0, ascending. Dimensions of extent 1
/// are skipped.
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

/// The size of a message.
struct Load {
  std::int64_t blocks = 0;
  Bytes bytes;
};

/// The messages of the stretches that share a group of rounds.
class Group {
 public:
  explicit Group(std::size_t neighbors) : before_(neighbors, 0) {}

  /// Adds one block to the messages of a stretch, by round of the group: in the rounds in which it takes its hops
  /// there. `members` are the neighbors for which the block is meant; they must not be empty. It goes as far as the
  /// farthest of them. Its size is that of the first one.
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

  /// Counts the messages of a stretch, by round of the group. The largest of each round is critical.
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

  /// Ends the group; the next stretch begins another one.
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
  std::map<std::int64_t, Load> largest_;  ///< by round of the group: the largest message of any stretch
  int stretches_ = 0;
};

/// Sets of neighbors whose blocks are one block so far.
using Classes = std::vector<std::vector<int>>;

/// Splits each class into the neighbors whose blocks take the same number of hops in the stretch.
Classes parted(Classes const& classes, Stretch const& stretch) {
  Classes result;
  for (std::vector<int> const& members : classes) {
    std::map<int, std::vector<int>> by_hops;
    for (int const i : members) by_hops[stretch.hops[at(i)]].push_back(i);
    for (auto& [hops, part] : by_hops) result.push_back(std::move(part));
  }
  return result;
}

/// At the start, all blocks of an allgather are one block.
Classes first_classes(int neighbors, Shared shared) {
  std::vector<int> all(at(neighbors));
  std::iota(all.begin(), all.end(), 0);
  if (all.empty()) return {};
  if (shared == Shared::same_coordinates) return {all};
  Classes each;
  for (int const i : all) each.push_back({i});
  return each;
}

/// The counts if `ports` >= 1 stretches in a row share each group of rounds; the last group may have fewer.
Counts in_groups(std::vector<Stretch> const& stretches, int neighbors, Shared shared, int ports, Sizes const& sizes) {
  Counts counts;
  Classes classes = first_classes(neighbors, shared);
  Group group(at(neighbors));
  for (Stretch const& stretch : stretches) {
    if (group.stretches() == ports) group.close(counts);
    std::map<std::int64_t, Load> message;
    for (std::vector<int> const& members : classes) group.add_interval(message, members, stretch, sizes);
    group.close_stretch(message, stretch, counts);
    classes = parted(classes, stretch);
  }
  group.close(counts);
  return counts;
}

/// For each block, the numbers of the stretches of all its hops, in order. Blocks with the same hops are listed once.
std::vector<std::vector<int>> hops_of(std::vector<Stretch> const& stretches, int neighbors) {
  std::vector<std::vector<int>> hops(at(neighbors));
  for (std::size_t s = 0; s < stretches.size(); ++s) {
    for (std::size_t i = 0; i < hops.size(); ++i) {
      hops[i].insert(hops[i].end(), at(stretches[s].hops[i]), static_cast<int>(s));
    }
  }
  std::sort(hops.begin(), hops.end());
  hops.erase(std::unique(hops.begin(), hops.end()), hops.end());
  return hops;
}

/// The number of uses of stretches that the added hops need. All blocks share a use, so a stretch needs as many uses as
/// the block with the most added hops in it.
class Uses {
 public:
  Uses(std::size_t blocks, std::size_t stretches) : of_block_(blocks * stretches), most_(stretches) {}
  void clear() {
    std::fill(of_block_.begin(), of_block_.end(), 0);
    std::fill(most_.begin(), most_.end(), 0);
    all_ = 0;
  }
  /// Adds a hop of a block in a stretch. It counts only if it exceeds the most hops that any block has there.
  void add(std::size_t block, int stretch) {
    int const uses = ++of_block_[block * most_.size() + at(stretch)];
    if (uses <= most_[at(stretch)]) return;
    most_[at(stretch)] = uses;
    ++all_;
  }
  std::int64_t all() const { return all_; }

 private:
  /// The hops that were added: by block and stretch, and by stretch the most of any block.
  std::vector<int> of_block_, most_;
  std::int64_t all_ = 0;  ///< the sum of most_
};

/// Whether `rounds` rounds are too few: some rounds from a to b would have to serve more uses than they have ports.
bool too_few(std::vector<std::vector<int>> const& hops, Uses& uses, std::int64_t rounds, int ports) {
  for (std::int64_t a = 1; a <= rounds; ++a) {
    uses.clear();
    for (std::int64_t b = a; b <= rounds; ++b) {
      for (std::size_t i = 0; i < hops.size(); ++i) {
        // The last hop that must be taken by round b, because of the hops after it. It counts if it cannot be taken
        // before round a, because of the hops before it.
        std::int64_t const hop = b - rounds + std::ssize(hops[i]) - 1;
        if (hop < a - 1) continue;
        // At b = a all hops up to this one begin to count.
        for (std::int64_t h = b == a ? a - 1 : hop; h <= hop; ++h) uses.add(i, hops[i][at(h)]);
      }
      if (uses.all() > ports * (b - a + 1)) return true;
    }
  }
  return false;
}

/// Intervals are not examined if that would take more than about this many steps for one number of rounds.
constexpr double most_interval_steps = 2e7;

/// A lower bound for the number of rounds, at most `enough` unless simple bounds are above it: those are the hops of
/// the longest way, and all uses divided by the ports. The bound is raised until no interval of rounds needs too many
/// uses, if this does not take too many steps.
std::int64_t least_rounds(std::vector<Stretch> const& stretches, int neighbors, int ports, std::int64_t enough) {
  std::int64_t longest = 0, uses = 0;
  for (int i = 0; i < neighbors; ++i) {
    std::int64_t way = 0;
    for (Stretch const& stretch : stretches) way += stretch.hops[at(i)];
    longest = std::max(longest, way);
  }
  for (Stretch const& stretch : stretches) uses += *std::max_element(stretch.hops.begin(), stretch.hops.end());
  std::int64_t rounds = std::max(longest, (uses + ports - 1) / ports);
  auto const blocks = static_cast<double>(neighbors);
  auto const steps = static_cast<double>(rounds * rounds) * blocks;
  if (rounds >= enough || steps * static_cast<double>(stretches.size()) > most_interval_steps) return rounds;
  auto const hops = hops_of(stretches, neighbors);
  Uses counted(hops.size(), stretches.size());
  while (rounds < enough && too_few(hops, counted, rounds, ports)) ++rounds;
  return rounds;
}

/// The counts for the size of groups that takes the fewest rounds; of several sizes, the largest. Smaller sizes are not
/// tried once the number of rounds reaches the lower bound. Stretches without hops to other ranks are left out. `ports`
/// is 0 if it is unlimited.
PortedCounts count(std::vector<Stretch> stretches, int neighbors, Shared shared, int ports, Sizes const& sizes = {}) {
  expects(sizes.empty() || sizes.size() == at(neighbors), "one size a neighbor");
  std::erase_if(stretches, [](Stretch const& stretch) {
    return !stretch.leaves || std::all_of(stretch.hops.begin(), stretch.hops.end(), [](int hops) { return hops == 0; });
  });
  if (stretches.empty()) return {};
  auto const all = static_cast<int>(stretches.size());
  int const most = ports == 0 ? all : std::min(ports, all);
  PortedCounts result{in_groups(stretches, neighbors, shared, most, sizes)};
  result.least_rounds = least_rounds(stretches, neighbors, most, result.counts.rounds);
  for (int k = most - 1; k >= 1 && result.counts.rounds > result.least_rounds; --k) {
    Counts const fewer = in_groups(stretches, neighbors, shared, k, sizes);
    if (fewer.rounds < result.counts.rounds) result.counts = fewer;
  }
  result.has_closed_form = result.counts.rounds == result.least_rounds;
  return result;
}

}  // namespace

PortedCounts alltoall_dimension_wise_ported(Torus const& torus, Neighborhood const& neighborhood,
                                            std::vector<int> const& dimension_order, int ports, Sizes const& sizes) {
  return count(unit_stretches(torus, neighborhood, dimension_order), neighborhood.size(), Shared::no, ports, sizes);
}

PortedCounts allgather_dimension_wise_ported(Torus const& torus, Neighborhood const& neighborhood,
                                             std::vector<int> const& dimension_order, int ports) {
  return count(unit_stretches(torus, neighborhood, dimension_order), neighborhood.size(), Shared::same_coordinates,
               ports);
}

PortedCounts alltoall_direct_ported(Torus const& torus, Neighborhood const& neighborhood,
                                    std::vector<int> const& dimension_order, int ports, Sizes const& sizes) {
  return count(direct_stretches(torus, neighborhood, dimension_order), neighborhood.size(), Shared::no, ports, sizes);
}

PortedCounts allgather_direct_ported(Torus const& torus, Neighborhood const& neighborhood,
                                     std::vector<int> const& dimension_order, int ports) {
  Neighborhood const alike = alike_modulo_extents(torus, neighborhood);
  return count(direct_stretches(torus, alike, dimension_order), neighborhood.size(), Shared::same_coordinates, ports);
}

}  // namespace rondo::theory
