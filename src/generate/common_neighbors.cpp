// The loop of the algorithm over all ranks at once (common_neighbors.hpp). Messages of the setup are counted, since the
// paper's algorithm is distributed.

#include "generate/common_neighbors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/index.hpp"
#include "generate/common_neighbors_friends.hpp"
#include "generate/common_neighbors_pairing.hpp"

namespace rondo::generate {
namespace {

using List = ActiveEdges::RankList;

std::vector<Rank> ranks_of(List::const_iterator first, List::const_iterator last) {
  std::vector<Rank> ranks;
  std::transform(first, last, std::back_inserter(ranks), [](std::int32_t rank) { return Rank(rank); });
  return ranks;
}

bool is_target(ProcessGraph const& graph, Rank source, Rank target) {
  auto const targets = graph.targets(source);
  return std::any_of(targets.begin(), targets.end(), [&](Neighbor const& each) { return each.rank == target; });
}

/// Algorithm 1 of [Mirsadeghi17], for all ranks at once.
class CombiningRun {
 public:
  CombiningRun(ProcessGraph const& graph, CommonNeighbors const& options)
      : graph_(graph),
        options_(options),
        active_(graph),
        friends_(active_, options.theta),
        sends_(static_cast<std::size_t>(graph.ranks()), 0) {
    pattern_.combining = options.combining;
    pattern_.friends = friends_.count() / 2;
    pattern_.setup.build = active_.count();
    for (std::int32_t r = 0; r < graph.ranks(); ++r) {
      pattern_.most_friends = std::max(pattern_.most_friends, static_cast<int>(friends_.of(r).size()));
      if (friends_.of(r).empty())
        notify_targets(r);
      else
        in_loop_.push_back(r);
    }
  }

  CombiningPattern run() && {
    // Every pair ends at least theta active edges, at one of its ranks or at both. So the loop ends.
    std::int64_t const bound = active_.count() / options_.theta;
    while (!in_loop_.empty()) {
      expects(static_cast<std::int64_t>(pattern_.iterations.size()) < bound, "each iteration ends theta edges");
      iterate();
    }
    for (std::int32_t r = 0; r < graph_.ranks(); ++r) sends_[at(r)] += static_cast<int>(active_.targets(r).size());
    pattern_.messages = std::accumulate(sends_.begin(), sends_.end(), std::int64_t{0});
    pattern_.max_sends = sends_.empty() ? 0 : *std::max_element(sends_.begin(), sends_.end());
    return std::move(pattern_);
  }

 private:
  /// One iteration: friends are paired, and the pairs divide their common neighbors, which are then no longer active.
  void iterate() {
    Matching const matching = pair_friends(friends_, options_.tie, options_.suitors);
    pattern_.setup.pairing += matching.messages;
    pattern_.setup.pairing_printed += matching.messages_printed;
    Iteration& iteration = pattern_.iterations.emplace_back();
    iteration.pairing_rounds = matching.rounds;
    std::vector<List> removed(static_cast<std::size_t>(graph_.ranks()));
    for (std::int32_t const r : in_loop_) {
      notify_targets(r);
      if (r < matching.partner[at(r)]) iteration.pairs.push_back(combine(r, matching.partner[at(r)], removed));
    }
    active_.remove(removed);
    count_updates();
    friends_.update(active_, removed);
    leave_loop();
  }

  /// Lines 8 to 18, for both ranks of a pair.
  Pair combine(std::int32_t low, std::int32_t high, std::vector<List>& removed) {
    List const common = active_.common_targets(low, high);
    auto const size = static_cast<std::ptrdiff_t>(common.size());
    auto const middle = common.begin() + (options_.half == Half::floor ? size / 2 : size - size / 2);
    Pair pair{Rank(low), Rank(high), ranks_of(common.begin(), middle), ranks_of(middle, common.end())};
    count_exchange(pair.low, pair.high);
    count_exchange(pair.high, pair.low);
    if (options_.combining == Combining::single) {
      removed[at(low)] = removed[at(high)] = common;
      sends_[at(low)] += static_cast<int>(pair.low_onloads.size());
      sends_[at(high)] += static_cast<int>(pair.high_onloads.size());
    } else {
      removed[at(low)].assign(middle, common.end());
      removed[at(high)].assign(common.begin(), middle);
    }
    return pair;
  }

  /// A friend exchange is savable if an edge between the two ranks already carries the same block.
  void count_exchange(Rank from, Rank to) {
    ++sends_[at(from.value)];
    pattern_.savable_messages += is_target(graph_, from, to) ? 1 : 0;
  }

  /// Counts the messages by which a rank tells its active targets about its state.
  void notify_targets(std::int32_t r) { pattern_.setup.notify += static_cast<std::int64_t>(active_.targets(r).size()); }

  /// Counts an update for each rank in the loop and each of its active targets, and separately those whose target has
  /// left the loop.
  void count_updates() {
    std::vector<bool> looping(static_cast<std::size_t>(graph_.ranks()), false);
    for (std::int32_t const r : in_loop_) looping[at(r)] = true;
    for (std::int32_t const r : in_loop_) {
      for (std::int32_t const target : active_.targets(r)) {
        ++pattern_.setup.update;
        pattern_.setup.update_by_done += looping[at(target)] ? 0 : 1;
      }
    }
  }

  /// Ranks without friends leave the loop, and tell their targets.
  void leave_loop() {
    std::erase_if(in_loop_, [&](std::int32_t r) {
      if (!friends_.of(r).empty()) return false;
      notify_targets(r);
      return true;
    });
  }

  ProcessGraph const& graph_;
  CommonNeighbors options_;
  ActiveEdges active_;
  FriendTable friends_;
  std::vector<int> sends_;
  std::vector<std::int32_t> in_loop_;  ///< the ranks that have friends, ascending
  CombiningPattern pattern_;
};

}  // namespace

/// The pattern with fewer messages: `cumulative` may be worse than `single`, and then `single` is used.
CombiningPattern common_neighbors(ProcessGraph const& graph, CommonNeighbors const& options) {
  if (options.theta < 2) throw InputError(fmt::format("theta must be an integer from 2, got {}", options.theta));
  CombiningPattern pattern = CombiningRun(graph, options).run();
  if (options.combining == Combining::single) return pattern;
  CommonNeighbors single_options = options;
  single_options.combining = Combining::single;
  CombiningPattern single = CombiningRun(graph, single_options).run();
  return single.messages < pattern.messages ? single : pattern;
}

}  // namespace rondo::generate
