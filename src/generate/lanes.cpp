// Makes the lanes of the isomorphic algorithms. Tries the kinds of schedules for their rounds, and takes the shortest
// one. Builds the tree of a block by inserting the route to each neighbor; routes share their first hops. Rounds of
// the tree come from the lanes.

#include "generate/lanes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "decomposition/routes.hpp"
#include "generate/lane_search.hpp"

namespace rondo::generate {
namespace {

/// The vector with `steps` in one dimension and 0 in the others.
std::vector<int> along(int dimensions, int dimension, int steps) {
  std::vector<int> step(static_cast<std::size_t>(dimensions), 0);
  step[at(dimension)] = steps;
  return step;
}

}  // namespace

void expect_problem(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> dimension_order) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  std::sort(dimension_order.begin(), dimension_order.end());
  expects(dimension_order == given_dimension_order(torus.dimensions()), "a permutation of the dimensions");
}

void Lanes::add(std::vector<int> step, std::vector<Lane::Use> uses) {
  if (uses.empty() || torus.is_self(step)) return;
  lanes.push_back({std::move(step), std::move(uses), links++});
}

void Waiting::add(int link, int item) {
  std::vector<int>& items = items_[at(link)];
  if (!items.empty() && item < items.back()) sorted_[at(link)] = false;
  items.push_back(item);
}

/// The blocks that wait for a link, ascending; afterwards none waits.
std::vector<int> Waiting::take(int link) {
  std::vector<int> items = std::exchange(items_[at(link)], {});
  if (!sorted_[at(link)]) std::sort(items.begin(), items.end());
  sorted_[at(link)] = true;
  return items;
}

/// One lane for each neighbor: its block goes there in one hop.
Lanes straightforward_lanes(Torus const& torus, Neighborhood const& neighborhood) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  Lanes result{torus, neighborhood.size(), {}};
  for (int i = 0; i < neighborhood.size(); ++i) result.add({neighborhood[i].begin(), neighborhood[i].end()}, {{i, 1}});
  return result;
}

/// One lane for each dimension and direction, with hops to the next rank.
Lanes unit_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  expect_problem(torus, neighborhood, dimension_order);
  Lanes result{torus, neighborhood.size(), {}};
  for (int const j : dimension_order) {
    for (int const sign : {+1, -1}) {
      std::vector<Lane::Use> uses;
      for (int i = 0; i < neighborhood.size(); ++i) {
        int const hops = sign * neighborhood[i][at(j)];
        if (hops > 0) uses.push_back({i, hops});
      }
      result.add(along(torus.dimensions(), j, sign), std::move(uses));
    }
  }
  return result;
}

/// One lane for each dimension and coordinate: one hop is as long as the coordinate.
Lanes direct_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  expect_problem(torus, neighborhood, dimension_order);
  Lanes result{torus, neighborhood.size(), {}};
  for (int const j : dimension_order) {
    std::map<int, std::vector<Lane::Use>> uses;
    for (int i = 0; i < neighborhood.size(); ++i) {
      int const coordinate = neighborhood[i][at(j)];
      if (coordinate != 0) uses[coordinate].push_back({i, 1});
    }
    for (auto& [coordinate, users] : uses) result.add(along(torus.dimensions(), j, coordinate), std::move(users));
  }
  return result;
}

/// One lane for each step of a decomposition; equal steps may share one.
Lanes step_lanes(Torus const& torus, Decomposition const& decomposition, EqualSteps equal) {
  Lanes result{torus, static_cast<int>(decomposition.uses.size()), {}};
  std::vector<std::vector<Lane::Use>> uses(decomposition.steps.size());
  for (int i = 0; i < result.neighbors; ++i) {
    for (int const u : decomposition.uses[at(i)]) uses.at(at(u)).push_back({i, 1});
  }
  for (std::size_t u = 0; u < uses.size(); ++u) result.add(decomposition.steps[u], std::move(uses[u]));
  if (equal == EqualSteps::apart) return result;
  std::map<std::vector<int>, int> links;
  for (Lane& lane : result.lanes)
    lane.link = links.try_emplace(lane.step, static_cast<int>(links.size())).first->second;
  result.links = static_cast<int>(links.size());
  return result;
}

