#pragma once

// The search for the rounds of lanes on k ports, for this folder alone.

#include <cstdint>
#include <optional>
#include <vector>

namespace rondo::generate {

/// The links that a block takes, one a hop.
using Way = std::vector<int>;

/// What is spent on one number of rounds: about as many elementary operations.
inline constexpr std::int64_t most_search_work = 40'000'000;

/// Looks for sets of at most `ports` links, one a round, that serve all ways in `rounds` rounds: from the first round
/// on layer by layer, over what the ways have left. A state that breaks a lower bound is left out: in the first b of r
/// rounds each way has to take all but its last r - b hops, and in the last b all but its first r - b; the links of
/// these hops must fit b rounds.
struct LaneSearch {
  std::optional<std::vector<std::vector<int>>> found;  ///< by round: links, ascending
  bool complete = true;  ///< nothing found means that there is nothing; false: states were left out for want of time
};
LaneSearch search_lanes(std::vector<Way> const& ways, int links, int ports, int rounds);

/// The ways without those that are subsequences of others, which are served along with them.
std::vector<Way> longest_ways(std::vector<Way> ways);

/// No schedule takes fewer rounds: the longest way, and the most that a way needs of each link, together over the
/// ports.
int fewest_lane_rounds(std::vector<Way> const& ways, int links, int ports);

}  // namespace rondo::generate
