#pragma once

// The search for the rounds of lanes on k ports, for lanes.cpp alone.

#include <cstdint>
#include <optional>
#include <vector>

namespace rondo::generate {

/// The links that a block takes, one for each hop.
using LinkSequence = std::vector<int>;

/// The limit of the work for one number of rounds, in roughly elementary operations.
inline constexpr std::int64_t most_search_work = 40'000'000;

/// Searches for sets of at most `ports` links, one for each round, that serve all sequences in `rounds` rounds. It goes
/// forward layer by layer over what the sequences have left. States that violate a lower bound are dropped: in the
/// first b of r rounds each sequence must take all but its last r - b hops, and in the last b rounds all but its first
/// r - b hops; the links of these hops must fit into b rounds.
struct LaneSearch {
  std::optional<std::vector<std::vector<int>>> found;  ///< by round: links, ascending
  bool complete = true;  ///< if nothing was found, there is nothing; false: states were dropped to limit the work
};
/// Searches at most `rounds` rounds. Its work is limited by a count of steps, so that every run finds the same.
LaneSearch search_lanes(std::vector<LinkSequence> const& sequences, int links, int ports, int rounds);

/// The sequences without those that are subsequences of other sequences, because these are served along with them.
std::vector<LinkSequence> longest_sequences(std::vector<LinkSequence> sequences);

/// A lower bound of the number of rounds: the length of the longest sequence, and the sum over all links of the most
/// uses by one sequence, divided by the ports.
int fewest_lane_rounds(std::vector<LinkSequence> const& sequences, int links, int ports);

}  // namespace rondo::generate
