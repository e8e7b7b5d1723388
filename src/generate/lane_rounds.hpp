#pragma once

// Decides which lanes all ranks use in which round, for this folder alone.
//
// Each block has a sequence of links, one for each hop. A round uses up to k links, and every block that waits
// for one of them takes a hop. So a short sequence of sets of k links must be found that contains each of them as a
// subsequence. On one port the lanes follow one another, each until its last block has passed, which is optimal. On k
// ports there are two kinds of schedules:
//
// - Groups: k' <= k lanes are used at the same time until no block waits for one of them; then the next k' lanes.
// - Searched schedules (lane_search.hpp), if no groups reach a lower bound.
//
// A schedule for k ports is also one for k + 1 ports. So all k' <= k are tried, and the number of rounds never rises
// with k.

#include <vector>

#include "generate/lanes.hpp"

namespace rondo::generate {

/// By round: the links in use, in ascending order. A link may be listed although no block waits for it.
using LaneRounds = std::vector<std::vector<int>>;

/// The rounds on `ports` ports; 0 means unlimited. For up to 8 neighbors their number is the smallest of all schedules
/// in which every block takes its links in order, unless the search would need more than `most_search_work`
/// (lane_search.hpp).
LaneRounds lane_rounds(Lanes const& lanes, int ports);

}  // namespace rondo::generate
