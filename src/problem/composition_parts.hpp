#pragma once

// The parts of a composition, for the composition in this folder alone: the groups of a level of a hierarchy and
// their lanes, the orders of rings, and the jobs that run at the same time with their shares of the data.
//
// If several rings or trees work at the same time, each goes through the ranks in its own order. So each of them
// enters and leaves a host by different ranks, and so by different NICs. The ranks of a host follow each other. On a
// host of n ranks, ring c of k begins at the host's rank c * n / k, or at rank c modulo n if there are more rings
// than ranks; it goes around the host and leaves it at the rank before the first. Hosts follow in the order of their
// lowest ranks, and every second ring goes through them in the opposite direction.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "problem/classical.hpp"
#include "problem/composition.hpp"

namespace rondo::problem {

/// A group of some of the members. All ranks in it are given by their places among the members.
struct Group {
  std::vector<int> places;
  std::vector<int> lanes;   ///< places, among `places`, of the ranks that talk to other groups
  std::vector<int> served;  ///< by place among `places`: the lane that serves it
};

/// The ranks of each group, by `group_of`; groups are in the order of their lowest ranks.
std::vector<std::vector<int>> by_group(std::vector<int> const& group_of, int ranks);

/// The groups on a level of the problem's hierarchy, among these members. `root` is the place of the root. Throws
/// HierarchyError if groups or lanes do not fit.
std::vector<Group> groups_of(Classical const& problem, std::vector<int> const& members, int root, std::size_t level);

int lanes_of(std::vector<Group> const& groups);
std::size_t largest(std::vector<Group> const& groups);
/// The number of the group that contains this place.
int group_with(std::vector<Group> const& groups, int place);
/// The places, among all members, that a lane serves in one group, or in all groups.
std::vector<int> served_by(Group const& group, int lane);
std::vector<int> served_by(std::vector<Group> const& groups, int lane);

/// The ranks in the order of ring number `ring`, from 0, of `rings`. `host_of` is by rank; if it is empty, every rank
/// is on a host of its own.
std::vector<int> order_of_ring(std::vector<int> const& host_of, int ranks, int ring, int rings);

using Shares = std::vector<Share>;

/// A collective on some ranks that has not been taken apart yet.
struct Job {
  ClassicalCollective collective;
  std::vector<int> members;
  int root = 0;  ///< among the members
  Shares shares;
};

/// Jobs or parts that run at the same time.
struct Phase {
  std::string name;
  std::vector<SubCollective> parts;
};
using Phases = std::vector<Phase>;

/// Adds phases that run at the same time as those of `into`: the same phases of other lanes or groups.
void merge(Phases& into, Phases&& more);
void append(Phases& phases, Phases&& more);

/// Part k of n. A part has ceil(units / n) units; the last parts may be shorter or empty.
Share part_of(Share const& share, std::int64_t n, std::int64_t k);

std::string name_of(ClassicalCollective collective);

/// Whether the shares of parts are computed. Checks need no shares.
enum class ShareData : std::uint8_t { computed, omitted };

/// Writes parts with their data. Without data, which is enough to see whether the parts fit, all shares are empty
/// lists.
class PartWriter {
 public:
  PartWriter(Classical const& problem, ShareData share_data)
      : whole_(problem), with_data_(share_data == ShareData::computed) {}

  /// The share of a ring in the problem, or in a segment of its vector.
  Job job(int ring, std::optional<Slice> const& segment) const;

 protected:
  /// The shares with these numbers, in a row.
  template <typename Numbers>
  Share joined(Shares const& shares, Numbers const& numbers) const {
    Share result;
    if (!with_data_) return result;
    for (auto const i : numbers) result.insert(result.end(), shares[at(i)].begin(), shares[at(i)].end());
    return result;
  }
  Share all_of(Shares const& shares) const;
  /// The vector divided among the lanes, with each part at the place of its lane.
  Shares shared_out(Share const& vector, std::vector<int> const& lanes, std::size_t places) const;
  /// Shares for the places of a group: a share at the place of each lane, and nothing elsewhere.
  template <typename Make>
  Shares at_lanes(Group const& group, Make const& make) const {
    Shares shares;
    if (!with_data_) return shares;
    shares.resize(group.places.size());
    for (std::size_t lane = 0; lane < group.lanes.size(); ++lane) {
      shares[at(group.lanes[lane])] = make(static_cast<int>(lane));
    }
    return shares;
  }

  std::string level_name(std::size_t level) const;
  ClassicalAlgorithm algorithm_of(ClassicalCollective collective, std::size_t level) const;

  /// Adds a part to the phase, unless it has only one rank, which would have nothing to do.
  void add(Phase& phase, ClassicalCollective collective, std::size_t level, std::vector<int> members, int root,
           Shares shares) const;
  /// Adds a part on all of a group; `root` is a place in the group.
  void add(Phase& phase, ClassicalCollective collective, std::size_t level, Job const& job, Group const& group,
           int root, Shares shares) const;
  static std::vector<int> members_at(Job const& job, std::vector<int> const& places);

  Classical const& whole_;
  bool with_data_;
};

}  // namespace rondo::problem
