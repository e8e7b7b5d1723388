// Trees of a fixed order of steps: the smallest one by dynamic programming, or a small one by working back from the
// targets.

#include "decomposition/steiner_tree.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "base/error.hpp"
#include "base/ids.hpp"

namespace rondo::steiner {
namespace {

Vector moved(Vector position, Step const& step, int times) {
  position[at(step.dimension)] += times * step.sign;
  return position;
}

/// How many steps there are in each dimension and direction, before a round or from it on.
struct Reach {
  Vector ahead, back;
  explicit Reach(std::size_t dimensions) : ahead(dimensions, 0), back(dimensions, 0) {}
  void add(Step const& step) { ++(step.sign > 0 ? ahead : back)[at(step.dimension)]; }
  /// Whether the steps lead from one place to the other.
  bool covers(Vector const& from, Vector const& to) const {
    for (std::size_t j = 0; j < from.size(); ++j) {
      int const way = to[j] - from[j];
      if (way > ahead[j] || -way > back[j]) return false;
    }
    return true;
  }
};

/// The exact search. A state is a block at a place before a round, with the targets for which it is there, as bits. The
/// block stays for some of them and moves for the others. From then on the two parts are independent, so their costs
/// are added.
class SmallestTree {
 public:
  /// Notes which distances the steps from each round on can cover.
  SmallestTree(std::vector<Step> const& steps, std::vector<Vector> const& targets)
      : steps_(steps), targets_(targets), left_(steps.size() + 1, Reach(targets.front().size())) {
    for (std::size_t t = steps.size(); t-- > 0;) {
      left_[t] = left_[t + 1];
      left_[t].add(steps[t]);
    }
    expects(targets.size() <= 20, "few targets");
  }

  /// The rounds in which the block takes a hop, for each target.
  Rounds run() {
    Rounds rounds(targets_.size());
    std::vector<int> moves;
    Vector const origin(targets_.front().size(), 0);
    unsigned const all = (1U << targets_.size()) - 1;
    best({0, origin, all});
    follow({0, origin, all}, moves, rounds);
    return rounds;
  }

 private:
  /// A place in a round, and the targets that are to be reached from there.
  struct State {
    int round;
    Vector place;
    unsigned wanted;
  };
  /// The fewest hops, and how they divide the targets.
  struct Best {
    int blocks = 0;
    unsigned moving = 0;  ///< the targets for which the block moves
  };

  /// Removes the targets at the place itself: a copy stays there at no cost.
  unsigned without_served(Vector const& place, unsigned wanted) const {
    for (std::size_t k = 0; k < targets_.size(); ++k) {
      if (targets_[k] == place) wanted &= ~(1U << k);
    }
    return wanted;
  }

  /// The targets that the remaining steps can reach, as a mask.
  unsigned reachable(Vector const& place, int round, unsigned wanted) const {
    unsigned result = 0;
    for (std::size_t k = 0; k < targets_.size(); ++k) {
      if (((wanted >> k) & 1U) != 0 && left_[at(round)].covers(place, targets_[k])) result |= 1U << k;
    }
    return result;
  }

  /// A unique number for each state: place and round in mixed radix, and then the targets.
  std::uint64_t key(State const& state) const {
    auto result = static_cast<std::uint64_t>(state.round);
    for (std::size_t j = 0; j < state.place.size(); ++j) {
      int const back = left_.front().back[j];
      result = result * static_cast<std::uint64_t>(left_.front().ahead[j] + back + 1) +
               static_cast<std::uint64_t>(state.place[j] + back);
    }
    return (result << targets_.size()) | state.wanted;
  }

  State stayed(State const& state, unsigned moving) const {
    return {state.round + 1, state.place, state.wanted & ~moving};
  }
  State went(State const& state, unsigned moving) const {
    return {state.round + 1, moved(state.place, steps_[at(state.round)], 1), moving};
  }

  /// Divides the targets between staying and moving in all ways. Results are stored.
  Best best(State state) {
    state.wanted = without_served(state.place, state.wanted);
    if (state.wanted == 0) return {};
    std::uint64_t const name = key(state);
    if (auto const known = known_.find(name); known != known_.end()) return known->second;
    Vector const ahead = moved(state.place, steps_[at(state.round)], 1);
    unsigned const may_stay = reachable(state.place, state.round + 1, state.wanted);
    unsigned const may_move = reachable(ahead, state.round + 1, state.wanted);
    unsigned const must_move = state.wanted & ~may_stay;
    unsigned const either = may_stay & may_move;
    Best result{std::numeric_limits<int>::max(), 0};
    for (unsigned part = either;; part = (part - 1) & either) {
      unsigned const moving = must_move | part;
      int const sent = moving == 0 ? 0 : 1 + best(went(state, moving)).blocks;
      int const all = sent + best(stayed(state, moving)).blocks;
      if (all < result.blocks) result = {all, moving};
      if (part == 0) break;
    }
    return known_[name] = result;
  }

