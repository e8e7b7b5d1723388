#pragma once

// The groups of a level of a hierarchy and their lanes. Only the composition in this folder uses them.

#include <cstddef>
#include <vector>

#include "problem/classical.hpp"

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

}  // namespace rondo::problem
