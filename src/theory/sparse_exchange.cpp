// Formulas for the messages and the memory of the algorithms of [Ibanez15].

#include "theory/sparse_exchange.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"

namespace rondo::theory {

namespace {

std::int64_t log2_up(std::int64_t p) { return std::bit_width(static_cast<std::uint64_t>(p - 1)); }

/// The sum over 0 .. p-1 of the number of set bits, which is the sum of the depths of a binomial tree, and the number
/// of words in Bruck's algorithm.
std::int64_t bits_below(std::int64_t p) {
  std::int64_t sum = 0;
  for (std::int64_t bit = 1; bit < p; bit *= 2)
    sum += p / (2 * bit) * bit + std::max<std::int64_t>(p % (2 * bit) - bit, 0);
  return sum;
}

}  // namespace

std::int64_t barrier_messages(Barrier kind, std::int64_t p) {
  return kind == Barrier::tree ? 2 * (p - 1) : p * log2_up(p);
}

std::int64_t barrier_rounds(Barrier kind, std::int64_t p) {
  return kind == Barrier::tree ? 2 * log2_up(p) : log2_up(p);
}

/// The acknowledgements and barriers of each algorithm.
SparseCounts sparse_exchange(ExchangeAlgorithm algorithm, Barrier barrier, std::int64_t p, std::int64_t data_messages) {
  switch (algorithm) {
    case ExchangeAlgorithm::nbx:
      return {data_messages, data_messages, 2 * barrier_messages(barrier, p)};
    case ExchangeAlgorithm::nbx_tagged:
      return {data_messages, data_messages, barrier_messages(barrier, p)};
    case ExchangeAlgorithm::personalized:
      return {data_messages, 0, consensus_costs(p).halving_messages};
    case ExchangeAlgorithm::personalized_rooted:
      return {data_messages, 0, consensus_costs(p).reduce_messages + consensus_costs(p).scatter_messages};
  }
  throw ContractViolation("a sparse algorithm");
}

namespace {

/// The recursive bisection: counts for a set of consecutive ranks.
struct Halving {
  ExchangeAlgorithm algorithm;
  Barrier barrier;
  std::int64_t p, points;

  std::int64_t points_before(std::int64_t rank) const { return rank * points / p; }

  /// Halves the ranks until a part has no points or one rank.
  BisectionCounts of(std::int64_t first, std::int64_t ranks) const {
    if (ranks == 1 || points_before(first + ranks) == points_before(first)) return {};
    BisectionCounts const lower = of(first, ranks / 2), upper = of(first + ranks / 2, ranks - ranks / 2);
    return {1 + std::max(lower.levels, upper.levels),
            sparse_exchange(algorithm, barrier, ranks, 0).barrier + lower.barrier_messages + upper.barrier_messages};
  }
};

}  // namespace

BisectionCounts bisection(ExchangeAlgorithm algorithm, Barrier barrier, std::int64_t p, std::int64_t points) {
  return Halving{algorithm, barrier, p, points}.of(0, p);
}

/// A reduction of p words, followed by a scatter.
ConsensusCosts consensus_costs(std::int64_t p) {
  std::int64_t const rounds = log2_up(p);
  ConsensusCosts costs;
  costs.reduce_messages = p - 1;
  costs.reduce_words = (p - 1) * p;
  costs.scatter_messages = p - 1;
  // The word of a rank is sent once for each edge between it and the root.
  costs.scatter_words = bits_below(p);
  costs.reduce_scatter_rounds = 2 * rounds;
  costs.halving_messages = p * rounds;
  costs.halving_words = p - 1;
  costs.direct_messages = p * (p - 1);
  costs.bruck_messages = p * rounds;
  costs.bruck_words = bits_below(p);
  costs.memory_words = p;
  return costs;
}

std::int64_t grown(std::int64_t bytes) {
  std::int64_t capacity = 0;
  while (capacity < bytes) capacity = 3 * (capacity + 1) / 2;
  return capacity;
}

/// The buffers that a rank allocates at most.
Bytes sparse_memory(ExchangeAlgorithm algorithm, std::int64_t p, std::span<std::int64_t const> sent,
                    std::span<std::int64_t const> received, std::int64_t rank) {
  std::int64_t bytes = 0;
  for (std::int64_t const size : sent) bytes += grown(size);
  for (std::int64_t const size : received) bytes += size;
  constexpr std::int64_t word = 4;
  if (algorithm == ExchangeAlgorithm::personalized) bytes += word * (p + p / 2);
  bool const passes_on = rank % 2 == 0 && rank + 1 < p;  // on the binomial tree
  if (algorithm == ExchangeAlgorithm::personalized_rooted) bytes += word * (p + (passes_on ? p : p > 1 ? 1 : 0));
  return Bytes(bytes);
}

}  // namespace rondo::theory
