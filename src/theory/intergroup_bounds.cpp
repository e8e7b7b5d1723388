// The bounds of intergroup.hpp for machines without a structure and for rings, each with its proof.

#include <algorithm>

#include "base/error.hpp"
#include "theory/intergroup.hpp"
#include "theory/spreading.hpp"

namespace rondo::theory {
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

}  // namespace rondo::theory
