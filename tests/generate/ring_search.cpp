#include "ring_search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace rondo::search {
namespace {

/// The blocks that each rank holds, eight bits a rank.
using State = std::uint64_t;

class Search {
 public:
  Search(int p, int q, bool pruned) : p_(p), n_(p + q), pruned_(pruned) {}

  int fewest() {
    State start = 0;
    for (int i = 0; i < p_; ++i) start |= bit(i, i);
    for (int rounds = 0;; ++rounds) {
      failed_.clear();
      if (reaches(start, rounds)) return rounds;
    }
  }

 private:
  static State bit(int rank, int block) { return State{1} << (8 * rank + block); }
  static bool holds(State state, int rank, int block) { return (state & bit(rank, block)) != 0; }
  int neighbor(int rank, int direction) const { return (rank + direction + n_) % n_; }

  bool done(State state) const {
    for (int r = p_; r < n_; ++r) {
      for (int b = 0; b < p_; ++b) {
        if (!holds(state, r, b)) return false;
      }
    }
    return true;
  }

  int distance(State state, int rank, int block) const {
    int hops = 0;
    while (!holds(state, neighbor(rank, hops), block) && !holds(state, neighbor(rank, -hops), block)) ++hops;
    return hops;
  }

  /// A block d hops away comes in round d at the earliest, and one block comes in a round.
  bool hopeless(State state, int rounds) const {
    for (int r = p_; r < n_; ++r) {
      std::vector<int> missing;
      for (int b = 0; b < p_; ++b) {
        if (!holds(state, r, b)) missing.push_back(distance(state, r, b));
      }
      std::sort(missing.begin(), missing.end(), std::greater<>());
      for (std::size_t k = 0; k < missing.size(); ++k) {
        if (missing[k] + static_cast<int>(k) > rounds) return true;
      }
    }
    return false;
  }

  bool reaches(State state, int rounds) {
    if (done(state)) return true;
    if (rounds == 0 || (pruned_ && hopeless(state, rounds))) return false;
    if (failed_.contains({state, rounds})) return false;
    if (choose(0, state, state, 0, rounds)) return true;
    failed_.insert({state, rounds});
    return false;
  }

  /// All choices of the sends of `rank` and those after it; bit r of `receiving`: rank r gets a block already.
  bool choose(int rank, State before, State after, unsigned receiving, int rounds) {
    if (rank == n_) return after != before && reaches(after, rounds - 1);
    for (int const direction : {+1, -1}) {
      int const to = neighbor(rank, direction);
      if ((receiving >> to & 1U) != 0) continue;
      for (int b = p_; b-- > 0;) {
        if (!holds(before, rank, b) || holds(before, to, b)) continue;
        if (choose(rank + 1, before, after | bit(to, b), receiving | 1U << to, rounds)) return true;
      }
    }
    return choose(rank + 1, before, after, receiving, rounds);
  }

  int p_, n_;
  bool pruned_;
  std::set<std::pair<State, int>> failed_;
};

}  // namespace

int fewest_ring_rounds(int p, int q) { return Search(p, q, true).fewest(); }
int fewest_ring_rounds_unpruned(int p, int q) { return Search(p, q, false).fewest(); }

}  // namespace rondo::search
