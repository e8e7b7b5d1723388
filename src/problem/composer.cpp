// Writes the phases of each collective (composer.hpp). Each function treats one collective at one level; between() goes
// on to the next level.

#include "problem/composer.hpp"

#include "base/error.hpp"

namespace rondo::problem {
namespace {

/// Takes a problem apart, level by level from the outermost groups inwards.
class Composer : public PartWriter {
 public:
  using PartWriter::PartWriter;

  /// The phases of the job on this level and on all levels further out.
  Phases phases(Job const& job, std::size_t level) const {
    if (!whole_.hierarchy.stated()) return whole(job);
    if (level + 1 == whole_.hierarchy.levels.size()) return flat(job, level);
    std::vector<Group> const groups = groups_of(whole_, job.members, job.root, level);
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
  // Data of the parts.

  /// The members of a lane: one rank of each group.
  static std::vector<int> lane_members(Job const& job, std::vector<Group> const& groups, int lane) {
    std::vector<int> members;
    for (Group const& group : groups) members.push_back(job.members[at(group.places[at(group.lanes[at(lane)])])]);
    return members;
  }

  /// The collective between the groups, which runs on every lane at the same time. shares(lane) are the data of a lane.
  template <typename Data>
  Phases between(Job const& job, std::vector<Group> const& groups, std::size_t level, Data const& data) const {
    Phases result;
    int const root = has_root(job.collective) ? group_with(groups, job.root) : 0;
    for (int lane = 0; lane < lanes_of(groups); ++lane) {
      Shares shares;
      if (with_data_) shares = data(lane);
      merge(result, phases({job.collective, lane_members(job, groups, lane), root, std::move(shares)}, level + 1));
    }
    return result;
  }

  /// The part of the job's vector that a lane has.
  auto vector_of_lane(Job const& job, std::vector<Group> const& groups) const {
    return [&, lanes = lanes_of(groups)](int lane) {
      return Shares{lanes == 1 ? job.shares[0] : part_of(job.shares[0], lanes, lane)};
    };
  }

  /// By group, the blocks of the ranks that the lane serves there.
  auto blocks_of_lane(Job const& job, std::vector<Group> const& groups) const {
    return [&](int lane) {
      Shares shares;
      for (Group const& group : groups) shares.push_back(joined(job.shares, served_by(group, lane)));
      return shares;
    };
  }

  /// The phase in which lanes gather from the ranks that they serve, or scatter to them.
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
  /// The block of a member or for it; in an alltoall all blocks that are for it.
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

  /// Moves the parts of the lanes between the root and the other lanes of its group. With a single lane the root has
  /// everything already.
  void add_at_root(Phase& phase, ClassicalCollective collective, Job const& job, std::vector<Group> const& groups,
                   std::size_t level, Shares shares) const {
    Group const& group = groups[at(group_with(groups, job.root))];
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
  /// The blocks of each lane; none if data are omitted.
  Shares lane_blocks(Job const& job, std::vector<Group> const& groups) const {
    Shares blocks;
    for (int lane = 0; with_data_ && lane < lanes_of(groups); ++lane) {
      blocks.push_back(joined(job.shares, served_by(groups, lane)));
    }
    return blocks;
  }

  /// The phase in which the lanes of each group give their vector to the whole group.
  Phase spread_in_groups(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
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
  /// The phase in which the vectors of each group are joined at its lanes.
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

  /// With several lanes the root first scatters the vector among them.
  Phases bcast(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    if (lanes_of(groups) > 1) {
      add_at_root(result.emplace_back(), ClassicalCollective::scatter, job, groups, level,
                  lane_parts(job, lanes_of(groups)));
    }
    append(result, between(job, groups, level, vector_of_lane(job, groups)));
    result.push_back(spread_in_groups(job, groups, level));
    return result;
  }

  /// The reverse of bcast.
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

  /// Allreduce and barrier: join in groups, then between them, then spread in groups.
  Phases for_all(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    result.push_back(joined_in_groups(job, groups, level));
    append(result, between(job, groups, level, vector_of_lane(job, groups)));
    result.push_back(spread_in_groups(job, groups, level));
    return result;
  }

  /// Groups first, then lanes, then the root.
  Phases gather(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    result.push_back(served(ClassicalCollective::gather, job, groups, level));
    append(result, between(job, groups, level, blocks_of_lane(job, groups)));
    if (lanes_of(groups) > 1) {
      add_at_root(result.emplace_back(), ClassicalCollective::gather, job, groups, level, lane_blocks(job, groups));
    }
    return result;
  }

  /// The reverse of gather.
  Phases scatter(Job const& job, std::vector<Group> const& groups, std::size_t level) const {
    Phases result;
    if (lanes_of(groups) > 1) {
      add_at_root(result.emplace_back(), ClassicalCollective::scatter, job, groups, level, lane_blocks(job, groups));
    }
    append(result, between(job, groups, level, blocks_of_lane(job, groups)));
    result.push_back(served(ClassicalCollective::scatter, job, groups, level));
    return result;
  }

  /// The blocks that each lane has at the end, at the lanes of a group: those of all ranks that the lane serves, in all
  /// groups.
  Shares at_lanes_of_all(Job const& job, std::vector<Group> const& groups, Group const& group) const {
    return at_lanes(group, [&](int lane) { return joined(job.shares, served_by(groups, lane)); });
  }

  /// If every rank is a lane, there is nothing to gather in groups first.
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

  /// The reverse of allgather.
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

  /// The blocks from some sources for some targets, ordered by target.
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

  /// The phase in which every rank gives each lane of its group the blocks for the ranks that this lane serves, in any
  /// group.
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

  /// Each rank hands its blocks to the lanes that serve their targets; lanes exchange; then blocks are handed out.
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

  /// The data of one part of a pair: a vector, or a block for each member.
  Shares shares_for(ClassicalCollective part, Job const& job) const {
    if (!with_data_) return {};
    if (works_on_vector(part)) return {all_of(job.shares)};
    if (!works_on_vector(job.collective)) return job.shares;
    Shares parts;
    auto const n = static_cast<std::int64_t>(job.members.size());
    for (std::int64_t k = 0; k < n; ++k) parts.push_back(part_of(job.shares[0], n, k));
    return parts;
  }

  // The error names the algorithms that would be accepted.
  [[noreturn]] void refuse_flat(ClassicalCollective collective, std::size_t level) const {
    std::string accepted = "\"" + name_of(collective) + "\"";
    for (auto const& [first, second] : replacement_pairs(collective)) {
      accepted += ", or \"" + name_of(first) + "\" and \"" + name_of(second) + "\"";
    }
    throw HierarchyError(whole_.hierarchy.levels[level].place, "expected an algorithm for " + accepted + ", got none");
  }

  /// The whole job by the problem's own algorithm.
  Phases whole(Job const& job) const {
    Phases result;
    add(result.emplace_back(), job.collective, 0, job.members, job.root, job.shares);
    return result;
  }

  /// A collective within one group, or the two collectives that replace it.
  Phases flat(Job const& job, std::size_t level) const {
    PhaseAlgorithms const& stated = whole_.hierarchy.levels[level];
    Phases result;
    if (stated.of(job.collective)) {
      add(result.emplace_back(), job.collective, level, job.members, job.root, job.shares);
      return result;
    }
    for (auto const& [first, second] : replacement_pairs(job.collective)) {
      if (!stated.of(first) || !stated.of(second)) continue;
      int const root = has_root(job.collective) ? job.root : 0;
      add(result.emplace_back(), first, level, job.members, root, shares_for(first, job));
      add(result.emplace_back(), second, level, job.members, root, shares_for(second, job));
      return result;
    }
    refuse_flat(job.collective, level);
  }
};

}  // namespace

/// Several rings run side by side.
Phases phases_of(Classical const& problem, ShareData share_data, std::optional<Slice> const& segment) {
  Composer const composer(problem, share_data);
  Phases result;
  for (int ring = 0; ring < problem.rings; ++ring) merge(result, composer.phases(composer.job(ring, segment), 0));
  return result;
}

}  // namespace rondo::problem
