#include "problem/composition.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/index.hpp"
#include "base/listed.hpp"
#include "base/words.hpp"

namespace rondo::problem {
namespace {

using Shares = std::vector<Share>;

std::string name_of(ClassicalCollective collective) { return word_of(kind_of(collective)); }

/// A collective on some ranks, not yet taken apart.
struct Job {
  ClassicalCollective collective;
  std::vector<int> members;
  int root = 0;  ///< among the members
  Shares shares;
};

/// The jobs or parts that run at the same time.
struct Phase {
  std::string name;
  std::vector<Part> parts;
};
using Phases = std::vector<Phase>;

/// A group of a job, by places among its members.
struct Group {
  std::vector<int> places;
  std::vector<int> lanes;   ///< the places, among `places`, of those that talk to other groups
  std::vector<int> served;  ///< by place among `places`: the lane that serves it
};

/// The same phase of other lanes, or of other groups, runs at the same time.
void merge(Phases& into, Phases&& more) {
  if (into.size() < more.size()) into.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) {
    into[i].name = more[i].name;
    std::move(more[i].parts.begin(), more[i].parts.end(), std::back_inserter(into[i].parts));
  }
}

void append(Phases& phases, Phases&& more) { std::move(more.begin(), more.end(), std::back_inserter(phases)); }

/// Part k of n, of ceil(units / n) units, the last ones shorter or empty.
Share part_of(Share const& share, std::int64_t n, std::int64_t k) {
  std::int64_t const size = (units_of(share) + n - 1) / n;
  std::int64_t from = k * size, to = from + size;
  Share result;
  for (Slice const& slice : share) {
    std::int64_t const length = slice.last - slice.first;
    std::int64_t const first = std::max<std::int64_t>(from, 0), last = std::min(to, length);
    if (first < last) result.push_back({slice.block, slice.first + first, slice.first + last});
    from -= length;
    to -= length;
  }
  return result;
}

/// Consecutive runs of `size` of 0 .. n-1, the last one shorter.
std::vector<std::vector<int>> runs_of(int n, int size) {
  std::vector<std::vector<int>> runs;
  for (int i = 0; i < n; ++i) {
    if (i % size == 0) runs.emplace_back();
    runs.back().push_back(i);
  }
  return runs;
}

std::vector<std::vector<int>> by_group(std::vector<int> const& group_of, int ranks) {
  std::map<int, std::size_t> seen;
  std::vector<std::vector<int>> groups;
  for (int r = 0; r < ranks; ++r) {
    auto const [found, is_new] = seen.try_emplace(group_of[at(r)], groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(r);
  }
  return groups;
}

/// Takes a problem apart, with the data or, to see whether it fits, without: shares are then empty lists.
class Composer {
 public:
  Composer(Classical const& problem, bool with_data) : whole_(problem), with_data_(with_data) {}

  Job job() const {
    Job job{whole_.collective, std::vector<int>(at(whole_.ranks)), whole_.root, {}};
    std::iota(job.members.begin(), job.members.end(), 0);
    if (!with_data_) return job;
    std::vector<std::int64_t> const sizes = unit_sizes(whole_);
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      job.shares.push_back({{static_cast<std::uint32_t>(b), 0, sizes[b]}});
    }
    return job;
  }

  /// What the job does at this level and further out.
  Phases phases(Job const& job, std::size_t level) const {
    if (level + 1 == whole_.hierarchy.levels.size()) return flat(job, level);
    std::vector<Group> const groups = groups_of(job, level);
    switch (job.collective) {
      case ClassicalCollective::bcast:
        return bcast(job, groups, level);
      case ClassicalCollective::reduce:
        return reduce(job, groups, level);
      case ClassicalCollective::allreduce:
      case ClassicalCollective::barrier:
        return for_all(job, groups, level);
      case ClassicalCollective::allgather:
        return allgather(job, groups, level);
      case ClassicalCollective::gather:
        return gather(job, groups, level);
      case ClassicalCollective::scatter:
        return scatter(job, groups, level);
      case ClassicalCollective::reduce_scatter:
        return reduce_scatter(job, groups, level);
      case ClassicalCollective::alltoall:
        return alltoall(job, groups, level);
      default:
        throw ContractViolation("a collective that is put together from others");
    }
  }

 private:
  // Groups and lanes.

  std::vector<std::vector<int>> places_by_group(Job const& job, std::size_t level) const {
    Hierarchy const& hierarchy = whole_.hierarchy;
    if (!hierarchy.group_of.empty()) return by_group(hierarchy.group_of, whole_.ranks);
    int const n = static_cast<int>(job.members.size());
    int const size = hierarchy.sizes[level];
    if (size > n) {
      throw HierarchyError("/groups", "expected groups of at most " + std::to_string(n) +
                                          (level == 0 ? " ranks" : " of the inner groups") + ", all there are, got " +
                                          std::to_string(size));
    }
    return runs_of(n, size);
  }

  int lanes_among(std::vector<std::vector<int>> const& groups) const {
    std::size_t smallest = groups.front().size();
    for (auto const& group : groups) smallest = std::min(smallest, group.size());
    int const most = static_cast<int>(smallest);
    int const lanes = whole_.hierarchy.lanes == 0 ? most : whole_.hierarchy.lanes;
    if (lanes > most) {
      throw HierarchyError("/lanes", "expected at most " + std::to_string(most) +
                                         " lanes, the ranks of the smallest group, got " + std::to_string(lanes));
    }
    if (whole_.collective == ClassicalCollective::barrier && lanes > 1) {
      if (whole_.hierarchy.lanes == 0) return 1;
      throw HierarchyError(
          "/lanes", "expected 1 lane of a barrier, which has no data to share out, got " + std::to_string(lanes));
    }
    return lanes;
  }

  std::vector<Group> groups_of(Job const& job, std::size_t level) const {
    auto const all = places_by_group(job, level);
    int const lanes = lanes_among(all);
    std::vector<Group> groups;
    for (auto const& places : all) {
      Group group{places, std::vector<int>(at(lanes)), std::vector<int>(places.size(), -1)};
      std::iota(group.lanes.begin(), group.lanes.end(), 0);
      auto const root = std::find(places.begin(), places.end(), job.root);
      if (has_root(job.collective) && root != places.end() && root - places.begin() >= lanes) {
        group.lanes.back() = static_cast<int>(root - places.begin());
      }
      for (int lane = 0; lane < lanes; ++lane) group.served[at(group.lanes[at(lane)])] = lane;
      int next = 0;
      for (int& lane : group.served) {
        if (lane < 0) lane = next++ % lanes;
      }
      groups.push_back(std::move(group));
    }
    return groups;
  }

  static int lanes_of(std::vector<Group> const& groups) { return static_cast<int>(groups.front().lanes.size()); }

  static int root_group(Job const& job, std::vector<Group> const& groups) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      auto const& places = groups[g].places;
      if (std::find(places.begin(), places.end(), job.root) != places.end()) return static_cast<int>(g);
    }
    throw ContractViolation("a root in a group");
  }

  // Data.

  /// The shares of those numbers, one behind the other.
  template <typename Numbers>
  Share joined(Shares const& shares, Numbers const& numbers) const {
    Share result;
    if (!with_data_) return result;
    for (auto const i : numbers) result.insert(result.end(), shares[at(i)].begin(), shares[at(i)].end());
    return result;
  }
  Share all_of(Shares const& shares) const {
    Share result;
    for (Share const& each : shares) result.insert(result.end(), each.begin(), each.end());
    return result;
  }
  /// The vector in a part for each lane, at the places of the lanes.
  Shares shared_out(Share const& vector, std::vector<int> const& lanes, std::size_t places) const {
    Shares parts;
    if (!with_data_) return parts;
    parts.resize(places);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      parts[at(lanes[lane])] = part_of(vector, std::ssize(lanes), static_cast<std::int64_t>(lane));
    }
    return parts;
  }
  /// The places, among all members, that a lane serves in a group.
  static std::vector<int> served_by(Group const& group, int lane) {
    std::vector<int> places;
    for (std::size_t i = 0; i < group.places.size(); ++i) {
      if (group.served[i] == lane) places.push_back(group.places[i]);
    }
    return places;
  }
  static std::vector<int> served_by(std::vector<Group> const& groups, int lane) {
    std::vector<int> places;
    for (Group const& group : groups) {
      std::vector<int> const more = served_by(group, lane);
      places.insert(places.end(), more.begin(), more.end());
    }
    return places;
  }
  /// Shares for the places of a group: those of a lane where the lane is, nothing elsewhere.
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

  // Parts.

  std::string level_name(std::size_t level) const {
    std::size_t const last = whole_.hierarchy.levels.size() - 1;
    if (level == last) return "inter";
    return level == 0 ? "intra" : "level " + std::to_string(level + 1);
  }

  ClassicalAlgorithm algorithm_of(ClassicalCollective collective, std::size_t level) const {
    PhaseAlgorithms const& stated = whole_.hierarchy.levels[level];
    std::optional<ClassicalAlgorithm> const algorithm = stated.of(collective);
    std::vector<ClassicalAlgorithm> known = classical_algorithms(collective);
    std::erase(known, ClassicalAlgorithm::hierarchical);
    if (!algorithm) {
      throw HierarchyError(stated.place,
                           "expected an algorithm for the phase \"" + name_of(collective) + "\", got none");
    }
    if (std::find(known.begin(), known.end(), *algorithm) == known.end()) {
      throw HierarchyError(stated.place, "expected an algorithm of the phase " + name_of(collective) + ", \"" +
                                             listed(words_of(known), "\", \"") + "\", got \"" + word_of(*algorithm) +
                                             "\"");
    }
    return *algorithm;
  }

  /// Sizes that are all equal are stated as one.
  static BlockSizes sizes_of(Shares const& shares) {
    std::vector<Bytes> each;
    for (Share const& share : shares) each.emplace_back(units_of(share));
    if (each.empty()) return Bytes(1);
    bool const equal = std::all_of(each.begin(), each.end(), [&](Bytes size) { return size == each.front(); });
    return equal ? BlockSizes(each.front()) : BlockSizes(Bytes(1), each);
  }

  /// Adds a part to the phase; one rank alone has nothing to do.
  void add(Phase& phase, ClassicalCollective collective, std::size_t level, std::vector<int> members, int root,
           Shares shares) const {
    if (phase.name.empty()) phase.name = level_name(level) + " " + name_of(collective);
    ClassicalAlgorithm const algorithm = algorithm_of(collective, level);
    if (members.size() < 2) return;
    Part part{{collective, static_cast<int>(members.size()), sizes_of(shares), algorithm},
              std::move(members),
              std::move(shares)};
    part.problem.root = root;
    part.problem.segment = whole_.segment;
    part.problem.radix = whole_.radix;
    part.problem.group_size = whole_.group_size;
    part.problem.distances = whole_.distances;
    part.problem.children = whole_.children;
    part.problem.commutative = whole_.commutative;
    try {
      expect_ranks_fit(part.problem);
    } catch (InputError const& refused) {
      throw HierarchyError(whole_.hierarchy.levels[level].place,
                           std::string(refused.what()) + " in the phase " + phase.name);
    }
    phase.parts.push_back(std::move(part));
  }

  static std::vector<int> members_at(Job const& job, std::vector<int> const& places) {
    std::vector<int> members;
    for (int const place : places) members.push_back(job.members[at(place)]);
    return members;
  }
  /// A part on all of a group, with a root among its places.
  void add(Phase& phase, ClassicalCollective collective, std::size_t level, Job const& job, Group const& group,
           int root, Shares shares) const {
    add(phase, collective, level, members_at(job, group.places), root, std::move(shares));
  }

  /// The members of a lane, one of each group.
  static std::vector<int> lane_members(Job const& job, std::vector<Group> const& groups, int lane) {
    std::vector<int> members;
    for (Group const& group : groups) members.push_back(job.members[at(group.places[at(group.lanes[at(lane)])])]);
    return members;
  }

  /// The collective between the groups, on every lane at the same time; shares(lane) are its data.
  template <typename Data>
  Phases between(Job const& job, std::vector<Group> const& groups, std::size_t level, Data const& data) const {
    Phases result;
    int const root = has_root(job.collective) ? root_group(job, groups) : 0;
    for (int lane = 0; lane < lanes_of(groups); ++lane) {
      Shares shares;
      if (with_data_) shares = data(lane);
      merge(result, phases({job.collective, lane_members(job, groups, lane), root, std::move(shares)}, level + 1));
    }
    return result;
  }

  /// The vector of the job, as much of it as the lane has.
  auto vector_of_lane(Job const& job, std::vector<Group> const& groups) const {
    return [&, lanes = lanes_of(groups)](int lane) {
      return Shares{lanes == 1 ? job.shares[0] : part_of(job.shares[0], lanes, lane)};
    };
  }

  /// By group the blocks of those that the lane serves there.
  auto blocks_of_lane(Job const& job, std::vector<Group> const& groups) const {
    return [&](int lane) {
      Shares shares;
      for (Group const& group : groups) shares.push_back(joined(job.shares, served_by(group, lane)));
      return shares;
    };
  }

  /// What is gathered at lanes from those that they serve, or scattered to these.
  Phase served(ClassicalCollective collective, Job const& job, std::vector<Group> const& groups,
               std::size_t level) const {
    Phase phase;
    for (Group const& group : groups) {
      for (int lane = 0; lane < lanes_of(groups); ++lane) {
        std::vector<int> const places = served_by(group, lane);
        auto const top = std::find(places.begin(), places.end(), group.places[at(group.lanes[at(lane)])]);
        Shares shares;
        for (int const place : places) {
          if (with_data_) shares.push_back(blocks_of(job, place));
        }
        add(phase, collective, level, members_at(job, places), static_cast<int>(top - places.begin()),
            std::move(shares));
      }
    }
    return phase;
  }
  /// The block of or for a member; in an alltoall all of them that are for it.
  Share blocks_of(Job const& job, int place) const {
    if (job.collective != ClassicalCollective::alltoall) return job.shares[at(place)];
    Share result;
    std::size_t const n = job.members.size();
    for (std::size_t s = 0; s < n; ++s) {
      Share const& block = job.shares[s * n + at(place)];
      result.insert(result.end(), block.begin(), block.end());
    }
    return result;
  }

  /// The parts of the lanes between the root and its group's other lanes; with one lane the root has all.
  void add_at_root(Phase& phase, ClassicalCollective collective, Job const& job, std::vector<Group> const& groups,
                   std::size_t level, Shares shares) const {
    Group const& group = groups[at(root_group(job, groups))];
    std::vector<int> places;
    int root = 0;
    for (int const lane : group.lanes) {
      int const place = group.places[at(lane)];
      if (place == job.root) root = static_cast<int>(places.size());
      places.push_back(place);
    }
    add(phase, collective, level, members_at(job, places), root, std::move(shares));
  }
  Shares lane_parts(Job const& job, int lanes) const {
    Shares parts;
    for (int lane = 0; with_data_ && lane < lanes; ++lane) parts.push_back(part_of(job.shares[0], lanes, lane));
    return parts;
  }
  Shares lane_blocks(Job const& job, std::vector<Group> const& groups) const {
    Shares blocks;
    for (int lane = 0; with_data_ && lane < lanes_of(groups); ++lane) {
      blocks.push_back(joined(job.shares, served_by(groups, lane)));
    }
    return blocks;
  }

  /// A vector that the lanes of each group have comes to all of it.
  Phase told(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phase phase;
    for (Group const& group : groups) {
      if (group.lanes.size() == 1) {
        add(phase, ClassicalCollective::bcast, level, job, group, group.lanes[0], job.shares);
      } else {
        add(phase, ClassicalCollective::allgather, level, job, group, 0,
            with_data_ ? shared_out(job.shares[0], group.lanes, group.places.size()) : Shares());
      }
    }
    return phase;
  }
  /// The vectors of each group are joined at its lanes.
  Phase joined_in_groups(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phase phase;
    for (Group const& group : groups) {
      if (group.lanes.size() == 1) {
        add(phase, ClassicalCollective::reduce, level, job, group, group.lanes[0], job.shares);
      } else {
        add(phase, ClassicalCollective::reduce_scatter, level, job, group, 0,
            with_data_ ? shared_out(job.shares[0], group.lanes, group.places.size()) : Shares());
      }
    }
    return phase;
  }

  // Collectives.

  Phases bcast(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    if (lanes_of(groups) > 1) {
      add_at_root(result.emplace_back(), ClassicalCollective::scatter, job, groups, level,
                  lane_parts(job, lanes_of(groups)));
    }
    append(result, between(job, groups, level, vector_of_lane(job, groups)));
    result.push_back(told(job, groups, level));
    return result;
  }

  Phases reduce(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    result.push_back(joined_in_groups(job, groups, level));
    append(result, between(job, groups, level, vector_of_lane(job, groups)));
    if (lanes_of(groups) > 1) {
      add_at_root(result.emplace_back(), ClassicalCollective::gather, job, groups, level,
                  lane_parts(job, lanes_of(groups)));
    }
    return result;
  }

  Phases for_all(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    result.push_back(joined_in_groups(job, groups, level));
    append(result, between(job, groups, level, vector_of_lane(job, groups)));
    result.push_back(told(job, groups, level));
    return result;
  }

  Phases gather(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    result.push_back(served(ClassicalCollective::gather, job, groups, level));
    append(result, between(job, groups, level, blocks_of_lane(job, groups)));
    if (lanes_of(groups) > 1) {
      add_at_root(result.emplace_back(), ClassicalCollective::gather, job, groups, level, lane_blocks(job, groups));
    }
    return result;
  }

  Phases scatter(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    if (lanes_of(groups) > 1) {
      add_at_root(result.emplace_back(), ClassicalCollective::scatter, job, groups, level, lane_blocks(job, groups));
    }
    append(result, between(job, groups, level, blocks_of_lane(job, groups)));
    result.push_back(served(ClassicalCollective::scatter, job, groups, level));
    return result;
  }

  /// The blocks that each lane has in the end, at the lanes of a group: those of all that it serves, in all groups.
  Shares at_lanes_of_all(Job const& job, std::vector<Group> const& groups, Group const& group) const {
    return at_lanes(group, [&](int lane) { return joined(job.shares, served_by(groups, lane)); });
  }

  Phases allgather(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    bool const all_are_lanes = at(lanes_of(groups)) == largest(groups);
    if (!all_are_lanes) result.push_back(served(ClassicalCollective::gather, job, groups, level));
    append(result, between(job, groups, level, blocks_of_lane(job, groups)));
    Phase& last = result.emplace_back();
    for (Group const& group : groups) {
      if (lanes_of(groups) == 1) {
        add(last, ClassicalCollective::bcast, level, job, group, group.lanes[0], {all_of(job.shares)});
      } else {
        add(last, ClassicalCollective::allgather, level, job, group, 0, at_lanes_of_all(job, groups, group));
      }
    }
    return result;
  }

  Phases reduce_scatter(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    Phase first;
    for (Group const& group : groups) {
      if (lanes_of(groups) == 1) {
        add(first, ClassicalCollective::reduce, level, job, group, group.lanes[0], {all_of(job.shares)});
      } else {
        add(first, ClassicalCollective::reduce_scatter, level, job, group, 0, at_lanes_of_all(job, groups, group));
      }
    }
    result.push_back(std::move(first));
    append(result, between(job, groups, level, blocks_of_lane(job, groups)));
    bool const all_are_lanes = at(lanes_of(groups)) == largest(groups);
    if (!all_are_lanes) result.push_back(served(ClassicalCollective::scatter, job, groups, level));
    return result;
  }

  static std::size_t largest(std::vector<Group> const& groups) {
    std::size_t size = 0;
    for (Group const& group : groups) size = std::max(size, group.places.size());
    return size;
  }

  /// The blocks of some sources for some targets, target by target.
  Share from_to(Job const& job, std::vector<int> const& sources, std::vector<int> const& targets) const {
    Share result;
    for (int const t : targets) {
      for (int const s : sources) {
        Share const& block = job.shares[at(s) * job.members.size() + at(t)];
        result.insert(result.end(), block.begin(), block.end());
      }
    }
    return result;
  }

  /// Every rank gives each lane of its group the blocks for those ranks that this lane serves, in any group.
  Phase handed_to_lanes(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phase phase;
    std::vector<std::vector<int>> targets;
    for (int lane = 0; lane < lanes_of(groups); ++lane) targets.push_back(served_by(groups, lane));
    for (Group const& group : groups) {
      std::size_t const n = group.places.size();
      if (lanes_of(groups) == 1) {
        Shares shares;
        for (std::size_t i = 0; with_data_ && i < n; ++i) {
          shares.push_back(from_to(job, {group.places[i]}, targets[0]));
        }
        add(phase, ClassicalCollective::gather, level, job, group, group.lanes[0], std::move(shares));
        continue;
      }
      Shares shares;
      if (with_data_) shares.resize(n * n);
      for (std::size_t i = 0; with_data_ && i < n; ++i) {
        for (std::size_t lane = 0; lane < group.lanes.size(); ++lane) {
          shares[i * n + at(group.lanes[lane])] = from_to(job, {group.places[i]}, targets[lane]);
        }
      }
      add(phase, ClassicalCollective::alltoall, level, job, group, 0, std::move(shares));
    }
    return phase;
  }

  Phases alltoall(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    result.push_back(handed_to_lanes(job, groups, level));
    append(result, between(job, groups, level, [&](int lane) {
             Shares shares;
             for (Group const& source : groups) {
               for (Group const& target : groups) {
                 shares.push_back(from_to(job, source.places, served_by(target, lane)));
               }
             }
             return shares;
           }));
    bool const all_are_lanes = at(lanes_of(groups)) == largest(groups);
    if (!all_are_lanes) result.push_back(served(ClassicalCollective::scatter, job, groups, level));
    return result;
  }

  // Between the outermost groups.

  /// The two collectives that do the same one after the other.
  static std::vector<std::pair<ClassicalCollective, ClassicalCollective>> pairs_for(ClassicalCollective collective) {
    switch (collective) {
      case ClassicalCollective::allreduce:
        return {{ClassicalCollective::reduce_scatter, ClassicalCollective::allgather},
                {ClassicalCollective::reduce, ClassicalCollective::bcast}};
      case ClassicalCollective::barrier:
        return {{ClassicalCollective::reduce, ClassicalCollective::bcast}};
      case ClassicalCollective::bcast:
        return {{ClassicalCollective::scatter, ClassicalCollective::allgather}};
      case ClassicalCollective::reduce:
        return {{ClassicalCollective::reduce_scatter, ClassicalCollective::gather}};
      case ClassicalCollective::allgather:
        return {{ClassicalCollective::gather, ClassicalCollective::bcast}};
      case ClassicalCollective::reduce_scatter:
        return {{ClassicalCollective::reduce, ClassicalCollective::scatter}};
      default:
        return {};
    }
  }

  /// What a part of a pair works on: a vector, or a block for each member.
  Shares shares_for(ClassicalCollective part, Job const& job) const {
    if (!with_data_) return {};
    if (of_vectors(part)) return {all_of(job.shares)};
    if (!of_vectors(job.collective)) return job.shares;
    Shares parts;
    auto const n = static_cast<std::int64_t>(job.members.size());
    for (std::int64_t k = 0; k < n; ++k) parts.push_back(part_of(job.shares[0], n, k));
    return parts;
  }

  [[noreturn]] void refuse_flat(ClassicalCollective collective, std::size_t level) const {
    std::string accepted = "\"" + name_of(collective) + "\"";
    for (auto const& [first, second] : pairs_for(collective)) {
      accepted += ", or \"" + name_of(first) + "\" and \"" + name_of(second) + "\"";
    }
    throw HierarchyError(whole_.hierarchy.levels[level].place, "expected an algorithm for " + accepted + ", got none");
  }

  Phases flat(Job const& job, std::size_t level) const {
    PhaseAlgorithms const& stated = whole_.hierarchy.levels[level];
    Phases result;
    if (stated.of(job.collective)) {
      add(result.emplace_back(), job.collective, level, job.members, job.root, job.shares);
      return result;
    }
    for (auto const& [first, second] : pairs_for(job.collective)) {
      if (!stated.of(first) || !stated.of(second)) continue;
      int const root = has_root(job.collective) ? job.root : 0;
      add(result.emplace_back(), first, level, job.members, root, shares_for(first, job));
      add(result.emplace_back(), second, level, job.members, root, shares_for(second, job));
      return result;
    }
    refuse_flat(job.collective, level);
  }

  Classical const& whole_;
  bool with_data_;
};

