// The prediction for collectives on all ranks: their messages, added up, and their lower bounds.

#include <algorithm>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "problem/composition.hpp"
#include "theory/classical_parts.hpp"
#include "theory/predict.hpp"
#include "theory/spreading.hpp"

namespace rondo::theory {
/// The messages of all parts of a composition (problem/composition.hpp). A stage lasts as many rounds as its longest
/// part. A part without units has empty messages.
void hierarchical(Ledger& ledger, problem::Classical const& problem) {
  for (problem::Stage const& stage : stages_of(problem)) {
    std::vector<Ledger::Transcript> parts(stage.parts.size());
    std::size_t rounds = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Ledger ledger_of_part(parts[i]);
      write(ledger_of_part, stage.parts[i].problem);
      rounds = std::max(rounds, parts[i].size());
    }
    for (std::size_t round = 0; round < rounds; ++round) {
      ledger.begin_round();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (round >= parts[i].size()) continue;
        std::vector<int> const& members = stage.parts[i].members;
        std::int64_t const scale = stage.parts[i].has_units() ? 1 : 0;
        for (auto const& [from, to, units] : parts[i][round]) {
          ledger.message(members[at(from)], members[at(to)], units * scale);
        }
      }
    }
  }
}

/// A search decides these messages.
void searched(Ledger&, problem::Classical const&) { throw ContractViolation("messages that theory counts"); }

/// Calls the function of the algorithm's row in the catalogue.
void write(Ledger& ledger, problem::Classical const& problem) {
  if (is_composed(problem)) return hierarchical(ledger, problem);
  using Writes = void(Ledger&, problem::Classical const&);
  static constexpr Writes* by_row[] = {
#define ALGORITHM(collective, word, generator, counts, ...) counts,
#include "problem/catalogue.def"
#undef ALGORITHM
  };
  by_row[catalogue_index(problem)](ledger, problem);
}

