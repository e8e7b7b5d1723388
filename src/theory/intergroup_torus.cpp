// Two groups on a torus: the counts of torus_rings, and lower bounds for schedules between neighbors.

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "theory/intergroup.hpp"
#include "theory/spreading.hpp"

namespace rondo::theory {
namespace {

/// The shape of the problem: s of the a rows are senders and r are receivers. A row has `row` ranks, and is a torus of
/// the extents `along`.
struct Shape {
  Shape(Groups const& groups, Torus const& torus)
      : a(torus.extent(0)),
        row(torus.size() / a),
        s(groups.senders() / row),
        r(a - s),
        along(torus.extents().begin() + 1, torus.extents().end()) {}

  std::int64_t a, row, s, r;
  std::vector<std::int64_t> along;

  std::int64_t sum(std::function<std::int64_t(std::int64_t)> const& of) const {
    return std::accumulate(along.begin(), along.end(), std::int64_t{0},
                           [&](std::int64_t sum, std::int64_t extent) { return sum + of(extent); });
  }
  /// The sum of the distances from one rank of a row to all ranks of the row. It is floor(n^2/4) on a ring of n ranks;
  /// there are as many rings as positions in the other dimensions.
  std::int64_t distances_in_row() const {
    return sum([&](std::int64_t n) { return n * n / 4 * (row / n); });
  }
};

/// The rounds of an allgather on a ring of n ranks, and of a gather to one of its ranks.
std::int64_t allgather_rounds(std::int64_t n) { return n % 2 == 0 ? n / 2 : n - 1; }
std::int64_t gather_rounds(std::int64_t n) { return n == 1 ? 0 : (n + 1) / 2; }

/// Counts of blocks as counts of bytes too.
IntergroupCounts counted(std::int64_t rounds, std::int64_t critical, std::int64_t total, std::int64_t received,
                         Bytes block) {
  IntergroupCounts counts;
  counts.rounds = rounds;
  counts.critical_blocks = static_cast<double>(critical);
  counts.total_blocks = static_cast<double>(total);
  counts.received_blocks = static_cast<double>(received);
  counts.critical_bytes = critical * block;
  counts.total_bytes = total * block;
  // In every round, some rank that was busy in the previous round is busy again, with a message that is as large as
  // any.
  counts.chains = {{rounds, counts.critical_bytes}};
  return counts;
}

/// The ring algorithm in each column, then rings in the other dimensions.
IntergroupCounts allgather(Shape const& on, Bytes block) {
  IntergroupCounts const ring = ring_optimal(Groups(static_cast<int>(on.s), static_cast<int>(on.r)), Bytes(1));
  std::int64_t const others = on.s * (on.row - 1);  // blocks of other columns, of which each receiver gets all
  return counted(ring.rounds + on.sum(allgather_rounds), ring.critical_bytes.value + others,
                 on.row * (ring.total_bytes.value + on.r * others), on.s + others, block);
}

IntergroupCounts exchange(Shape const& on, Bytes block) {
  std::int64_t const others = std::max(on.s, on.r) * (on.row - 1);
  std::int64_t const total = on.row * (on.a * (on.a - 1) + 2 * on.s * on.r * (on.row - 1));
  return counted(allgather_rounds(on.a) + on.sum(allgather_rounds), on.a - 1 + others, total, on.a - 1 + others, block);
}

/// A gather to the root from the `rows` rows beside it, or a scatter to them. Blocks take shortest routes within rows.
IntergroupCounts rooted(Shape const& on, std::int64_t rows, Bytes block) {
  std::int64_t const blocks = rows * on.row;
  std::int64_t const total = rows * on.distances_in_row() + on.row * rows * (rows + 1) / 2;
  return counted(rows + on.sum(gather_rounds), blocks + on.row - 1, total, blocks, block);
}

/// Joins along rings towards the root.
IntergroupCounts reduce(Shape const& on, Bytes block) {
  std::int64_t const rounds = on.s + on.sum(gather_rounds);
  // The first rank of a row joins vectors from two arms of each ring, and from the row behind it.
  std::int64_t const joined = on.sum([](std::int64_t n) { return std::min<std::int64_t>(n - 1, 2); }) + (on.s > 1);
  return counted(rounds, rounds, on.s * on.row, std::max<std::int64_t>(joined, 1), block);
}

}  // namespace

/// The counts by collective.
IntergroupCounts torus_rings(IntergroupCollective collective, Groups const& groups, Torus const& torus, Bytes block) {
  expect_rows(groups, torus);
  Shape const on(groups, torus);
  switch (collective) {
    case IntergroupCollective::allgather:
      return allgather(on, block);
    case IntergroupCollective::exchange:
      return exchange(on, block);
    case IntergroupCollective::gather:
      return rooted(on, on.s, block);
    case IntergroupCollective::scatter:
      return rooted(on, on.r, block);
    case IntergroupCollective::reduce:
      return reduce(on, block);
  }
  throw ContractViolation("a collective of two groups");
}

namespace {

/// The largest distance of two ranks of a row.
std::int64_t across(Shape const& on) {
  return on.sum([](std::int64_t n) { return n / 2; });
}

/// The row that is farthest away decides the rounds.
IntergroupBounds bounds_allgather(Groups const& groups, Torus const& torus, int ports) {
  Shape const on(groups, torus);
  if (on.row == 1) return intergroup_bounds_ring(groups, ports, RingMessages::any);
  IntergroupBounds bounds;
  bounds.whole_blocks = true;
  bounds.row = on.row;
  // Among the rows of two groups on a ring, some are floor(a/2) apart.
  bounds.rounds = on.a / 2 + across(on);
  bounds.received_blocks = groups.senders();
  // The middle row of the receivers is ceil(r/2) away from the nearest row of senders.
  bounds.lead = (on.r + 1) / 2 - 1;
  bounds.critical_blocks = static_cast<double>(bounds.lead) + static_cast<double>(groups.senders()) / ports;
  // The links that a block crosses connect its sender with all receivers. Some of them lead past senders of other rows.
  for (std::int64_t x = 0; x < on.s; ++x) {
    bounds.total_blocks += on.row * (groups.receivers() + std::min(on.s - x, x + 1) - 1);
  }
  return bounds;
}

/// An exchange is an allgather in each direction, at the same time.
IntergroupBounds bounds_exchange(Groups const& groups, Torus const& torus, int ports) {
  IntergroupBounds const there = bounds_allgather(groups, torus, ports);
  IntergroupBounds const back = bounds_allgather(Groups(groups.receivers(), groups.senders()), torus, ports);
  IntergroupBounds bounds = there.critical_blocks >= back.critical_blocks ? there : back;
  bounds.rounds = std::max(there.rounds, back.rounds);
  bounds.total_blocks = there.total_blocks + back.total_blocks;
  bounds.received_blocks = std::max(there.received_blocks, back.received_blocks);
  return bounds;
}

/// The bounds between a root and the `rows` rows beside it, at distances min(k, a - k) along the first dimension.
IntergroupBounds bounds_rooted(Shape const& on, std::int64_t rows, int ports) {
  IntergroupBounds bounds;
  bounds.whole_blocks = true;
  bounds.row = on.row;
  bounds.rounds = std::min(rows, on.a / 2) + across(on);
  bounds.total_blocks = rows * on.distances_in_row();
  for (std::int64_t k = 1; k <= rows; ++k) bounds.total_blocks += on.row * std::min(k, on.a - k);
  bounds.received_blocks = rows * on.row;
  bounds.critical_blocks = static_cast<double>(rows * on.row) / ports;
  return bounds;
}

}  // namespace

/// Ranks send only to neighbors on the torus.
IntergroupBounds intergroup_bounds_torus(IntergroupCollective collective, Groups const& groups, Torus const& torus,
                                         int ports) {
  expects(ports >= 1, "at least one port");
  if (collective == IntergroupCollective::allgather) return bounds_allgather(groups, torus, ports);
  if (collective == IntergroupCollective::exchange) return bounds_exchange(groups, torus, ports);
  Shape const on(groups, torus);
  bool const scatter = collective == IntergroupCollective::scatter;
  IntergroupBounds bounds = bounds_rooted(on, scatter ? on.r : on.s, ports);
  if (scatter) {
    // Every block that leaves the root is received by one of its neighbors first.
    auto const beside = [](std::int64_t n) { return std::min<std::int64_t>(n - 1, 2); };
    std::int64_t const neighbors = beside(on.a) + on.sum(beside);
    bounds.received_blocks = (groups.receivers() + neighbors - 1) / neighbors;
  }
  if (collective == IntergroupCollective::reduce) {
    // Each sender sends a whole vector, and so does each rank on the way from the farthest sender.
    bounds.critical_blocks = static_cast<double>(bounds.rounds);
    bounds.total_blocks = groups.senders();
    bounds.received_blocks = 1;
  }
  return bounds;
}

/// Collectives with a root: the ports of the root are the bottleneck.
IntergroupBounds intergroup_bounds_any(IntergroupCollective collective, Groups const& groups, int ports) {
  IntergroupBounds bounds = intergroup_bounds_any(groups, ports);
  std::int64_t const p = groups.senders(), q = groups.receivers();
  auto const of_root = [&](std::int64_t blocks, std::int64_t received, std::int64_t through_ports) {
    bounds.rounds = rounds_to_reach(blocks, ports);
    bounds.critical_blocks = static_cast<double>(through_ports) / ports;
    bounds.total_blocks = blocks;
    bounds.received_blocks = received;
  };
  switch (collective) {
    case IntergroupCollective::allgather:
      break;
    case IntergroupCollective::exchange:
      bounds.total_blocks = 2 * p * q;
      bounds.received_blocks = std::max(p, q);
      bounds.critical_blocks = static_cast<double>(std::max(p, q)) / ports;
      break;
    case IntergroupCollective::gather:
      of_root(p, p, p);
      break;
    case IntergroupCollective::scatter:
      of_root(q, 1, q);
      break;
    case IntergroupCollective::reduce:
      of_root(p, 1, 1);
      break;
  }
  return bounds;
}

}  // namespace rondo::theory
