#pragma once

// Which lanes all ranks use in which round, for this folder alone.
//
// Each block has a way: links in a fixed order, one a hop. A round takes up to k links, and every block that waits for
// one of them takes a hop. So k sets a round have to be found that contain every way as a subsequence, in few rounds.
// On one port the lanes follow each other, each until its last block has passed, which is least. On k ports there are
// two sorts of schedules:
//
// - Groups: k' <= k lanes are used at the same time until no block waits for one of them, then the next k'.
// - Searched ones (lane_search.hpp), if no number of groups is as few as a lower bound.
//
// What k ports can do, k + 1 can do too. So the schedules of all k' <= k are looked at, and rounds never rise with k.

#include <vector>

#include "generate/lanes.hpp"

namespace rondo::generate {

/// By round: the links in use, ascending. Some of them may serve nobody.
using LaneRounds = std::vector<std::vector<int>>;

/// On `ports` ports, 0 for unlimited ones. Up to 8 neighbors the rounds are the fewest of all in which every block
/// takes its links in their order, unless the search would need more than `most_search_work` (lane_search.hpp).
LaneRounds lane_rounds(Lanes const& lanes, int ports);

}  // namespace rondo::generate
