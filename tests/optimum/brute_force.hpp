#pragma once

// Optima of very small questions by trying all schedules: what each round can make of what all ranks have, round after
// round. It knows nothing of bounds, formulas or solvers.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "optimum/question.hpp"

namespace rondo::optimum::test {

/// Which rank has which block: bit rank * blocks + block.
using State = std::uint32_t;

class BruteForce {
 public:
  BruteForce(Question const& question, std::optional<int> message_blocks)
      : question_(question),
        blocks_(static_cast<int>(question.blocks.size())),
        most_(message_blocks.value_or(static_cast<int>(question.blocks.size()))) {}

  /// The fewest rounds; unset: more than `most`.
  std::optional<int> rounds(int most) {
    std::set<State> now{start()};
    for (int round = 0; round <= most; ++round) {
      std::set<State> next;
      for (State const state : now) {
        if (is_end(state)) return round;
        for (auto const& [after, cost] : successors(state)) next.insert(after);
      }
      now = std::move(next);
    }
    return std::nullopt;
  }

  /// The least critical blocks in at most so many rounds; unset: there is no such schedule.
  std::optional<int> critical(int rounds) {
    std::map<State, int> now{{start(), 0}};
    std::optional<int> best;
    for (int round = 0; round <= rounds; ++round) {
      std::map<State, int> next;
      for (auto const& [state, cost] : now) {
        if (is_end(state) && (!best || cost < *best)) best = cost;
        for (auto const& [after, more] : successors(state)) {
          auto const [place, is_new] = next.emplace(after, cost + more);
          if (!is_new && cost + more < place->second) place->second = cost + more;
        }
      }
      now = std::move(next);
    }
    return best;
  }

 private:
  State bit(int rank, int block) const { return State{1} << (rank * blocks_ + block); }

  State start() const {
    State state = 0;
    for (int i = 0; i < blocks_; ++i) {
      for (int const rank : question_.blocks[static_cast<std::size_t>(i)].held) state |= bit(rank, i);
    }
    return state;
  }

  bool is_end(State state) const {
    for (int i = 0; i < blocks_; ++i) {
      for (int const rank : question_.blocks[static_cast<std::size_t>(i)].wanted) {
        if ((state & bit(rank, i)) == 0) return false;
      }
    }
    return true;
  }

  /// Each state that a round can lead to, with the least size of its largest message.
  std::map<State, int> const& successors(State state) {
    auto const [place, is_new] = known_.try_emplace(state);
    if (is_new) {
      Tried tried{state, state, std::vector<int>(static_cast<std::size_t>(question_.ranks), question_.ports),
                  std::vector<int>(static_cast<std::size_t>(question_.ranks), question_.ports), 0};
      send(tried, 0, place->second);
    }
    return place->second;
  }

  struct Tried {
    State before, after;
    std::vector<int> sends, receives;  // that are left
    int largest;
  };

  /// Tries all that goes over the pairs of ranks from `pair` on.
  void send(Tried& tried, int pair, std::map<State, int>& into) {
    int const from = pair / question_.ranks, to = pair % question_.ranks;
    if (from == question_.ranks) {
      auto const [place, is_new] = into.emplace(tried.after, tried.largest);
      if (!is_new && tried.largest < place->second) place->second = tried.largest;
      return;
    }
    send(tried, pair + 1, into);
    auto& sends = tried.sends[static_cast<std::size_t>(from)];
    auto& receives = tried.receives[static_cast<std::size_t>(to)];
    if (from == to || sends == 0 || receives == 0 || !is_link(from, to)) return;
    --sends;
    --receives;
    // More than one message over a pair is never of use where a link has width 1, and is left out where it has more.
    for (std::uint32_t chosen = 1; chosen < (1U << blocks_); ++chosen) {
      int const size = __builtin_popcount(chosen);
      State carried = 0, held = 0;
      for (int i = 0; i < blocks_; ++i) {
        if (((chosen >> i) & 1U) == 0) continue;
        carried |= bit(to, i);
        held |= bit(from, i);
      }
      if (size > most_ || (tried.before & held) != held || (tried.before & carried) != 0) continue;
      Tried const was = tried;
      tried.after |= carried;
      tried.largest = std::max(tried.largest, size);
      send(tried, pair + 1, into);
      tried.after = was.after;
      tried.largest = was.largest;
    }
    ++sends;
    ++receives;
  }

  bool is_link(int from, int to) const {
    if (!question_.links) return true;
    return std::any_of(question_.links->begin(), question_.links->end(),
                       [&](Link const& each) { return each.from == from && each.to == to; });
  }

  Question const& question_;
  int blocks_, most_;
  std::map<State, std::map<State, int>> known_;
};

}  // namespace rondo::optimum::test
