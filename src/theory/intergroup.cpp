// The bounds for machines without a structure and for rings have proofs here. The counts of the algorithms on a ring
// follow from the hops that each block takes to the right and to the left.

#include "theory/intergroup.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "theory/spreading.hpp"

namespace rondo::theory {

Seconds time(IntergroupCounts const& counts, Bytes envelope, LinearCost const& cost) {
  Seconds slowest;
  for (IntergroupCounts::Chain const& chain : counts.chains) {
    Bytes const carried = chain.bytes + chain.messages * envelope;
    slowest = std::max(slowest, static_cast<double>(chain.messages) * cost.alpha + carried / cost.bandwidth);
  }
  return slowest;
}

namespace {

/// The links that the block of sender i crosses on a ring, or on a torus with rows of this many ranks. They connect the
/// sender with all receivers.
std::int64_t links_of_block(Groups const& groups, std::int64_t i, std::int64_t row) {
  std::int64_t const x = i / row;
  return groups.receivers() + std::min(groups.senders() / row - x, x + 1) - 1;
}

}  // namespace

/// On any links.
IntergroupBounds intergroup_bounds_any(Groups const& groups, int ports) {
  expects(ports >= 1, "at least one port");
  std::int64_t const p = groups.senders();
  std::int64_t const q = groups.receivers();
  IntergroupBounds bounds;
  // In a round, the number of ranks that hold some byte of a block grows by a factor of at most ports + 1, and q + 1
  // ranks hold it in the end. Seen from the end, the same holds for the ranks whose blocks can still reach one
  // receiver, which are p + 1 at the start.
  bounds.rounds = rounds_to_reach(std::max(p, q), ports);
  // A receiver gets p blocks, and in each round at most its ports times the largest message.
  bounds.critical_blocks = static_cast<double>(p) / ports;
  bounds.total_blocks = p * q;
  bounds.received_blocks = p;
  return bounds;
}

/// On a ring, where ranks only send to their neighbors.
IntergroupBounds intergroup_bounds_ring(Groups const& groups, int ports, RingMessages messages) {
  expects(ports >= 1, "at least one port");
  std::int64_t const p = groups.senders();
  std::int64_t const q = groups.receivers();
  std::int64_t const n = p + q;
  IntergroupBounds bounds;
  bounds.whole_blocks = true;
  bounds.received_blocks = p;
  // Some sender and some receiver are floor(n/2) hops apart: a_0 if p <= q, else b_0, and the rank opposite to it.
  bounds.rounds = n / 2;
  // If n is odd, that rank has two opposite ranks, each on a single shortest route: a_i has two receivers (q >= 2 and a
  // suitable i), or b_0 has two senders. With n/2 rounds both copies would have to leave a_i in the first round, or to
  // enter b_0 in the last round, but there is only one port.
  if (n % 2 != 0 && ports == 1) ++bounds.rounds;
  // The middle receiver is ceil(q/2) hops from the nearest sender. The first message to it can only leave its last
  // neighbor when ceil(q/2) - 1 other messages have arrived, one after the other, each with a whole block.
  bounds.lead = (q + 1) / 2 - 1;
  // If p = 1 and q is even, the two middle receivers are q/2 hops from a_0 in opposite directions, and any other route
  // is longer. One port cannot start both at once, so one of them has another message before.
  if (p == 1 && q % 2 == 0 && ports == 1) ++bounds.lead;
  bounds.critical_blocks = static_cast<double>(bounds.lead) + static_cast<double>(p) / ports;
  // That receiver gets nothing in the first `lead` rounds, and then p blocks, in each round at most as many as it has
  // ports.
  std::int64_t const in_single_blocks = bounds.lead + (p + ports - 1) / ports;
  if (messages == RingMessages::of_one_block) bounds.rounds = std::max(bounds.rounds, in_single_blocks);
  // The links that a block crosses connect its sender with all receivers. They are the circle without its longest
  // stretch that contains neither inside, to the right or to the left of the sender.
  for (std::int64_t i = 0; i < p; ++i) bounds.total_blocks += links_of_block(groups, i, 1);
  return bounds;
}

/// The bounds in bytes if the senders' blocks have different sizes.
IntergroupBytes in_bytes(IntergroupBounds const& bounds, Groups const& groups, int ports,
                         std::vector<Bytes> const& sizes) {
  expects(std::ssize(sizes) == groups.senders(), "a size for each sender");
  IntergroupBytes bytes;
  bytes.smallest = std::min_element(sizes.begin(), sizes.end())->value;
  for (std::int64_t i = 0; i < groups.senders(); ++i) {
    std::int64_t const size = sizes[static_cast<std::size_t>(i)].value;
    bytes.received += size;
    bytes.total += size * (bounds.whole_blocks ? links_of_block(groups, i, bounds.row) : groups.receivers());
  }
  // Each of the messages before the first one of a receiver carries at least the smallest block.
  bytes.critical = static_cast<double>(bounds.lead * bytes.smallest) + static_cast<double>(bytes.received) / ports;
  return bytes;
}

/// The larger one of two times: that of a chain of messages, and that of the bytes that pass the busiest ports.
TimeBound time_bound(IntergroupBounds const& bounds, IntergroupBytes const& bytes, LinearCost const& cost) {
  double const alpha = cost.alpha.value, bandwidth = cost.bandwidth.value;
  double const each = bounds.whole_blocks ? static_cast<double>(bytes.smallest) / bandwidth : 0;
  double const chain = static_cast<double>(bounds.rounds) * (alpha + each);
  return time_bound_of(chain, static_cast<double>(bounds.lead + 1) * alpha + bytes.critical / bandwidth);
}

TimeBound time_bound(IntergroupBounds const& bounds, Bytes block, LinearCost const& cost) {
  double const m = (block / cost.bandwidth).value;
  double const alpha = cost.alpha.value;
  double const rounds = static_cast<double>(bounds.rounds);
  double const lead = static_cast<double>(bounds.lead);
  double const chain = rounds * (alpha + (bounds.whole_blocks ? m : 0));
  return time_bound_of(chain, (lead + 1) * alpha + bounds.critical_blocks * m);
}

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
