// Divides members into groups and lanes. A place is the index of a member in its list.

#include "problem/composition_groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "base/index.hpp"

namespace rondo::problem {

/// Groups in the order of their first members.
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

namespace {

/// Divides 0 .. n-1 into runs of `size`; the last one may be shorter.
std::vector<std::vector<int>> runs_of(int n, int size) {
  std::vector<std::vector<int>> runs;
  for (int i = 0; i < n; ++i) {
    if (i % size == 0) runs.emplace_back();
    runs.back().push_back(i);
  }
  return runs;
}

/// The groups of a level: stated rank by rank, or by sizes.
std::vector<std::vector<int>> places_by_group(Classical const& problem, std::vector<int> const& members,
                                              std::size_t level) {
  Hierarchy const& hierarchy = problem.hierarchy;
  int const n = static_cast<int>(members.size());
  if (!hierarchy.group_of.empty()) {
    std::vector<int> group_of;
    for (int const member : members) group_of.push_back(hierarchy.group_of[at(member)]);
    return by_group(group_of, n);
  }
  int const size = hierarchy.sizes[level];
  if (size > n) {
    throw HierarchyError("/groups", "expected groups of at most " + std::to_string(n) +
                                        (level == 0 ? " ranks" : " of the inner groups") + ", all there are, got " +
                                        std::to_string(size));
  }
  if (problem.rings == 1) return runs_of(n, size);
  // Groups are runs of ranks, whatever the order of the members.
  std::vector<int> group_of;
  for (int const member : members) group_of.push_back(member / size);
  return by_group(group_of, n);
}

/// 0 lanes mean as many as possible. Throws HierarchyError if there are more than ranks in the smallest group.
int lanes_among(Classical const& problem, std::vector<std::vector<int>> const& groups) {
  std::size_t smallest = groups.front().size();
  for (auto const& group : groups) smallest = std::min(smallest, group.size());
  int const most = static_cast<int>(smallest);
  int const lanes = problem.hierarchy.lanes == 0 ? most : problem.hierarchy.lanes;
  if (lanes > most) {
    throw HierarchyError("/lanes", "expected at most " + std::to_string(most) +
                                       " lanes, the ranks of the smallest group, got " + std::to_string(lanes));
  }
  if (problem.collective == ClassicalCollective::barrier && lanes > 1) {
    if (problem.hierarchy.lanes == 0) return 1;
    throw HierarchyError("/lanes",
                         "expected 1 lane of a barrier, which has no data to share out, got " + std::to_string(lanes));
  }
  return lanes;
}

}  // namespace

/// The root becomes a lane of its group.
std::vector<Group> groups_of(Classical const& problem, std::vector<int> const& members, int root, std::size_t level) {
  auto const all = places_by_group(problem, members, level);
  int const lanes = lanes_among(problem, all);
  std::vector<Group> groups;
  for (auto const& places : all) {
    Group group{places, std::vector<int>(at(lanes)), std::vector<int>(places.size(), -1)};
    std::iota(group.lanes.begin(), group.lanes.end(), 0);
    auto const found = std::find(places.begin(), places.end(), root);
    if (has_root(problem.collective) && found != places.end() && found - places.begin() >= lanes) {
      group.lanes.back() = static_cast<int>(found - places.begin());
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

int lanes_of(std::vector<Group> const& groups) { return static_cast<int>(groups.front().lanes.size()); }

std::size_t largest(std::vector<Group> const& groups) {
  std::size_t size = 0;
  for (Group const& group : groups) size = std::max(size, group.places.size());
  return size;
}

/// The number of the group that has this place.
int group_with(std::vector<Group> const& groups, int place) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    auto const& places = groups[g].places;
    if (std::find(places.begin(), places.end(), place) != places.end()) return static_cast<int>(g);
  }
  throw ContractViolation("a place in a group");
}

/// The places that a lane serves.
std::vector<int> served_by(Group const& group, int lane) {
  std::vector<int> places;
  for (std::size_t i = 0; i < group.places.size(); ++i) {
    if (group.served[i] == lane) places.push_back(group.places[i]);
  }
  return places;
}

std::vector<int> served_by(std::vector<Group> const& groups, int lane) {
  std::vector<int> places;
  for (Group const& group : groups) {
    std::vector<int> const more = served_by(group, lane);
    places.insert(places.end(), more.begin(), more.end());
  }
  return places;
}

}  // namespace rondo::problem
