// Counts of the algorithms of [Kang19, Section III]. A Profile has the largest message of each round.

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/units.hpp"
#include "theory/intergroup.hpp"

namespace rondo::theory {
namespace {

/// The largest message of each round, in units of a block.
using Profile = std::vector<std::int64_t>;

std::int64_t sum(Profile const& profile) { return std::accumulate(profile.begin(), profile.end(), std::int64_t{0}); }
Profile times(Profile profile, std::int64_t factor) {
  for (std::int64_t& each : profile) each *= factor;
  return profile;
}
Profile then(Profile first, Profile const& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::int64_t power_of_two_below(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
}

/// The largest number of contributions in a message of each round, if the number that is held grows by a factor of k+1
/// up to n on k ports: 1, k+1, (k+1)^2, ..., and the rest.
Profile growing(std::int64_t n, std::int64_t k) {
  Profile profile;
  for (std::int64_t held = 1; held < n; held *= k + 1) profile.push_back(std::min(held, n - held));
  return profile;
}

/// The profile of an allgather of the contributions of n members. Member 0 sends the largest message of each round;
/// with bruck and ring all members do.
Profile allgather_profile(IntraAllgather kind, std::int64_t n, int ports) {
  if (kind == IntraAllgather::ring) return Profile(static_cast<std::size_t>(n - 1), 1);
  if (kind == IntraAllgather::bruck) return growing(n, ports);
  std::int64_t const core = power_of_two_below(n);
  std::int64_t const extra = n - core;
  Profile profile;
  if (extra > 0) profile.push_back(1);
  for (std::int64_t width = 1; width < core; width *= 2) profile.push_back(width + std::min(width, extra));
  if (extra > 0) profile.push_back(n - 1);
  return profile;
}

/// The profile for contributions of different sizes, the largest first. The first members send the largest messages. An
/// exception is the last round of recursive_doubling, in which a surplus member gets all but its own contribution.
Profile allgather_profile(IntraAllgather kind, std::vector<std::int64_t> const& units, int ports) {
  auto const n = static_cast<std::int64_t>(units.size());
  auto const of_first = [&](std::int64_t members) { return sum(Profile(units.begin(), units.begin() + members)); };
  if (kind == IntraAllgather::ring) return Profile(static_cast<std::size_t>(n - 1), units.front());
  Profile profile;
  if (kind == IntraAllgather::bruck) {
    for (std::int64_t const members : growing(n, ports)) profile.push_back(of_first(members));
    return profile;
  }
  std::int64_t const core = power_of_two_below(n);
  std::int64_t const extra = n - core;
  if (extra > 0) profile.push_back(units[static_cast<std::size_t>(core)]);
  for (std::int64_t width = 1; width < core; width *= 2) {
    std::int64_t const late = std::min(width, extra);
    profile.push_back(of_first(width) + of_first(core + late) - of_first(core));
  }
  if (extra > 0) profile.push_back(of_first(n) - units.back());
  return profile;
}

/// The counts of a broadcast of `size` units from one of n members to all.
struct BroadcastCounts {
  Profile profile;            ///< the root sends the largest message of each round
  std::int64_t total = 0;     ///< units sent by all members
  std::int64_t received = 0;  ///< of the rank, other than the root, that receives most
  bool exact = true;          ///< whether the slowest chain of messages has all rounds of the profile
};

BroadcastCounts down_a_tree(std::int64_t n, std::int64_t size, int ports) {
  return {times(Profile(growing(n, ports).size(), 1), size), (n - 1) * size, n > 1 ? size : 0};
}

/// A scatter followed by an allgather. Segment k has the units [k s, (k+1) s), s = ceil(size / n), as far as they
/// exist. Member r first gets the segments of its subtree. The allgather then brings it all segments but its own, which
/// includes those of its subtree a second time. Segment 0 is the largest. In each round of bruck member 0 sends the
/// most, and in each round of ring the member that passes on segment 0.
BroadcastCounts scatter_and(IntraAllgather allgather, std::int64_t n, std::int64_t size, int ports) {
  std::int64_t const segment = ceil_div(size, n);
  auto const units = [&](std::int64_t first, std::int64_t last) {
    return std::min(last * segment, size) - std::min(first * segment, size);
  };
  BroadcastCounts counts;
  Profile last = allgather_profile(allgather, n, ports);
  std::int64_t const base = ports + std::int64_t{1};
  for (std::int64_t width = 1; width < n; width *= base) {
    counts.profile.insert(counts.profile.begin(), units(width, std::min(2 * width, n)));
  }
  for (std::int64_t& held : last) held = units(0, held);
  counts.profile = then(std::move(counts.profile), last);
  for (std::int64_t r = 1; r < n; ++r) {
    std::int64_t width = 1;  // of the members that r stands for
    while (r % (width * base) == 0) width *= base;
    std::int64_t const subtree = units(r, std::min(r + width, n));
    counts.total += subtree;
    counts.received = std::max(counts.received, subtree + size - units(r, r + 1));
  }
  counts.total += (n - 1) * size;
  return counts;
}

/// Segment t - k is the largest one that is sent in round t, among 2^k members. The surplus members get all segments at
/// the end.
BroadcastCounts multiple_messages(std::int64_t n, std::int64_t size) {
  std::int64_t const core = power_of_two_below(n);
  std::int64_t const k = std::countr_zero(static_cast<std::uint64_t>(core));
  std::int64_t const segments = std::max<std::int64_t>(k, 1);
  std::int64_t const segment = ceil_div(size, segments);
  BroadcastCounts counts;
  std::int64_t const rounds = core > 2 ? segments + k : k;
  for (std::int64_t t = 0; t < rounds; ++t) {
    std::int64_t const first = std::max<std::int64_t>(0, t - k);
    counts.profile.push_back(std::min((first + 1) * segment, size) - std::min(first * segment, size));
  }
  if (n > core) counts.profile.push_back(size);
  counts.total = (n - 1) * size;
  counts.received = n > 1 ? size : 0;
  counts.exact = n == core && size % segments == 0;
  return counts;
}

/// The counts of a broadcast to n ranks of `size` units.
BroadcastCounts broadcast_counts(Broadcast kind, std::int64_t n, std::int64_t size, int ports) {
  if (kind == Broadcast::binomial) return down_a_tree(n, size, ports);
  if (kind == Broadcast::multiple_messages) return multiple_messages(n, size);
  return scatter_and(kind == Broadcast::scatter_allgather ? IntraAllgather::bruck : IntraAllgather::ring, n, size,
                     ports);
}

/// Counts in units of a block. The unit is a byte, or the block itself if m = 0.
class Tally {
 public:
  explicit Tally(Bytes block) : block_(block) {}
  std::int64_t units() const { return block_ == Bytes(0) ? 1 : block_.value; }

  /// The critical volume is the sum of the profile.
  IntergroupCounts counts(Profile const& profile, std::int64_t total, std::int64_t received) const {
    IntergroupCounts result;
    result.rounds = static_cast<std::int64_t>(profile.size());
    result.critical_blocks = blocks(sum(profile));
    result.total_blocks = blocks(total);
    result.received_blocks = blocks(received);
    result.critical_bytes = bytes(sum(profile));
    result.total_bytes = bytes(total);
    result.chains = {chain(profile)};
    return result;
  }
  IntergroupCounts::Chain chain(Profile const& profile) const {
    return {static_cast<std::int64_t>(profile.size()), bytes(sum(profile))};
  }

 private:
  double blocks(std::int64_t n) const { return static_cast<double>(n) / static_cast<double>(units()); }
  Bytes bytes(std::int64_t n) const { return block_ == Bytes(0) ? Bytes(0) : Bytes(n); }
  Bytes block_;
};

/// The case p < q. In `more` of the p broadcasts there is one more member than in the others.
IntergroupCounts broadcast_and_allgather(Groups const& groups, Bytes block, IntraAllgather allgather, Broadcast kind,
                                         int ports) {
  std::int64_t const p = groups.senders();
  std::int64_t const q = groups.receivers();
  std::int64_t const more = q % p;
  Tally const tally(block);
  std::int64_t const m = tally.units();
  BroadcastCounts const small = broadcast_counts(kind, q / p + 1, m, ports);
  BroadcastCounts const large = more > 0 ? broadcast_counts(kind, q / p + 2, m, ports) : small;
  Profile const second = times(allgather_profile(allgather, p, ports), m);
  Profile first(std::max(small.profile.size(), large.profile.size()), 0);
  for (std::size_t t = 0; t < small.profile.size(); ++t) first[t] = small.profile[t];
  for (std::size_t t = 0; t < large.profile.size(); ++t) first[t] = std::max(first[t], large.profile[t]);
  std::int64_t const total = more * large.total + (p - more) * small.total + ceil_div(q, p) * p * (p - 1) * m;
  std::int64_t const received = std::max(small.received, large.received) + (p - 1) * m;
  IntergroupCounts counts = tally.counts(then(first, second), total, received);
  // Each of the slower broadcasts ends at a receiver whose allgather then waits for no other receiver.
  counts.chains = {tally.chain(then(large.profile, second))};
  if (more > 0) counts.chains.push_back(tally.chain(then(small.profile, second)));
  // Recursive doubling among a number of members that is no power of two has a single slowest chain, through member 0.
  // If other members come later, because their broadcast group is larger or because the largest segment reaches them
  // last on a ring, the slowest chain may be another one.
  bool const through_any = allgather != IntraAllgather::recursive_doubling || power_of_two_below(p) == p;
  bool const all_at_once = more == 0 && (kind != Broadcast::scatter_ring_allgather || m % (q / p + 1) == 0);
  counts.exact_time = through_any || all_at_once || kind == Broadcast::binomial;
  if (kind == Broadcast::multiple_messages) counts.exact_time = more == 0 && small.exact;
  return counts;
}

}  // namespace

/// One message to each receiver, then an allgather among p ranks.
IntergroupCounts group_allgather(Groups const& groups, Bytes block, IntraAllgather allgather, Broadcast broadcast,
                                 int ports) {
  std::int64_t const p = groups.senders();
  if (p < groups.receivers()) return broadcast_and_allgather(groups, block, allgather, broadcast, ports);
  Tally const tally(block);
  std::int64_t const m = tally.units();
  Profile const profile = times(then({1}, allgather_profile(allgather, p, ports)), m);
  return tally.counts(profile, (groups.receivers() + p * (p - 1)) * m, p * m);
}

/// A receiver first gets the blocks of p / q senders, rounded up or down.
IntergroupCounts receiver_allgather(Groups const& groups, Bytes block, IntraAllgather allgather, int ports) {
  std::int64_t const p = groups.senders();
  std::int64_t const q = groups.receivers();
  Tally const tally(block);
  std::int64_t const m = tally.units();
  std::vector<std::int64_t> weights;
  for (std::int64_t i = 0; i < q; ++i) weights.push_back(p / q + (i < p % q ? 1 : 0));
  Profile const profile = then(Profile(static_cast<std::size_t>(ceil_div(weights.front(), ports)), 1),
                               allgather_profile(allgather, weights, ports));
  IntergroupCounts counts = tally.counts(times(profile, m), p * q * m, p * m);
  counts.exact_time = p % q == 0;
  return counts;
}

/// A gather, one message, a broadcast.
IntergroupCounts root_gathering(Groups const& groups, Bytes block, Broadcast kind, int ports) {
  std::int64_t const p = groups.senders();
  Tally const tally(block);
  std::int64_t const m = tally.units();
  std::int64_t gathered = 0;  // up the tree a block takes as many hops as its rank has digits but 0 in base k+1
  for (std::int64_t i = 0; i < p; ++i) {
    for (std::int64_t digits = i; digits > 0; digits /= ports + 1) gathered += digits % (ports + 1) != 0 ? 1 : 0;
  }
  BroadcastCounts const last = broadcast_counts(kind, groups.receivers(), p * m, ports);
  Profile const profile = then(times(then(growing(p, ports), {p}), m), last.profile);
  // After a scatter b_0 also gets all segments but its own a second time.
  bool const scatters = kind != Broadcast::binomial && kind != Broadcast::multiple_messages;
  std::int64_t const again = scatters ? p * m - ceil_div(p * m, groups.receivers()) : 0;
  IntergroupCounts counts =
      tally.counts(profile, (gathered + p) * m + last.total, std::max(p * m + again, last.received));
  counts.exact_time = last.exact;
  return counts;
}

}  // namespace rondo::theory
