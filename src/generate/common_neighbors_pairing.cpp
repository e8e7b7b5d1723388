// Algorithm 2 of [Mirsadeghi17] in rounds: each active rank offers itself to its heaviest friend, and ranks that choose
// each other pair.

#include "generate/common_neighbors_pairing.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/index.hpp"

namespace rondo::generate {
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