  /// Follows the best choices and collects the rounds in which the block of each target moves.
  void follow(State state, std::vector<int>& moves, Rounds& rounds) {
    unsigned const left = without_served(state.place, state.wanted);
    for (std::size_t k = 0; k < targets_.size(); ++k) {
      if ((((state.wanted & ~left) >> k) & 1U) != 0) rounds[k] = moves;
    }
    state.wanted = left;
    if (left == 0) return;
    unsigned const moving = best(state).moving;
    follow(stayed(state, moving), moves, rounds);
    moves.push_back(state.round);
    follow(went(state, moving), moves, rounds);
    moves.pop_back();
  }

  std::vector<Step> const& steps_;
  std::vector<Vector> const& targets_;
  std::vector<Reach> left_;  ///< by round: the steps from this round on
  std::unordered_map<std::uint64_t, Best> known_;
};

/// The heuristic. It goes through the rounds from the last to the first, with the places that must hold the block after
/// a round.
class SmallTree {
 public:
  /// Whether hops are taken as early or as late as possible.
  enum class StepOrder : std::uint8_t { early, late };

  /// Goes back through the steps: which places need the block before each of them.
  SmallTree(std::vector<Step> const& steps, std::vector<Vector> const& targets, StepOrder coming)
      : steps_(steps), coming_(coming), came_(steps.size()) {
    Reach before(targets.front().size());
    for (Step const& step : steps) {
      before_.push_back(before);
      before.add(step);
    }
    std::set<Vector> needed(targets.begin(), targets.end());
    for (std::size_t t = steps.size(); t-- > 0;) needed = needed_before(t, needed);
  }

  /// Follows the block from the target back to its origin.
  std::vector<int> rounds_of(Vector place) const {
    std::vector<int> rounds;
    for (std::size_t t = steps_.size(); t-- > 0;) {
      if (!came_[t].contains(place)) continue;
      rounds.push_back(static_cast<int>(t));
      place = moved(place, steps_[t], -1);
    }
    std::reverse(rounds.begin(), rounds.end());
    return rounds;
  }

 private:
  /// Places that can have the block already keep it; others get it in this step.
  std::set<Vector> needed_before(std::size_t t, std::set<Vector> const& needed) {
    Vector const origin(needed.begin()->size(), 0);
    std::set<Vector> staying;
    std::set<Vector> sources;  // where blocks that must come in this round are sent from
    for (Vector const& place : needed) {
      if (before_[t].covers(origin, place)) {
        staying.insert(place);
      } else {
        came_[t].insert(place);
        sources.insert(moved(place, steps_[t], -1));
      }
    }
    if (coming_ == StepOrder::late) come_from_needed(t, needed, staying, sources);
    staying.insert(sources.begin(), sources.end());
    return staying;
  }

  /// Lets a block arrive in this round if its source holds it anyway. A block that is a source itself has to stay.
  void come_from_needed(std::size_t t, std::set<Vector> const& needed, std::set<Vector>& staying,
                        std::set<Vector>& sources) {
    Vector const origin(needed.begin()->size(), 0);
    for (Vector const& place : needed) {
      Vector const source = moved(place, steps_[t], -1);
      if (place == origin || came_[t].contains(place) || sources.contains(place)) continue;
      if (!staying.contains(source) && !sources.contains(source)) continue;
      came_[t].insert(place);
      staying.erase(place);
      sources.insert(source);
    }
  }

  std::vector<Step> const& steps_;
  StepOrder coming_;
  std::vector<Reach> before_;
  std::vector<std::set<Vector>> came_;  ///< by round: the places at which the block arrives in it
};

}  // namespace

/// The number of different hops: targets whose routes begin alike share them.
std::int64_t blocks(Rounds rounds) {
  // In sorted order, the longest beginning that a list shares with any earlier list is the one that it shares with its
  // predecessor.
  std::sort(rounds.begin(), rounds.end());
  std::int64_t different = 0;
  std::vector<int> const none;
  std::vector<int> const* before = &none;
  for (auto const& each : rounds) {
    different += each.end() - std::mismatch(each.begin(), each.end(), before->begin(), before->end()).first;
    before = &each;
  }
  return different;
}

Rounds smallest_tree(std::vector<Step> const& steps, std::vector<Vector> const& targets) {
  return SmallestTree(steps, targets).run();
}

/// The better one of two ways.
Rounds small_tree(std::vector<Step> const& steps, std::vector<Vector> const& targets) {
  Rounds best;
  for (auto const coming : {SmallTree::StepOrder::early, SmallTree::StepOrder::late}) {
    SmallTree const tree(steps, targets, coming);
    Rounds rounds;
    for (Vector const& target : targets) rounds.push_back(tree.rounds_of(target));
    if (best.empty() || blocks(rounds) < blocks(best)) best = std::move(rounds);
  }
  return best;
}

}  // namespace rondo::steiner
