// The messages of allreduce and barrier.

#include <algorithm>
#include <bit>

#include "base/ids.hpp"
#include "theory/classical_parts.hpp"

namespace rondo::theory {
namespace {

using problem::Classical;

/// The whole vector goes up a tree and down again.
void up_and_down(Ledger& ledger, Classical const& problem, TreeShape const& shape) {
  std::int64_t const units = units_of(problem.sizes.block);
  Nodes const nodes = nodes_of(problem.ranks, shape);
  for (int t = 1; t <= 2 * nodes.rounds; ++t) {
    ledger.begin_round();
    bool const up = t <= nodes.rounds;
    for (int const v : in_sending_order(nodes)) {
      if (nodes.of[at(v)].round != (up ? nodes.rounds + 1 - t : t - nodes.rounds)) continue;
      up ? ledger.message(v, nodes.of[at(v)].parent, units) : ledger.message(nodes.of[at(v)].parent, v, units);
    }
  }
}

/// Once around the ring: in each round rank r sends part(k) to the next rank, where k is the number of the part that it
/// has just got.
template <typename Part>
void around(Ledger& ledger, int p, Part const& part) {
  for (int t = 0; t + 1 < p; ++t) {
    ledger.begin_round();
    for (int r = 0; r < p; ++r) ledger.message(r, (r + 1) % p, part((r + p - t) % p));
  }
}

/// The ring reduces segment by segment, if segments are stated, and then gathers the parts.
void reduce_around(Ledger& ledger, Classical const& problem, Bytes stated) {
  int const p = problem.ranks;
  Run const parts = Run::parts(units_of(problem.sizes.block), p);
  std::int64_t const part = parts.of(0);
  std::int64_t const segment = stated == Bytes(0) ? part : std::min(stated.value, part);
  for (std::int64_t first = 0; first < part; first += segment) {
    around(ledger, p, [&](int k) { return std::clamp<std::int64_t>(parts.of(k) - first, 0, segment); });
  }
  around(ledger, p, [&](int k) { return parts.of((k + 1) % p); });
}

/// Messages of `units` from the surplus rank of each pair 2i, 2i+1, i < x, to the other one, or back.
void to_core(Ledger& ledger, Pairs const& core, std::int64_t units, bool back) {
  if (core.x == 0) return;
  ledger.begin_round();
  for (int i = 0; i < core.x; ++i) {
    int const stays = core.rank(i), left_out = 2 * i + 1 - core.offset;
    back ? ledger.message(stays, left_out, units) : ledger.message(left_out, stays, units);
  }
}

/// The partner of one of 2^bits nodes in step s of Swing or Bine. On a torus the dimensions take the steps s = 0, 1,
/// ... in turn, each with the partners of its own ring, until it has taken log2 of its extent.
int swing_partner(Classical const& problem, int bits, int node, int s) {
  if (!goes_along_extents(problem)) return bine_partner(node, bits, s);
  std::vector<int> const& extents = problem.extents;
  for (int round = 0;; ++round) {
    int behind = problem.ranks;  // ranks that share the coordinates so far
    for (int const extent : extents) {
      behind /= extent;
      int const own_bits = std::bit_width(static_cast<unsigned>(extent)) - 1;
      if (round >= own_bits || s-- > 0) continue;
      int const coordinate = node / behind & (extent - 1);
      return node - coordinate * behind + bine_partner(coordinate, own_bits, round) * behind;
    }
  }
}

/// Whole vectors are exchanged with a partner in each step.
template <typename Partner>
void whole(Ledger& ledger, Pairs const& core, std::int64_t units, Partner const& partner) {
  for (int s = 0; s < core.bits(); ++s) {
    ledger.begin_round();
    for (int v = 0; v < core.q; ++v) ledger.message(core.rank(v), core.rank(partner(v, s)), units);
  }
}

/// Forwards, a node sends the parts that its partner will hold after the step; in reverse, the parts that it holds
/// itself. In the end it holds its own part, and before each step the parts that it and its partner hold after the
/// step.
template <typename Partner>
void there_and_back(Ledger& ledger, Pairs const& core, std::vector<std::int64_t> units_of_node,
                    Partner const& partner) {
  std::vector<std::vector<std::int64_t>> after(at(core.bits()), units_of_node);
  for (int s = core.bits() - 1; s > 0; --s) {
    for (int v = 0; v < core.q; ++v) after[at(s - 1)][at(v)] = after[at(s)][at(v)] + after[at(s)][at(partner(v, s))];
  }
  for (int step = 0; step < 2 * core.bits(); ++step) {
    bool const forwards = step < core.bits();
    int const s = forwards ? step : 2 * core.bits() - 1 - step;
    ledger.begin_round();
    for (int v = 0; v < core.q; ++v) {
      int const to = partner(v, s);
      ledger.message(core.rank(v), core.rank(to), after[at(s)][at(forwards ? to : v)]);
    }
  }
}

/// Whole vectors, between a fold of the surplus ranks and the messages that tell them the result.
template <typename Partner>
void fold_and_exchange(Ledger& ledger, Classical const& problem, Partner const& partner) {
  Pairs const core(problem.ranks, 1);
  std::int64_t const units = units_of(problem.sizes.block);
  to_core(ledger, core, units, false);
  whole(ledger, core, units, [&](int v, int s) { return partner(core, v, s); });
  to_core(ledger, core, units, true);
}

int flipped(int v, int s) { return v ^ (1 << s); }

}  // namespace

/// Ranks beyond a power of two first divide their vector with a neighbor; then halving and doubling.
void allreduce_rabenseifner(Ledger& ledger, Classical const& problem) {
  std::int64_t const units = units_of(problem.sizes.block);
  Pairs const core(problem.ranks, 0);
  Run const parts = Run::parts(units, core.q);
  std::int64_t const lower = parts.of(0, core.q / 2);
  if (core.x > 0) {
    ledger.begin_round();
    for (int i = 0; i < core.x; ++i) {
      ledger.message(2 * i, 2 * i + 1, units - lower);
      ledger.message(2 * i + 1, 2 * i, lower);
    }
    ledger.begin_round();
    for (int i = 0; i < core.x; ++i) ledger.message(2 * i + 1, 2 * i, units - lower);
  }
  // Bit 0 of a node chooses the half, bit 1 the quarter, and so on.
  std::vector<std::int64_t> units_of_node;
  for (int v = 0; v < core.q; ++v) {
    int part = 0;
    for (int b = 0; b < core.bits(); ++b) part |= (v >> b & 1) << (core.bits() - 1 - b);
    units_of_node.push_back(parts.of(part));
  }
  there_and_back(ledger, core, units_of_node, flipped);
  to_core(ledger, core, units, true);
}

/// As Rabenseifner's algorithm, with partners at other distances.
void allreduce_bine(Ledger& ledger, Classical const& problem) {
  std::int64_t const units = units_of(problem.sizes.block);
  Pairs const core(problem.ranks, 1);
  Run const parts = Run::parts(units, core.q);
  std::vector<std::int64_t> units_of_node;
  for (int v = 0; v < core.q; ++v) units_of_node.push_back(parts.of(v));
  to_core(ledger, core, units, false);
  there_and_back(ledger, core, units_of_node, [&](int v, int s) { return swing_partner(problem, core.bits(), v, s); });
  to_core(ledger, core, units, true);
}

/// A reduce-scatter over skips that halve, and an allgather over the same skips in reverse.
void allreduce_circulant(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  Run const parts = Run::parts(units_of(problem.sizes.block), p);
  int levels = 0;
  while ((1 << levels) < p) ++levels;
  auto const skip = [&](int k) { return (p + (1 << k) - 1) >> k; };
  for (int step = 1; step <= 2 * levels; ++step) {
    ledger.begin_round();
    bool const forwards = step <= levels;
    int const k = forwards ? step : 2 * levels + 1 - step;
    for (int r = 0; r < p; ++r) {
      int const ahead = (r + skip(k)) % p;
      std::int64_t const slice = parts.of(ahead, ahead + skip(k - 1) - skip(k));
      forwards ? ledger.message(r, ahead, slice) : ledger.message(ahead, r, slice);
    }
  }
}

/// In each round groups of `radix` ranks exchange whole vectors; ranks beyond a power of the radix join a rank before
/// and after.
void allreduce_recursive_multiplying(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks, radix = radix_of(problem);
  std::int64_t const units = units_of(problem.sizes.block);
  std::int64_t core = 1;
  while (core * radix <= p) core *= radix;
  auto const q = static_cast<int>(core);
  if (q < p) ledger.begin_round();
  for (int r = q; r < p; ++r) ledger.message(r, r % q, units);
  for (int distance = 1; distance < q; distance *= radix) {
    ledger.begin_round();
    for (int r = 0; r < q; ++r) {
      int const digit = r / distance % radix;
      // A rank receives from the nodes below it first, the nearest one first, and then from those above it. The order
      // decides ties.
      for (int i = digit - 1; i >= 0; --i) ledger.message(r - (digit - i) * distance, r, units);
      for (int i = digit + 1; i < radix; ++i) ledger.message(r + (i - digit) * distance, r, units);
    }
  }
  if (q < p) ledger.begin_round();
  for (int r = q; r < p; ++r) ledger.message(r % q, r, units);
}

/// The halves go up two trees and down again. Each segment is one round behind the previous one.
void allreduce_double_tree(Ledger& ledger, Classical const& problem) {
  std::int64_t const units = units_of(problem.sizes.block);
  std::int64_t const halves[2] = {(units + 1) / 2, units / 2};
  std::int64_t const segment = problem.segment == Bytes(0) ? halves[0] : problem.segment.value;
  std::int64_t const segments = (halves[0] + segment - 1) / segment;
  HalfTree const trees[2] = {half_tree(problem.ranks, 0), half_tree(problem.ranks, 1)};
  int const height = trees[0].height;
  for (std::int64_t t = 1; height > 0 && t < 2 * height + segments; ++t) {
    ledger.begin_round();
    for (int half = 0; half < 2; ++half) {
      auto const size = [&](std::int64_t s) {
        return std::clamp<std::int64_t>(halves[half] - s * segment, 0, segment);
      };
      for (bool const up : {true, false}) {
        for (int const v : trees[half].order) {
          int const parent = trees[half].parent[at(v)], depth = trees[half].depth[at(v)];
          std::int64_t const s = up ? t - 1 - height + depth : t - height - depth;
          if (parent < 0 || s < 0 || s >= segments) continue;
          up ? ledger.message(v, parent, size(s)) : ledger.message(parent, v, size(s));
        }
      }
    }
  }
}

void allreduce_linear(Ledger& ledger, Classical const& problem) { up_and_down(ledger, problem, straight()); }
void allreduce_knomial(Ledger& ledger, Classical const& problem) {
  up_and_down(ledger, problem, knomial(problem.ranks, radix_of(problem)));
}
void allreduce_nonoverlapping(Ledger& ledger, Classical const& problem) {
  up_and_down(ledger, problem, binomial(problem.ranks, problem::Distances::falling));
}
void allreduce_ring(Ledger& ledger, Classical const& problem) { reduce_around(ledger, problem, Bytes(0)); }
void allreduce_segmented_ring(Ledger& ledger, Classical const& problem) {
  reduce_around(ledger, problem, problem.segment);
}
void allreduce_recursive_doubling(Ledger& ledger, Classical const& problem) {
  fold_and_exchange(ledger, problem, [](Pairs const&, int v, int s) { return flipped(v, s); });
}
void allreduce_bine_latency(Ledger& ledger, Classical const& problem) {
  fold_and_exchange(ledger, problem,
                    [&](Pairs const& core, int v, int s) { return swing_partner(problem, core.bits(), v, s); });
}
void allreduce_allgather_reduce(Ledger& ledger, Classical const& problem) {
  bruck(ledger, problem.ranks, radix_of(problem), Run::blocks(problem, 0));
}

/// A token goes around twice: the first time it collects, the second time it releases.
void barrier_ring(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  for (int t = 0; t < 2 * p && p > 1; ++t) {
    ledger.begin_round();
    ledger.message(t % p, (t + 1) % p, 1);
  }
}

/// Ranks beyond a power of two report to a partner and are released by it.
void barrier_recursive_doubling(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  int const q = static_cast<int>(std::bit_floor(static_cast<unsigned>(p)));
  if (q < p) ledger.begin_round();
  for (int r = q; r < p; ++r) ledger.message(r, r - q, 1);
  whole(ledger, Pairs(q, 0), 1, flipped);
  if (q < p) ledger.begin_round();
  for (int r = q; r < p; ++r) ledger.message(r - q, r, 1);
}

/// In round t a rank sends to ranks at multiples of radix^t.
void barrier_dissemination(Ledger& ledger, Classical const& problem) {
  int const p = problem.ranks;
  std::int64_t const radix = radix_of(problem);
  for (std::int64_t distance = 1; distance < p; distance *= radix) {
    ledger.begin_round();
    for (std::int64_t reach = distance; reach < std::min<std::int64_t>(radix * distance, p); reach += distance) {
      for (int r = 0; r < p; ++r) ledger.message(r, static_cast<int>((r + reach) % p), 1);
    }
  }
}

}  // namespace rondo::theory
