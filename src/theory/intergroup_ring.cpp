// Computes the counts of the algorithms on a ring from the hops that each block takes to the right
// and to the left.

#include <algorithm>

#include "theory/intergroup.hpp"

namespace rondo::theory {
namespace {

/// How many hops the copies of a block travel to the right and to the left.
struct Reach {
  std::int64_t right = 0;
  std::int64_t left = 0;
};

/// The largest number of blocks that a receiver gets. The right copy of block m serves the first receivers, and the
/// left copy the last ones. `change[j]` is the number of blocks of receiver j minus that of receiver j - 1.
std::int64_t most_received(Groups const& groups, std::vector<Reach> const& reach) {
  std::int64_t const p = groups.senders();
  std::int64_t const q = groups.receivers();
  std::vector<std::int64_t> change(static_cast<std::size_t>(q) + 1, 0);
  for (std::int64_t m = 0; m < p; ++m) {
    Reach const& each = reach[static_cast<std::size_t>(m)];
    std::int64_t const first_served = std::clamp<std::int64_t>(each.right - (p - 1 - m), 0, q);
    std::int64_t const last_served = std::clamp<std::int64_t>(each.left - m, 0, q);
    ++change[0];
    --change[static_cast<std::size_t>(first_served)];
    ++change[static_cast<std::size_t>(q - last_served)];
    --change.back();
  }
  std::int64_t received = 0;
  std::int64_t most = 0;
  for (std::size_t j = 0; j + 1 < change.size(); ++j) {
    received += change[j];
    most = std::max(most, received);
  }
  return most;  // no sender gets more: each receiver gets at least p blocks, a sender at most the p - 1 others
}

/// The counts if every message carries one block, every round has a message, and each message waits for one of the
/// previous round.
IntergroupCounts counts_of(Groups const& groups, Bytes block, std::int64_t rounds, std::vector<Reach> const& reach) {
  std::int64_t hops = 0;
  for (Reach const& each : reach) hops += each.right + each.left;
  IntergroupCounts counts;
  counts.rounds = rounds;
  counts.critical_blocks = static_cast<double>(rounds);
  counts.total_blocks = static_cast<double>(hops);
  counts.received_blocks = static_cast<double>(most_received(groups, reach));
  counts.critical_bytes = rounds * block;
  counts.total_bytes = hops * block;
  counts.chains = {{rounds, counts.critical_bytes}};
  return counts;
}

/// Sequences #1 to #3, for p >= q. Block j < q/2 travels in #2 and #3, which meet between the receivers 2j and 2j + 1.
/// Any other block travels in #1 to the last receiver.
Reach reach_with_three(std::int64_t p, std::int64_t q, std::int64_t j) {
  if (j < q / 2) return {p + j, q - 1 - j};
  return {p + q - 1 - j, 0};
}

/// Sequences #1 to #4 for p < q: in how many rounds each moves block j, in the stages of p/2, q/2 and p/2 rounds.
Reach reach_with_four(std::int64_t p, std::int64_t q, std::int64_t j) {
  std::int64_t const h = p / 2;
  std::int64_t const c = q / 2;
  // #3 moves block j in the last j rounds of the first stage, and then always. #2 moves it in all rounds of the first
  // stage, c - h of the second, and h - 1 - j of the third.
  if (j < h) return {j + c + h, h + (c - h) + (h - 1 - j)};
  // #1 moves it in all rounds except those past the last receiver. Let i count the rounds of a stage from 0. In the
  // first stage #4 moves it if i > j - h. In the second stage #4-1 moves it while i <= 2 (j - h), and #4-2 while 2i <
  // 2j - 3h + q.
  std::int64_t const second = std::min(c, std::max(2 * (j - h) + 1, j + c - 3 * h / 2));
  return {std::min(p + q - 1 - j, h + c + h), p - 1 - j + second};
}

}  // namespace

IntergroupCounts ring_allgather(Groups const& groups, Bytes block) {
  std::int64_t const rounds = groups.ranks() - 1;
  return counts_of(groups, block, rounds, std::vector<Reach>(static_cast<std::size_t>(groups.senders()), {rounds, 0}));
}

/// The algorithms of [Kang19, Section IV], which need p + q/2 rounds.
IntergroupCounts ring_sequences(Groups const& groups, Bytes block) {
  expect_even(groups);
  std::int64_t const p = groups.senders();
  std::int64_t const q = groups.receivers();
  std::vector<Reach> reach;
  for (std::int64_t j = 0; j < p; ++j) reach.push_back(p >= q ? reach_with_three(p, q, j) : reach_with_four(p, q, j));
  return counts_of(groups, block, p + q / 2, reach);
}

/// The right copy of each block serves as many receivers as it reaches within the rounds; the left copy serves the
/// others.
IntergroupCounts ring_optimal(Groups const& groups, Bytes block) {
  std::int64_t const p = groups.senders();
  std::int64_t const q = groups.receivers();
  std::int64_t const rounds = p == 1 && q % 2 == 0 ? q / 2 + 1 : p + (q + 1) / 2 - 1;
  std::vector<Reach> reach;
  for (std::int64_t m = 0; m < p; ++m) {
    // The right copy enters the first receiver in round 2(p-1-m) + 1 and serves one more receiver in each remaining
    // round.
    std::int64_t const right = std::clamp<std::int64_t>(rounds - 2 * (p - 1 - m), 0, q);
    reach.push_back({right > 0 ? p - 1 - m + right : 0, right < q ? m + q - right : 0});
  }
  return counts_of(groups, block, rounds, reach);
}

}  // namespace rondo::theory
