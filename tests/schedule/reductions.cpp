#include "reductions.hpp"

#include <algorithm>

namespace rondo::testing {

StatedPromise allreduce(int ranks, ReductionRules rules, int blocks) {
  StatedPromise promise{{}, {}, rules};
  for (int r = 0; r < ranks; ++r) {
    auto& held = promise.held.emplace_back();
    auto& owed = promise.owed.emplace_back();
    for (int b = 0; b < blocks; ++b) {
      held.push_back({Rank(r), BlockId(static_cast<std::uint32_t>(b))});
      owed.emplace_back(BlockId(static_cast<std::uint32_t>(b)), 0, ranks);
    }
  }
  return promise;
}

StatedPromise scan(int ranks, int without, ReductionRules rules) {
  StatedPromise promise = allreduce(ranks, rules);
  for (int r = 0; r < ranks; ++r) promise.owed[static_cast<std::size_t>(r)] = {Owed(BlockId(0), 0, r + 1 - without)};
  return promise;
}

Draft with_own_blocks(int ranks, int blocks) {
  Draft draft = blank({ranks}, static_cast<std::uint32_t>(blocks), 8_B);
  draft.promises.ports = 0;
  for (int r = 0; r < ranks; ++r) {
    for (std::uint32_t b = 0; b < static_cast<std::uint32_t>(blocks); ++b) {
      draft.of(r).round(0).copies.push_back({send_slot(b), receive_slot(b)});
    }
  }
  return draft;
}

Draft recursive_doubling(int ranks) {
  Draft draft = with_own_blocks(ranks);
  for (int round = 1, bit = 1; bit < ranks; ++round, bit *= 2) {
    for (int r = 0; r < ranks; ++r) {
      draft.message(round, r, receive_slot(0), r ^ bit, receive_slot(0), r < (r ^ bit) ? Join::before : Join::after);
    }
  }
  return draft;
}

Draft chain_scan(int ranks) {
  Draft draft = with_own_blocks(ranks);
  for (int r = 0; r + 1 < ranks; ++r) draft.message(r + 1, r, receive_slot(0), r + 1, receive_slot(0), Join::before);
  return draft;
}

Draft dissemination(int ranks) {
  Draft draft = with_own_blocks(ranks);
  for (int round = 1, distance = 1; distance < ranks; ++round, distance *= 2) {
    for (int r = 0; r < ranks; ++r) {
      draft.message(round, r, receive_slot(0), (r + distance) % ranks, receive_slot(0), Join::after);
    }
  }
  return draft;
}

Draft ring_allreduce(int ranks) {
  Draft draft = with_own_blocks(ranks, ranks);
  for (int round = 1; round <= 2 * (ranks - 1); ++round) {
    for (int r = 0; r < ranks; ++r) {
      // The block that rank b sends first is block b; it has come to rank r = b + round - 1.
      auto const block = static_cast<std::uint32_t>(((r - round + 1) % ranks + ranks) % ranks);
      Join const join = round < ranks ? Join::before : Join::none;
      draft.message(round, r, receive_slot(block), (r + 1) % ranks, receive_slot(block), join);
    }
  }
  return draft;
}

Draft random_tree(Random& random, int ranks) {
  Draft draft = with_own_blocks(ranks);
  std::vector<int> holders;  // of the intervals, from left to right
  for (int r = 0; r < ranks; ++r) holders.push_back(r);
  int round = 1;
  for (; holders.size() > 1; ++round) {
    auto const left = static_cast<std::ptrdiff_t>(random.below(holders.size() - 1));
    bool const to_the_left = random.below(2) == 0;
    int const a = holders[static_cast<std::size_t>(left)];
    int const b = holders[static_cast<std::size_t>(left) + 1];
    if (to_the_left) {
      draft.message(round, b, receive_slot(0), a, receive_slot(0), Join::after);
    } else {
      draft.message(round, a, receive_slot(0), b, receive_slot(0), Join::before);
    }
    holders.erase(holders.begin() + left + (to_the_left ? 1 : 0));
  }
  for (int r = 0; r < ranks; ++r) {
    if (r != holders[0]) draft.message(round, holders[0], receive_slot(0), r, receive_slot(0));
  }
  return draft;
}

}  // namespace rondo::testing
