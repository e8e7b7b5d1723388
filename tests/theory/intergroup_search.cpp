#include "intergroup_search.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace rondo::search {
namespace {

/// By rank, the blocks it holds as bits.
using State = std::vector<unsigned>;

class Search {
 public:
  Search(int p, int q, Cost cost, std::function<bool(int, int)> const& linked)
      : p_(p), n_(p + q), cost_(cost), linked_(linked) {}

  int run() {
    State start(static_cast<std::size_t>(n_), 0);
    for (int i = 0; i < p_; ++i) start[static_cast<std::size_t>(i)] = 1U << i;
    reach(start, 0);
    while (true) {
      auto const [price, state] = *open_.begin();
      open_.erase(open_.begin());
      if (done(state)) return price;
      before_ = &state;
      price_ = price;
      choose(0, state, 0, 0, 0);
    }
  }

 private:
  bool done(State const& state) const {
    return std::all_of(state.begin() + p_, state.end(), [&](unsigned blocks) { return blocks == (1U << p_) - 1; });
  }

  void reach(State const& state, int price) {
    auto const [known, fresh] = best_.try_emplace(state, price);
    if (!fresh && known->second <= price) return;
    if (!fresh) open_.erase({known->second, state});
    known->second = price;
    open_.insert({price, state});
  }

  /// All choices of the messages of `rank` and those after it; bit r of `receiving`: rank r gets one already.
  void choose(int rank, State const& after, unsigned receiving, int largest, int sum) {
    if (rank == n_) {
      int const round = cost_ == Cost::one ? 1 : cost_ == Cost::largest ? largest : sum;
      if (after != *before_) reach(after, price_ + round);
      return;
    }
    choose(rank + 1, after, receiving, largest, sum);
    unsigned const held = (*before_)[static_cast<std::size_t>(rank)];
    for (int to = 0; to < n_; ++to) {
      if (to == rank || !linked_(rank, to) || (receiving >> to & 1U) != 0) continue;
      unsigned const news = held & ~(*before_)[static_cast<std::size_t>(to)];
      for (unsigned blocks = news; blocks != 0; blocks = (blocks - 1) & news) {
        State next = after;
        next[static_cast<std::size_t>(to)] |= blocks;
        int const size = std::popcount(blocks);
        choose(rank + 1, next, receiving | 1U << to, std::max(largest, size), sum + size);
        if (cost_ == Cost::one) break;  // all the news at once serve best
      }
    }
  }

  int p_, n_;
  Cost cost_;
  std::function<bool(int, int)> const& linked_;
  State const* before_ = nullptr;
  int price_ = 0;
  std::map<State, int> best_;
  std::set<std::pair<int, State>> open_;
};

}  // namespace

int cheapest(int p, int q, Cost cost, std::function<bool(int, int)> const& linked) {
  return Search(p, q, cost, linked).run();
}

}  // namespace rondo::search
