// The loop of Algorithm 1 runs over all ranks at once. Messages of the setup are counted, since the paper's algorithm
// is distributed. Algorithm 2 works in rounds: each active rank offers itself to its heaviest friend, and ranks that
// choose each other pair.

#include "generate/common_neighbors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "generate/common_neighbors_friends.hpp"

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

namespace {

/// Algorithm 2 for all ranks together. The set F of a rank contains its active friends, except those that it has
/// removed ("struck"). A rank only strikes a friend that it had chosen as the largest of F. (A choice of line 11 always
/// leads to a pair, so it is never struck.) Therefore F is the set of active friends whose key is below that of the
/// last struck one.
class PairingRun {
 public:
  /// Ranks without friends take no part.
  PairingRun(FriendTable const& friends, FriendTie tie, Suitors suitors)
      : friends_(friends), tie_(tie), suitors_(suitors), states_(at(friends.ranks())), strikers_(states_.size()) {
    matching_.partner.assign(states_.size(), Matching::unpaired);
    for (std::int32_t r = 0; r < friends_.ranks(); ++r) {
      states_[at(r)].active_friends = static_cast<std::int64_t>(friends_.of(r).size());
      if (!friends_.of(r).empty()) active_.push_back(r);
    }
    for (std::int32_t const r : active_) states_[at(r)].active = true;
  }

  Matching run() && {
    // In each round before the last, some rank pairs, becomes terminal or strikes a friend. A rank that does none of
    // these waits for a higher active rank, and the highest active rank cannot. So the loop ends.
    std::int64_t const bound = friends_.count() + static_cast<std::int64_t>(states_.size());
    while (!active_.empty()) {
      expects(matching_.rounds++ < bound, "friends pair within one round for each friendship and rank");
      choose();
      notify();
      pair();
    }
    return std::move(matching_);
  }

 private:
  using Key = std::uint64_t;
  static constexpr Key none = 0;
  static constexpr Key unlimited = ~Key{0};

  /// What a rank knows in the current round; p' is the name of the paper for a choice.
  struct State {
    bool active = false;
    Key choice = none;      ///< p', in this round
    Key offer = none;       ///< the heaviest suitor that counts: a lower rank that chose this one in the previous round
    Key below = unlimited;  ///< the key of the friend that was struck last
    std::int64_t active_friends = 0;
    std::int64_t struck_and_active = 0;
  };

  /// The preference of a rank among its friends, as a number. Friends have at least theta > 0 common neighbors, so the
  /// key of a friend is never `none`.
  Key key(Friend const& candidate) const {
    auto const rank = static_cast<std::uint32_t>(candidate.rank);
    return (static_cast<Key>(candidate.common) << 32) | (tie_ == FriendTie::highest ? rank : ~rank);
  }
  std::int32_t rank_of(Key key) const {
    auto const low = static_cast<std::uint32_t>(key);
    return static_cast<std::int32_t>(tie_ == FriendTie::highest ? low : ~low);
  }

  /// The friend in F that the rank prefers.
  Key best(std::int32_t r) const {
    Key const below = states_[at(r)].below;
    Key largest = none;
    for (Friend const& candidate : friends_.of(r)) {
      Key const preference = key(candidate);
      if (preference > largest && preference < below && states_[at(candidate.rank)].active) largest = preference;
    }
    return largest;
  }

  /// Lines 5 to 22. A rank keeps its choice as long as that is active and higher. Else it accepts an offer, or strikes
  /// its old choice and chooses again.
  void choose() {
    if (matching_.rounds == 1) {
      for (std::int32_t const r : active_) states_[at(r)].choice = best(r);
      return;
    }
    collect_offers();
    for (std::int32_t const r : active_) {
      State& state = states_[at(r)];
      std::int32_t const old = rank_of(state.choice);
      if (states_[at(old)].active && r < old) continue;
      if (state.offer != none) {
        state.choice = state.offer;
        continue;
      }
      strike(r, old);
      state.choice = best(r);  // if this is `none`, the rank is terminal
    }
  }

  /// Notes at each rank the best offer of a suitor that counts.
  void collect_offers() {
    for (std::int32_t const r : active_) states_[at(r)].offer = none;
    for (std::int32_t const r : active_) {
      std::int32_t const chosen = rank_of(states_[at(r)].choice);
      State& other = states_[at(chosen)];
      auto const common = static_cast<std::uint32_t>(states_[at(r)].choice >> 32);
      Key const offer = key({common, r});
      bool const counts = suitors_ == Suitors::active || offer < other.below;
      if (r < chosen && counts) other.offer = std::max(other.offer, offer);
    }
  }

  /// Takes the friend out of those among which rank r chooses the heaviest. The friend may still offer itself to r.
  void strike(std::int32_t r, std::int32_t friend_rank) {
    State& state = states_[at(r)];
    state.below = state.choice;
    if (!states_[at(friend_rank)].active) return;
    ++state.struck_and_active;
    strikers_[at(friend_rank)].push_back(r);
  }

  /// Counts the messages of lines 23 and 27.
  void notify() {
    for (std::int32_t const r : active_) {
      State const& state = states_[at(r)];
      matching_.messages += 2 * state.active_friends;
      matching_.messages_printed += 2 * (state.active_friends - state.struck_and_active);
    }
  }

  /// Ranks that chose each other pair; ranks without a choice are terminal. Both leave.
  void pair() {
    std::vector<std::int32_t> leaving;
    for (std::int32_t const r : active_) {
      Key const choice = states_[at(r)].choice;
      bool const terminal = choice == none;
      bool const mutual = !terminal && chooses(rank_of(choice), r);
      if (mutual) matching_.partner[at(r)] = rank_of(choice);
      if (mutual || terminal) leaving.push_back(r);
    }
    for (std::int32_t const r : leaving) leave(r);
    std::erase_if(active_, [&](std::int32_t r) { return !states_[at(r)].active; });
  }

  bool chooses(std::int32_t r, std::int32_t other) const {
    Key const choice = states_[at(r)].choice;
    return choice != none && rank_of(choice) == other;
  }

  void leave(std::int32_t r) {
    states_[at(r)].active = false;
    for (Friend const& other : friends_.of(r)) --states_[at(other.rank)].active_friends;
    for (std::int32_t const striker : strikers_[at(r)]) --states_[at(striker)].struck_and_active;
  }

  FriendTable const& friends_;
  FriendTie tie_;
  Suitors suitors_;
  std::vector<State> states_;
  std::vector<std::vector<std::int32_t>> strikers_;  ///< for each rank, the ranks that struck it while it was active
  std::vector<std::int32_t> active_;                 ///< ascending
  Matching matching_;
};

}  // namespace

Matching pair_friends(FriendTable const& friends, FriendTie tie, Suitors suitors) {
  return PairingRun(friends, tie, suitors).run();
}

}  // namespace rondo::generate
