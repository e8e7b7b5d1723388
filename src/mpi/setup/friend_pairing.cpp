// Each round sends a choice to every active friend, and then a state.

#include "mpi/setup/friend_pairing.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace rondo::mpi {
namespace {

constexpr int nobody = -1;
/// What a rank tells its friends.
enum State : int { searching, paired, terminal };

/// What this rank knows about a friend.
struct Candidate {
  Friend who;
  bool active = true;   ///< neither paired nor terminal
  bool struck = false;  ///< no longer in F. It may still be active, so the two go on exchanging messages
  int choice = nobody;  ///< the friend's choice in the round before
};

/// Algorithm 2 as one rank carries it out.
class FriendPairing {
 public:
  FriendPairing(ShortMessages& messages, Rank self, std::vector<Friend> const& friends,
                problem::CommonNeighbors const& options)
      : messages_(messages), self_(self), tie_(options.tie), suitors_(options.suitors) {
    for (Friend const& each : friends) candidates_.push_back({each});
  }

  /// Ends when the rank is paired or terminal.
  Pairing run(std::int64_t most_rounds) && {
    State state = searching;
    while (state == searching) {
      // In each round but the last some rank pairs, becomes terminal or strikes a friend. A rank that does none of
      // this waits for a higher active rank, which the highest active rank cannot do.
      expects(result_.rounds++ < most_rounds, "friends to pair within one round for each friendship and rank");
      choose();
      state = announce();
    }
    if (state == paired) result_.partner = choice_->who.rank;
    return result_;
  }

 private:
  /// Lines 3 to 22: chooses a friend.
  void choose() {
    if (result_.rounds == 1) {
      choice_ = best_of_f();
      return;
    }
    if (choice_->active && self_ < choice_->who.rank) return;
    Candidate* const suitor = heaviest([&](Candidate const& each) {
      bool const counts = suitors_ == problem::Suitors::active || !each.struck;
      return counts && each.who.rank < self_ && each.choice == self_.value;
    });
    if (suitor != nullptr) {
      choice_ = suitor;
      return;
    }
    choice_->struck = true;
    choice_ = best_of_f();
  }

  Candidate* best_of_f() {
    return heaviest([](Candidate const& each) { return !each.struck; });
  }
  /// The preferred one of the active candidates for which `counts` holds, or null.
  template <typename Counts>
  Candidate* heaviest(Counts counts) {
    Candidate* best = nullptr;
    for (Candidate& each : candidates_) {
      if (each.active && counts(each) && (best == nullptr || preferred(each, *best))) best = &each;
    }
    return best;
  }
  bool preferred(Candidate const& a, Candidate const& b) const {
    if (a.who.common != b.who.common) return a.who.common > b.who.common;
    return tie_ == problem::FriendTie::highest ? b.who.rank < a.who.rank : a.who.rank < b.who.rank;
  }

  /// Lines 23 to 28: tells the friends the choice, hears theirs, and returns the new state.
  State announce() {
    exchange(choice_tag, choice_ == nullptr ? nobody : choice_->who.rank.value,
             [](Candidate& from, int choice) { from.choice = choice; });
    State state = searching;
    if (choice_ == nullptr) {
      state = terminal;
    } else if (choice_->choice == self_.value) {
      state = paired;
    }
    exchange(state_tag, state, [](Candidate& from, int heard_state) { from.active = heard_state == searching; });
    return state;
  }

  /// Tells all active friends a number, and hears theirs.
  template <typename Hear>
  void exchange(int tag, int number, Hear hear) {
    std::array<int, 1> const content{number};
    std::size_t heard = 0;
    for (Candidate const& each : candidates_) {
      if (!each.active) continue;
      messages_.post(each.who.rank, tag, content);
      ++heard;
      if (!each.struck) ++result_.messages_printed;
    }
    result_.messages += static_cast<std::int64_t>(heard);
    for (ShortMessage const& message : messages_.collect(heard, tag, 1))
      hear(candidate(message.from), message.content[0]);
    messages_.sent();
  }

  /// The friend of this rank, by binary search.
  Candidate& candidate(Rank rank) {
    auto const found = std::lower_bound(candidates_.begin(), candidates_.end(), rank,
                                        [](Candidate const& each, Rank sought) { return each.who.rank < sought; });
    expects(found != candidates_.end() && found->who.rank == rank && found->active, "an active friend to be heard");
    return *found;
  }

  ShortMessages& messages_;
  Rank self_;
  problem::FriendTie tie_;
  problem::Suitors suitors_;
  std::vector<Candidate> candidates_;  ///< by rank
  Candidate* choice_ = nullptr;        ///< p' of the paper; null without a choice
  Pairing result_;
};

}  // namespace

Pairing pair_with_a_friend(ShortMessages& messages, Rank self, int ranks, std::vector<Friend> const& friends,
                           problem::CommonNeighbors const& options) {
  return FriendPairing(messages, self, friends, options).run(std::int64_t{ranks} * ranks);
}

}  // namespace rondo::mpi