/// Where contributions are joined in the order of their ranks, groups have to be runs of ranks.
void expect_runs(Classical const& problem) {
  std::vector<int> const& group_of = problem.hierarchy.group_of;
  if (group_of.empty() || problem.commutative || !reduces(problem.collective)) return;
  for (auto const& group : by_group(group_of, problem.ranks)) {
    if (group.back() - group.front() + 1 == std::ssize(group)) continue;
    throw HierarchyError("/groups",
                         "expected groups of consecutive ranks where the order of ranks matters (\"commutative\": "
                         "false), got one with ranks " +
                             std::to_string(group.front()) + " and " + std::to_string(group.back()) + " of " +
                             std::to_string(std::ssize(group)));
  }
}

void expect_stated(Classical const& problem) {
  Hierarchy const& hierarchy = problem.hierarchy;
  if (!hierarchy.stated()) throw InputError("expected \"hierarchy\" for hierarchical, got none");
  std::size_t const levels = hierarchy.group_of.empty() ? hierarchy.sizes.size() : 1;
  if (hierarchy.levels.size() != levels + 1) {
    throw HierarchyError("", "expected " + std::to_string(levels + 1) +
                                 " algorithms in \"intra\" and \"inter\", one for " +
                                 "each level of groups and one between the outermost ones, got " +
                                 std::to_string(hierarchy.levels.size()));
  }
  expects(hierarchy.group_of.empty() || std::ssize(hierarchy.group_of) >= problem.ranks, "a group for each rank");
  if (hierarchy.segment > Bytes(0) && !of_vectors(problem.collective)) {
    throw HierarchyError(
        "/segment",
        "expected none but for bcast, reduce and allreduce, whose vectors can be cut, got " + print(hierarchy.segment));
  }
  expect_runs(problem);
}

