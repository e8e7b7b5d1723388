#pragma once

// The groups of a level of a hierarchy and their lanes; for the composition of this folder alone.

#include <cstddef>
#include <vector>

#include "problem/classical.hpp"

namespace rondo::problem {

/// A group of some members, by places among these.
struct Group {
  std::vector<int> places;
  std::vector<int> lanes;   ///< the places, among `places`, of those that talk to other groups
  std::vector<int> served;  ///< by place among `places`: the lane that serves it
};

/// By group, in the order of their lowest ranks, the ranks of which `group_of` says it.
std::vector<std::vector<int>> by_group(std::vector<int> const& group_of, int ranks);

/// The groups of a level of the problem's hierarchy among these members, of whom one is the root, by its place. Throws
/// HierarchyError where groups or lanes do not fit.
std::vector<Group> groups_of(Classical const& problem, std::vector<int> const& members, int root, std::size_t level);

int lanes_of(std::vector<Group> const& groups);
std::size_t largest(std::vector<Group> const& groups);
/// The number of the group that has the place.
int group_with(std::vector<Group> const& groups, int place);
/// The places, among all members, that a lane serves in a group, or in all groups.
std::vector<int> served_by(Group const& group, int lane);
std::vector<int> served_by(std::vector<Group> const& groups, int lane);

}  // namespace rondo::problem
