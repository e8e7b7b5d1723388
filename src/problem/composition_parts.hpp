#pragma once

// Writes the parts of a composition: what runs at the same time, and on which data. Only the composition in this
// folder uses it.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/index.hpp"
#include "problem/composition.hpp"
#include "problem/composition_groups.hpp"

namespace rondo::problem {

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