/// Phase j of segment s runs in stage j + s. Phases in which nobody has anything to do are left out.
class Pipeline {
 public:
  void add(Phases&& phases) {
    std::size_t stage = segment_++;
    for (Phase& phase : phases) {
      if (phase.parts.empty()) continue;
      if (stages_.size() <= stage) stages_.resize(stage + 1);
      for (Part& part : phase.parts) {
        stages_[stage].parts.push_back(std::move(part));
        stages_[stage].names.push_back(phase.name);
      }
      ++stage;
    }
  }
  std::vector<Stage> finish() && { return std::move(stages_); }

 private:
  std::vector<Stage> stages_;
  std::size_t segment_ = 0;
};

}  // namespace

std::optional<ClassicalAlgorithm> PhaseAlgorithms::of(ClassicalCollective phase) const {
  for (auto const& [collective, algorithm] : named) {
    if (collective == phase) return algorithm;
  }
  return usual;
}

std::int64_t units_of(Share const& share) {
  std::int64_t units = 0;
  for (Slice const& slice : share) units += slice.last - slice.first;
  return units;
}

bool Part::has_units() const {
  return std::any_of(shares.begin(), shares.end(), [](Share const& share) { return units_of(share) > 0; });
}

std::vector<std::int64_t> unit_sizes(Classical const& problem) {
  std::int64_t const equal = std::max<std::int64_t>(problem.sizes.block.value, 1);
  if (of_vectors(problem.collective)) return {equal};
  auto const p = static_cast<std::size_t>(problem.ranks);
  std::vector<std::int64_t> sizes(problem.collective == ClassicalCollective::alltoall ? p * p : p, equal);
  for (std::size_t i = 0; i < problem.sizes.each.size(); ++i) sizes[i] = problem.sizes.each[i].value;
  return sizes;
}

