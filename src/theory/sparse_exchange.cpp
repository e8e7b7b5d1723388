// Formulas for the messages and the memory of the algorithms of [Ibanez15]. They lead to the predictions for MPI
// programs: the messages and memory of sparse exchanges, the memory of programs on graphs, and the levels of
// bisections.

#include "theory/sparse_exchange.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "theory/predict.hpp"

namespace rondo::theory {

namespace {

std::int64_t log2_up(std::int64_t p) { return std::bit_width(static_cast<std::uint64_t>(p - 1)); }

}  // namespace

std::int64_t barrier_messages(Barrier kind, std::int64_t p) {
  return kind == Barrier::tree ? 2 * (p - 1) : p * log2_up(p);
}

/// The acknowledgements and barriers of each algorithm.
SparseCounts sparse_exchange(ExchangeAlgorithm algorithm, Barrier barrier, std::int64_t p, std::int64_t data_messages) {
  switch (algorithm) {
    case ExchangeAlgorithm::nbx:
      return {data_messages, data_messages, 2 * barrier_messages(barrier, p)};
    case ExchangeAlgorithm::nbx_tagged:
      return {data_messages, data_messages, barrier_messages(barrier, p)};
    case ExchangeAlgorithm::personalized:
      return {data_messages, 0, p * log2_up(p)};
    case ExchangeAlgorithm::personalized_rooted:
      return {data_messages, 0, (p - 1) + (p - 1)};
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

namespace {

Prediction unpredicted() { return {{}, {}, std::nullopt}; }

/// The sizes of the messages that a rank sends and receives.
struct Traffic {
  std::vector<std::int64_t> sent, received;
  std::int64_t bytes_to_others = 0;
  std::int64_t messages_to_others = 0;
};

/// The messages of one rank.
Traffic traffic_of(ProcessGraph const& graph, std::vector<int> const& sizes, Rank rank) {
  Traffic traffic;
  auto const size = [&](std::int64_t edge) { return sizes[static_cast<std::size_t>(edge)]; };
  std::int64_t edge = graph.first_edge(rank);
  for (Neighbor const& target : graph.targets(rank)) {
    traffic.sent.push_back(size(edge));
    if (target.rank != rank) {
      traffic.bytes_to_others += size(edge);
      ++traffic.messages_to_others;
    }
    ++edge;
  }
  for (Neighbor const& source : graph.sources(rank)) {
    if (source.rank != rank) traffic.received.push_back(size(graph.first_edge(source.rank) + source.slot));
  }
  return traffic;
}

/// The memory into which a rank that waits receives: a byte more than the largest message, so that each message travels
/// whole, and the size of the rest that a longer message would have.
std::int64_t waited_bytes(problem::ExchangeWays const& ways, std::int64_t largest) {
  return ways.completion == problem::Completion::wait ? largest + 1 + 4 : 0;
}

}  // namespace

/// All exchanges together.
Prediction predict(problem::SparseExchange const& problem, MachineCost const& /*cost*/) {
  ProcessGraph const& graph = graph_of(problem.pattern);
  std::vector<int> const sizes = message_sizes(problem);
  std::int64_t const p = graph.ranks();
  std::int64_t data = 0, most_bytes = 0, memory = 0;
  for (int rank = 0; rank < p; ++rank) {
    Traffic const traffic = traffic_of(graph, sizes, Rank(rank));
    data += traffic.messages_to_others;
    most_bytes = std::max(most_bytes, traffic.bytes_to_others);
    memory = std::max(memory, sparse_memory(problem.ways.algorithm, p, traffic.sent, traffic.received, rank).value);
  }
  memory += waited_bytes(problem.ways, sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end()));
  auto const counts = sparse_exchange(problem.ways.algorithm, problem.ways.barrier, p, data);
  std::int64_t const n = problem.exchanges;
  Prediction prediction = unpredicted();
  prediction.sparse = {n * counts.data, n * counts.acks, n * counts.barrier, memory};
  prediction.theory.messages = n * counts.messages();
  prediction.theory.volume_bytes = n * most_bytes;
  return prediction;
}

/// Nobody can tell the number of exchanges in advance, but the largest one is known: each rank sends each of its
/// neighbors two words and the block.
Prediction predict(problem::GraphProgram const& problem, MachineCost const& /*cost*/) {
  ProcessGraph const& graph = graph_of(problem.graph);
  std::int64_t const p = graph.ranks(), size = checked_sum(16, problem.block.value);
  std::int64_t memory = 0;
  for (int rank = 0; rank < p; ++rank) {
    std::vector<std::int64_t> const sent(graph.distinct_targets(Rank(rank)).size(), size);
    std::vector<std::int64_t> const received(graph.distinct_sources(Rank(rank)).size(), size);
    memory = std::max(memory, sparse_memory(problem.ways.algorithm, p, sent, received, rank).value);
  }
  Prediction prediction = unpredicted();
  prediction.sparse.memory_bytes = memory + waited_bytes(problem.ways, size);
  return prediction;
}

/// The barrier's messages and the levels of the recursion.
Prediction predict(problem::Bisection const& problem, MachineCost const& /*cost*/) {
  auto const counts = bisection(problem.ways.algorithm, problem.ways.barrier, problem.ranks, problem.cloud.points);
  Prediction prediction = unpredicted();
  prediction.sparse.barrier_messages = counts.barrier_messages;
  prediction.levels = counts.levels;
  return prediction;
}

Prediction predict(problem::UserProgram const& /*problem*/, MachineCost const& /*cost*/) { return unpredicted(); }

}  // namespace rondo::theory
