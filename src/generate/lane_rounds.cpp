// Tries the kinds of schedules of lane_rounds.hpp, and takes the shortest one.

#include "generate/lane_rounds.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "generate/lane_search.hpp"

namespace rondo::generate {
namespace {

/// On one port: each lane has as many rounds as its longest use has hops.
LaneRounds one_after_the_other(Lanes const& lanes) {
  LaneRounds rounds;
  for (Lane const& lane : lanes.lanes) {
    int hops = 0;
    for (Lane::Use const& use : lane.uses) hops = std::max(hops, use.hops);
    rounds.insert(rounds.end(), at(hops), {lane.link});
  }
  return rounds;
}

/// The links that the block for each neighbor takes, one for each hop.
std::vector<LinkSequence> sequences_of(Lanes const& lanes) {
  std::vector<LinkSequence> sequences(at(lanes.neighbors));
  for (Lane const& lane : lanes.lanes) {
    for (Lane::Use const& use : lane.uses)
      sequences[at(use.neighbor)].insert(sequences[at(use.neighbor)].end(), at(use.hops), lane.link);
  }
  return sequences;
}

/// Uses lanes in groups of `size`, each group until no block waits for one of its links.
LaneRounds in_groups(Lanes const& lanes, std::vector<LinkSequence> const& sequences, int size) {
  Waiting waiting(lanes.links);
  std::vector<std::size_t> taken(sequences.size(), 0);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (!sequences[i].empty()) waiting.add(sequences[i].front(), static_cast<int>(i));
  }
  LaneRounds rounds;
  for (std::size_t first = 0; first < lanes.lanes.size(); first += at(size)) {
    std::vector<int> links;
    for (std::size_t l = first; l < std::min(first + at(size), lanes.lanes.size()); ++l)
      links.push_back(lanes.lanes[l].link);
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (;;) {
      std::vector<int> moving;
      for (int const link : links) {
        std::vector<int> const items = waiting.take(link);
        moving.insert(moving.end(), items.begin(), items.end());
      }
      if (moving.empty()) break;
      for (int const i : moving) {
        if (++taken[at(i)] < sequences[at(i)].size()) waiting.add(sequences[at(i)][taken[at(i)]], i);
      }
      rounds.push_back(links);
    }
  }
  return rounds;
}

}  // namespace

/// Groups come first, because they are cheap. If none of them reaches the lower bound, searches try to beat the best
/// one.
LaneRounds lane_rounds(Lanes const& lanes, int ports) {
  if (ports == 1 || lanes.links <= 1) return one_after_the_other(lanes);
  int const most = ports == 0 ? lanes.links : std::min(ports, lanes.links);
  std::vector<LinkSequence> sequences = sequences_of(lanes);
  int const bound = fewest_lane_rounds(sequences, lanes.links, most);
  LaneRounds best = in_groups(lanes, sequences, most);
  auto const improve = [&](LaneRounds other) {
    if (other.size() < best.size()) best = std::move(other);
  };
  for (int k = most - 1; k >= 1 && std::ssize(best) > bound; --k) {
    improve(k > 1 ? in_groups(lanes, sequences, k) : one_after_the_other(lanes));
  }
  if (std::ssize(best) == bound) return best;
  sequences = longest_sequences(std::move(sequences));
  for (int k = most; k > 1; --k) {
    bool all_complete = true;
    for (int rounds = fewest_lane_rounds(sequences, lanes.links, k); rounds < std::ssize(best); ++rounds) {
      LaneSearch search = search_lanes(sequences, lanes.links, k, rounds);
      if (search.found) {
        best = std::move(*search.found);
        break;
      }
      all_complete &= search.complete;
    }
    if (all_complete) break;  // with fewer ports there are no fewer
  }
  return best;
}

}  // namespace rondo::generate
