#pragma once

// What an algorithm of given steps (basis, steiner) has to send, for tests to hold schedules against: each block is
// walked along its steps.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "decomposition/routes.hpp"
#include "theory/prediction.hpp"
#include "topology/torus.hpp"

namespace rondo::test {

/// Whether blocks that have taken the same steps are one.
enum class Walk : std::uint8_t { each_by_itself, same_steps_shared };

inline theory::Counts counts_of_steps(Torus const& torus, Decomposition const& d, Walk walk, int ports = 1) {
  std::set<int> used;
  for (auto const& uses : d.uses) used.insert(uses.begin(), uses.end());
  std::map<int, int> group_of;  // by step that leads to another rank: those of k ports at a time
  for (int const step : used) {
    if (torus.is_self(d.steps.at(static_cast<std::size_t>(step)))) continue;
    group_of.emplace(step, static_cast<int>(group_of.size()) / ports);
  }
  // The blocks of each message: round in its group, step; a block is known by its neighbor or by the steps taken.
  std::map<std::pair<int, int>, std::map<int, std::set<std::vector<int>>>> rounds;
  for (std::size_t i = 0; i < d.uses.size(); ++i) {
    std::vector<int> taken;
    std::map<int, int> hops;  // by group
    for (int const step : d.uses[i]) {
      if (!group_of.contains(step)) continue;
      taken.push_back(step);
      int const group = group_of.at(step);
      std::vector<int> const block = walk == Walk::same_steps_shared ? taken : std::vector{static_cast<int>(i)};
      rounds[{group, ++hops[group]}][step].insert(block);
    }
  }
  theory::Counts counts;
  counts.rounds = std::ssize(rounds);
  for (auto const& [round, messages] : rounds) {
    std::int64_t largest = 0;
    for (auto const& [step, blocks] : messages) {
      counts.volume_blocks += std::ssize(blocks);
      largest = std::max<std::int64_t>(largest, std::ssize(blocks));
    }
    counts.critical_blocks += largest;
  }
  return counts;
}

}  // namespace rondo::test