namespace {

/// Lower bounds of what some rank sends, what some rank receives, and the total, in the units of a Ledger.
struct LowerBounds {
  std::int64_t sent = 0, received = 0, total = 0;
};

LowerBounds least_of_bcast(problem::Classical const& problem) {
  // Every byte leaves the root, and enters each of the others.
  std::int64_t const units = units_of(problem.sizes.block);
  return {units, units, checked_product(problem.ranks - 1, units)};
}

/// Every block except the root's own enters or leaves the root.
LowerBounds least_of_rooted(problem::Classical const& problem) {
  Run const blocks = Run::blocks(problem, problem.root);
  std::int64_t largest = 0;
  for (int v = 1; v < problem.ranks; ++v) largest = std::max(largest, blocks.of(v));
  std::int64_t const all = blocks.of(1, problem.ranks);
  if (problem.collective == ClassicalCollective::gather) return {largest, all, all};
  return {all, largest, all};
}

/// Every rank receives all blocks but its own, so some rank sends at least the average of that.
LowerBounds least_of_allgather(problem::Classical const& problem) {
  std::int64_t const p = problem.ranks;
  Run const blocks = Run::blocks(problem, 0);
  std::int64_t smallest = blocks.of(0);
  for (int r = 1; r < p; ++r) smallest = std::min(smallest, blocks.of(r));
  std::int64_t const total = checked_product(p - 1, blocks.all());
  return {checked_sum(total, p - 1) / p, blocks.all() - smallest, total};
}

/// Each rank sends and receives all blocks but its own.
LowerBounds least_of_alltoall(problem::Classical const& problem) {
  std::int64_t const p = problem.ranks;
  if (!problem.sizes.differ()) {
    std::int64_t const each = checked_product(p - 1, units_of(problem.sizes.block));
    return {each, each, checked_product(p, each)};
  }
  std::vector<std::int64_t> sent(at(p), 0), received(at(p), 0);
  LowerBounds bounds;
  for (std::int64_t s = 0; s < p; ++s) {
    for (std::int64_t t = 0; t < p; ++t) {
      if (s == t) continue;
      std::int64_t const size = problem.sizes.of(at(s * p + t)).value;
      sent[at(s)] = checked_sum(sent[at(s)], size);
      received[at(t)] = checked_sum(received[at(t)], size);
      bounds.total = checked_sum(bounds.total, size);
    }
  }
  bounds.sent = *std::max_element(sent.begin(), sent.end());
  bounds.received = *std::max_element(received.begin(), received.end());
  return bounds;
}

/// All ranks but one have a vector that is owed to others, and all but one are owed a result that depends on others. So
/// each of them sends, or receives, at least one vector, whatever is joined on the way.
LowerBounds least_of_whole(problem::Classical const& problem) {
  std::int64_t const units = units_of(problem.sizes.block);
  return {units, units, (problem.ranks - 1) * units};
}

/// The contributions of a rank to the blocks of others leave it, joined or not: the volumes of an allgather, the other
/// way round.
LowerBounds least_of_reduce_scatter(problem::Classical const& problem) {
  LowerBounds const allgather = least_of_allgather(problem);
  return {allgather.received, allgather.sent, allgather.total};
}

/// Consider one byte of the vector, and the messages that carry it in the order in which they end. A message joins the
/// contributions of at most two ranks, so no rank has all contributions before p - 1 messages. Each of the other p - 1
/// ranks then has to receive once more. So on average a rank sends, and receives, 2 (p - 1) / p vectors.
LowerBounds least_of_allreduce(problem::Classical const& problem) {
  std::int64_t const p = problem.ranks;
  std::int64_t const total = checked_product(2 * (p - 1), units_of(problem.sizes.block));
  std::int64_t const each = checked_sum(total, p - 1) / p;
  return {each, each, total};
}

/// The volumes that any algorithm needs; the promise alone decides.
LowerBounds least_of(problem::Classical const& problem) {
  if (problem.ranks == 1) return {};
  switch (problem.collective) {
    case ClassicalCollective::bcast:
      return least_of_bcast(problem);
    case ClassicalCollective::gather:
    case ClassicalCollective::scatter:
      return least_of_rooted(problem);
    case ClassicalCollective::allgather:
      return least_of_allgather(problem);
    case ClassicalCollective::alltoall:
      return least_of_alltoall(problem);
    case ClassicalCollective::reduce:
    case ClassicalCollective::scan:
    case ClassicalCollective::exscan:
      return least_of_whole(problem);
    case ClassicalCollective::reduce_scatter:
      return least_of_reduce_scatter(problem);
    case ClassicalCollective::allreduce:
    case ClassicalCollective::barrier:
      return least_of_allreduce(problem);
  }
  throw ContractViolation("a collective on all ranks");
}

/// A rank hears from p - 1 others, or p - 1 others hear from it. This takes a number of rounds, and as many start-ups
/// in sequence. The bytes of the busiest rank pass its ports, in each round at most as many largest messages as it has
/// ports.
Figures bound_of(problem::Classical const& problem, MachineCost const& cost) {
  LowerBounds const bounds = least_of(problem);
  Bytes const block = problem.sizes.block;
  double const units_of_block = static_cast<double>(units_of(block));
  std::int64_t const busiest = std::max(bounds.sent, bounds.received);
  Figures figures;
  figures.rounds = rounds_to_reach(problem.ranks - 1, cost.ports);
  figures.volume_blocks = static_cast<double>(bounds.sent) / units_of_block;
  figures.received_blocks = static_cast<double>(bounds.received) / units_of_block;
  figures.total_blocks = static_cast<double>(bounds.total) / units_of_block;
  figures.critical_blocks = static_cast<double>(busiest) / units_of_block / cost.ports;
  double const startups = static_cast<double>(*figures.rounds) * cost.cheapest.alpha.value;
  bool const without_bytes = block == Bytes(0) && !problem.sizes.differ();
  double const bytes = without_bytes ? 0 : static_cast<double>(busiest) / cost.ports / cost.cheapest.bandwidth.value;
  double const first = problem.ranks > 1 ? cost.cheapest.alpha.value : 0;
  set_time(figures, time_bound_of(startups, first + bytes));
  return figures;
}

/// If sizes differ and the block has 0 B, volumes cannot be expressed in blocks.
void forget_blocks(Figures& figures) {
  figures.volume_blocks.reset();
  figures.received_blocks.reset();
  figures.total_blocks.reset();
  figures.critical_blocks.reset();
}

/// Every rank gets each piece along a tree, and so exactly once. In reverse it sends each piece exactly once. A search
/// decides the rounds, so theory does not know them.
Prediction predict_forest(problem::Classical const& problem, MachineCost const& cost) {
  LowerBounds const bounds = least_of(problem);
  double const units_of_block = static_cast<double>(units_of(problem.sizes.block));
  Prediction prediction{{}, bound_of(problem, cost), "any", false};
  prediction.theory.total_blocks = static_cast<double>(bounds.total) / units_of_block;
  bool const backwards = problem.collective == ClassicalCollective::reduce_scatter;
  if (backwards) prediction.theory.volume_blocks = static_cast<double>(bounds.sent) / units_of_block;
  if (problem.collective == ClassicalCollective::bcast || problem.collective == ClassicalCollective::allgather) {
    prediction.theory.received_blocks = static_cast<double>(bounds.received) / units_of_block;
  }
  prediction.accounted = "rounds volume time messages";
  if (problem.sizes.differ() && problem.sizes.block == Bytes(0)) {
    forget_blocks(prediction.theory);
    forget_blocks(prediction.bound);
  }
  return prediction;
}

/// Estimates the messages of a forest: one for each block and each rank. (Blocks may be cut into up to 16 pieces, but
/// some pieces share messages.)
std::optional<MessageCounts> count_forest(problem::Classical const& problem, std::int64_t most) {
  std::int64_t const p = problem.ranks;
  bool const twice = problem.collective == ClassicalCollective::allreduce;
  MessageCounts counts{.messages = checked_product((twice ? 2 : 1) * p, p - 1), .units = least_of(problem).total};
  counts.finest = units_of(problem.sizes.block);
  if (counts.messages > most) return std::nullopt;
  return counts;
}

}  // namespace