/// The number of a step, or of its opposite; both are noted together, since a send in one direction is a receive from
/// the other.
std::int32_t Offsets::index(std::vector<int> const& step, int sign) {
  auto const before = [](auto const& entry, std::vector<int> const& key) { return entry.first < key; };
  auto place = std::lower_bound(known_.begin(), known_.end(), step, before);
  if (place == known_.end() || place->first != step) {
    auto const first = static_cast<std::int32_t>(known_.size());
    std::vector<int> back(step.size());
    std::transform(step.begin(), step.end(), back.begin(), std::negate<>());
    expects(back != step, "a step that leads somewhere");
    all_.insert(all_.end(), step.begin(), step.end());
    all_.insert(all_.end(), back.begin(), back.end());
    known_.insert(place, {step, first});
    known_.insert(std::lower_bound(known_.begin(), known_.end(), back, before), {back, first + 1});
    place = std::lower_bound(known_.begin(), known_.end(), step, before);
  }
  // Steps are entered in pairs, so the way back has the neighboring index.
  return sign > 0 ? place->second : place->second ^ 1;
}

/// The schedule of one program for all ranks.
Schedule isomorphic(Torus const& torus, Offsets offsets, Promises promises, ProgramBuilder builder) {
  Schedule schedule;
  schedule.ranks = torus.size();
  schedule.torus = torus;
  schedule.offsets = std::move(offsets).take();
  schedule.promises = promises;
  schedule.programs.push_back(std::move(builder).finish());
  return schedule;
}

/// A slot for each neighbor in each buffer that is used.
Layout alltoall_layout(int neighbors, BlockSizes const& sizes, bool intermediate) {
  expects(sizes.each.empty() || sizes.each.size() == static_cast<std::size_t>(neighbors), "one size a neighbor");
  Layout layout{sizes.block, {}};
  for (Buffer const buffer : {Buffer::send, Buffer::receive, Buffer::intermediate}) {
    if (buffer == Buffer::intermediate && !intermediate) continue;
    layout[buffer] = {static_cast<std::uint32_t>(neighbors), sizes.each};
  }
  return layout;
}

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

BlockTree::BlockTree(Lanes const& lanes, int ports) : at_(at(lanes.neighbors), 0), nodes_(1), received_(1) {
  for (std::size_t l = 0; l < lanes.lanes.size(); ++l) pass(lanes.lanes[l], static_cast<int>(l));
  set_rounds(lanes, ports);
}

/// Adds the nodes of one lane. Neighbors at the same node share their hops: the block of a neighbor with `hops` hops
/// ends at the hops-th node of the branch.
void BlockTree::pass(Lane const& lane, int number) {
  longest_.resize(nodes_.size(), 0);
  first_.resize(nodes_.size());
  std::vector<int> branching;
  for (Lane::Use const& use : lane.uses) {
    int& longest = longest_[at(at_[at(use.neighbor)])];
    if (longest == 0) branching.push_back(at_[at(use.neighbor)]);
    longest = std::max(longest, use.hops);
  }
  for (int const node : branching) {
    int const first = first_[at(node)] = static_cast<int>(nodes_.size());
    for (int h = 0; h < longest_[at(node)]; ++h) nodes_.push_back({h == 0 ? node : first + h - 1, number, 0});
  }
  for (Lane::Use const& use : lane.uses) {
    int& node = at_[at(use.neighbor)];
    node = first_[at(node)] + use.hops - 1;
  }
  for (int const node : branching) longest_[at(node)] = 0;
}

/// A node is received in the first round after its parent's round in which its link is used.
void BlockTree::set_rounds(Lanes const& lanes, int ports) {
  std::vector<std::size_t> first_child(nodes_.size() + 1, 0);
  for (std::size_t n = 1; n < nodes_.size(); ++n) ++first_child[at(nodes_[n].parent) + 1];
  for (std::size_t n = 0; n < nodes_.size(); ++n) first_child[n + 1] += first_child[n];
  std::vector<int> children(nodes_.size() - 1);
  std::vector<std::size_t> free = first_child;
  for (std::size_t n = 1; n < nodes_.size(); ++n) children[free[at(nodes_[n].parent)]++] = static_cast<int>(n);

  Waiting waiting(lanes.links);
  auto const leave = [&](int node) {
    for (std::size_t k = first_child[at(node)]; k < first_child[at(node) + 1]; ++k) {
      waiting.add(lanes.lanes[at(nodes_[at(children[k])].lane)].link, children[k]);
    }
  };
  leave(0);
  std::size_t arrived = 1;
  for (std::vector<int> const& links : lane_rounds(lanes, ports)) {
    std::vector<int> received;
    for (int const link : links) {
      std::vector<int> const moving = waiting.take(link);
      received.insert(received.end(), moving.begin(), moving.end());
    }
    if (received.empty()) continue;
    for (int const node : received) {
      nodes_[at(node)].round = static_cast<int>(received_.size());
      leave(node);
    }
    arrived += received.size();
    received_.push_back(std::move(received));
  }
  expects(arrived == nodes_.size(), "rounds in which all blocks arrive");
}

}  // namespace rondo::generate
