#pragma once

// The fewest rounds of any schedule at all, by a SAT solver: what lower bounds may claim at most, and schedules reach
// at best.

#include <vector>

#include "topology/torus.hpp"

namespace rondo::fewest_rounds {

struct Problem {
  int ranks = 0;
  std::vector<std::vector<int>> links;    ///< by rank: whom it may send to
  std::vector<std::vector<int>> targets;  ///< by rank: who has to get its block, or its blocks
};

/// Whether some schedule on one port serves the problem in so many rounds. A message carries all that its sender holds,
/// as more can only help; so an all-to-all and an allgather need the same rounds.
bool possible(Problem const& problem, int rounds);
/// The fewest, from `at_least` on.
int fewest(Problem const& problem, int at_least = 0);

/// Links between immediate neighbors of a torus, or between any two ranks.
std::vector<std::vector<int>> unit_links(Torus const& torus);
std::vector<std::vector<int>> any_links(int ranks);

}  // namespace rondo::fewest_rounds