/// Unset if there are more than `most` messages.
std::optional<MessageCounts> count_messages(problem::Classical problem, std::int64_t most) {
  expect_ranks_fit(problem);
  problem.sizes = {problem.sizes.block};
  if (problem.algorithm == "forest") return count_forest(problem, most);
  Ledger ledger(problem.ranks, problem.sizes.block, most);
  try {
    write(ledger, problem);
  } catch (Ledger::Full const&) {
    return std::nullopt;
  }
  return ledger.counts();
}

/// Counts and times by a ledger, bounds by the promise.
Prediction predict(problem::Classical const& problem, MachineCost const& cost) {
  expect_ranks_fit(problem);
  if (problem.algorithm == "forest") return predict_forest(problem, cost);
  // If sizes differ, they are in bytes, even if the block has 0 B.
  bool const no_unit = problem.sizes.differ() && problem.sizes.block == Bytes(0);
  Ledger ledger(problem.ranks, no_unit ? Bytes(1) : problem.sizes.block, cost);
  write(ledger, problem);
  Prediction prediction{ledger.figures(), bound_of(problem, cost), "any", false};
  if (prediction.theory.rounds && ledger.within_ports()) {
    prediction.volume_in_rounds = volume_in_rounds(problem, cost.ports, *prediction.theory.rounds);
  }
  prediction.exact = cost.links_unshared && ledger.within_ports();
  if (no_unit) {
    forget_blocks(prediction.theory);
    forget_blocks(prediction.bound);
  }
  return prediction;
}

}  // namespace rondo::theory