std::vector<Stage> stages_of(Classical const& problem) {
  expect_stated(problem);
  Composer const composer(problem, true);
  Job job = composer.job();
  Pipeline pipeline;
  std::int64_t const units = of_vectors(problem.collective) ? units_of(job.shares[0]) : 0;
  std::int64_t const segment = problem.hierarchy.segment.value;
  if (segment == 0 || segment >= units) {
    pipeline.add(composer.phases(job, 0));
    return std::move(pipeline).finish();
  }
  for (std::int64_t first = 0; first < units; first += segment) {
    job.shares = {{{0, first, std::min(first + segment, units)}}};
    pipeline.add(composer.phases(job, 0));
  }
  return std::move(pipeline).finish();
}

void expect_hierarchy_fits(Classical const& problem) {
  expect_stated(problem);
  Composer const composer(problem, false);
  composer.phases(composer.job(), 0);
}

bool parts_read(Classical const& problem, ClassicalOption option) {
  if (!problem.hierarchy.stated()) return false;
  Composer const composer(problem, false);
  for (Phase const& phase : composer.phases(composer.job(), 0)) {
    for (Part const& part : phase.parts) {
      Classical sized = part.problem;
      sized.sizes = {problem.sizes.block};
      if (reads(sized, option)) return true;
    }
  }
  return false;
}

}  // namespace rondo::problem
