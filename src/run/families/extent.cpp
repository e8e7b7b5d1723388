// Memory and time follow from measured rates for a message, a block move, a rank and an entry of a table. Counts of
// most algorithms grow as p, p log p or p^2, so two small numbers of ranks give the growth.

#include "run/families/extent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "process/resources.hpp"
#include "run/families/predict_scenario.hpp"
#include "scenario/enum_names.hpp"
#include "theory/predict.hpp"

namespace rondo {
namespace {

/// More messages are not counted one by one.
constexpr std::int64_t most_counted = 2'000'000;

/// The bytes of a piece that moves as a whole. In some collectives blocks move whole; in others segments do, or pieces
/// as large as the messages of the round with the smallest messages.
double bytes_of_piece(problem::Classical const& problem, theory::MessageCounts const& counts) {
  using enum ClassicalCollective;
  double const block = std::max(1.0, static_cast<double>(problem.sizes.block.value));
  switch (problem.collective) {
    case alltoall:
    case allgather:
    case gather:
    case scatter:
      return block;
    default:
      break;
  }
  auto const finest = static_cast<double>(std::max<std::int64_t>(1, counts.finest));
  auto const segment = static_cast<double>(problem.segment.value);
  return segment > 0 ? std::min(segment, finest) : finest;
}

EstimatedCounts exactly(problem::Classical const& problem, theory::MessageCounts const& counts) {
  double const pieces = static_cast<double>(counts.units) / bytes_of_piece(problem, counts);
  return {static_cast<double>(counts.messages), pieces, counts.compared, true};
}

/// The counts after so many more steps like the one from `small` to `large`.
EstimatedCounts grown(EstimatedCounts const& small, EstimatedCounts const& large, double steps) {
  auto const growth = [&](double from, double to) { return from > 0 ? to * std::pow(to / from, steps) : to; };
  return {growth(small.messages, large.messages), growth(small.pieces, large.pieces),
          growth(small.compared, large.compared), false};
}

/// Halves the number of ranks until the messages can be counted, and once more. The growth from one of these numbers to
/// the next is assumed for all further ones.
std::optional<EstimatedCounts> from_fewer_ranks(problem::Classical problem) {
  std::optional<theory::MessageCounts> large;
  int halvings = 0;
  for (; problem.ranks > 4 && !large; ++halvings) {
    problem.ranks /= 2;
    large = theory::count_messages(problem, most_counted);
  }
  if (!large) return std::nullopt;
  problem.ranks /= 2;
  auto const small = theory::count_messages(problem, most_counted);
  if (!small || small->messages == 0) return std::nullopt;
  return grown(exactly(problem, *small), exactly(problem, *large), halvings);
}

std::optional<EstimatedCounts> from_ranks(problem::Classical const& problem) {
  auto const counts = theory::count_messages(problem, most_counted);
  return counts ? exactly(problem, *counts) : from_fewer_ranks(problem);
}

/// Takes a sixteenth of the block, again and again, until the messages can be counted: many segments are many messages.
std::optional<EstimatedCounts> from_shorter_blocks(problem::Classical problem) {
  constexpr std::int64_t step = 16;
  std::optional<EstimatedCounts> large;
  int steps = 0;
  for (; problem.sizes.block.value >= step * step && !large; ++steps) {
    problem.sizes.block = Bytes(problem.sizes.block.value / step);
    large = from_ranks(problem);
  }
  if (!large) return std::nullopt;
  problem.sizes.block = Bytes(problem.sizes.block.value / step);
  auto const small = from_ranks(problem);
  if (!small) return std::nullopt;
  return grown(*small, *large, steps);
}

/// Unset for numbers of ranks that the algorithm does not accept, and if even few ranks send too many messages to
/// count.
std::optional<EstimatedCounts> estimate_counts(problem::Classical problem) {
  problem.root = 0;  // no count depends on it
  try {
    auto const counts = from_ranks(problem);
    return counts || problem.sizes.differ() ? counts : from_shorter_blocks(problem);
  } catch (InputError const&) {
    return std::nullopt;
  }
}

// The rates were measured with /usr/bin/time and an optimised build, on one core:
// - 240 B for a message with its block: ring allgather, pairwise alltoall and pipelined bcast with 10^6 to 4*10^6
// messages;
// - 65 B for a block: Bruck's alltoall on 512 to 2048 ranks, and Rabenseifner's allreduce on 1024 to 4096 ranks;
// - memory for a rank: binomial bcast on 2^12 to 2^18 ranks, and 64 to 65,536 ranks of smpi. From many_ranks on, a
// stack of smpi takes more memory.
constexpr double seconds_a_message = 1e-6, seconds_a_move = 0.45e-6, seconds_a_look = 7e-9;
constexpr double bytes_of_program = 17e6, bytes_a_message = 180, bytes_a_move = 65, bytes_a_rank = 1200;
constexpr double bytes_a_rank_of_one_program = 30;  ///< where all ranks do the same
constexpr double bytes_of_smpi = 30e6, bytes_a_rank_of_smpi = 18e3, bytes_a_rank_of_many = 75e3, many_ranks = 32'700;
constexpr double bytes_of_waiting = 2200;  ///< of a message that waits in smpi
/// The most entries of the table of places (generate/classical_writer.cpp); a larger table is not made.
constexpr double most_places = double{1 << 26}, bytes_a_place = 4;

/// Returns the entries of the table of blocks in a generator: each rank has an entry for each block that may come to
/// it.
double places_of(problem::Classical const& problem) {
  double const p = problem.ranks;
  using enum ClassicalCollective;
  switch (problem.collective) {
    case alltoall:
      return p * p * p;
    case allgather:
    case gather:
    case scatter:
      return p * p;
    default:
      return 0;
  }
}

/// Counts messages exactly if that is quick, and estimates them otherwise. Unset if estimate_counts knows no count.
std::optional<Extent> extent_for(problem::Classical const& problem) {
  auto const counts = estimate_counts(problem);
  if (!counts) return std::nullopt;
  Extent extent;
  extent.messages = extent.written = static_cast<std::int64_t>(std::min(counts->messages, 9e18));
  extent.accuracy = counts->counted ? Accuracy::counted : Accuracy::about;
  extent.moves = counts->pieces;
  double const places = places_of(problem);
  extent.places = places <= most_places ? places : 0;
  extent.waiting = counts->compared > counts->messages ? counts->messages : 0;
  return timed(extent, counts->compared);
}

/// Estimates one message for each edge of a graph. Algorithms that combine messages do not send many more than that.
/// Unset if the graph comes from a file that is not read yet.
std::optional<Extent> extent_on(problem::GraphSource const& graph) {
  auto const edges = expected_edges(graph);
  if (!edges || *edges > 9e18) return std::nullopt;
  auto const whole = static_cast<std::int64_t>(*edges);
  return timed({whole, Accuracy::about, whole});
}

/// Estimates, for each exchange, one message and one acknowledgement for each edge, and a barrier.
std::optional<Extent> extent_for(problem::SparseExchange const& problem) {
  auto const edges = expected_edges(problem.pattern);
  if (!edges) return std::nullopt;
  double const p = problem::ranks(problem.pattern);
  double const barrier = p * std::ceil(std::log2(std::max(2.0, p)));
  auto const messages = static_cast<std::int64_t>(std::min(9e18, problem.exchanges * (2 * *edges + barrier)));
  return Extent{.messages = messages, .accuracy = Accuracy::about, .waiting = 2 * *edges};
}

/// Returns an upper bound of the number of blocks that are sent. Without a root, each sender has a block for each
/// receiver, and in an exchange also the other way round. In a gather or a scatter a block takes fewer hops than the
/// sum of the extents. In a reduce each sender sends once.
double blocks_between(problem::Intergroup const& problem) {
  double const p = problem.groups.senders(), q = problem.groups.receivers();
  Torus const torus = torus_of(problem);
  auto const hops = std::accumulate(torus.extents().begin(), torus.extents().end(), double{0});
  switch (problem.collective) {
    case IntergroupCollective::allgather:
      return p * q;
    case IntergroupCollective::exchange:
      return 2 * p * q;
    case IntergroupCollective::gather:
      return p * hops;
    case IntergroupCollective::scatter:
      return q * hops;
    case IntergroupCollective::reduce:
      return p;
  }
  throw ContractViolation("a collective of two groups");
}

/// Takes the upper bound of blocks as the number of messages.
std::optional<Extent> extent_for(problem::Intergroup const& problem) {
  double const blocks = blocks_between(problem);
  Extent extent{.messages = static_cast<std::int64_t>(blocks), .accuracy = Accuracy::at_most, .moves = blocks};
  bool const rooted =
      problem.collective == IntergroupCollective::gather || problem.collective == IntergroupCollective::scatter;
  // The table of generate/intergroup_rounds.cpp has 8 bytes for each rank and block.
  if (rooted) extent.places = 8 / bytes_a_place * problem.groups.ranks() * problem.groups.ranks();
  return extent;
}

/// Prints a size with three digits, in a unit that is a power of ten.
std::string memory_text(double bytes) {
  for (auto const& [size, unit] : {std::pair(1e15, "PB"), {1e12, "TB"}, {1e9, "GB"}}) {
    if (bytes >= size) return fmt::format("{:.3g} {}", bytes / size, unit);
  }
  return fmt::format("{:.3g} MB", bytes / 1e6);
}

/// The parts of an error about a point that is too large.
struct SizeAdvice {
  char const* place;   ///< the key to change
  std::string what;    ///< the size: "64 ranks with 1e+09 messages"
  std::string advice;  ///< what the user can do
};

/// Blames the segment if few ranks send many small segments, and the number of ranks otherwise.
SizeAdvice size_advice(problem::Classical const& problem, double messages) {
  bool const pipelined = problem.segment > Bytes(0) && problem.ranks <= 64;
  return {pipelined ? "/collective/segment" : "/collective/ranks",
          fmt::format("{} ranks with {:.3g} messages", problem.ranks, messages),
          pipelined ? "take longer segments" : "take fewer ranks, or another algorithm (rondo explain FILE foretells)"};
}

SizeAdvice size_advice(problem::Intergroup const& problem, double) {
  return {"/collective/senders",
          fmt::format("{} senders and {} receivers", problem.groups.senders(), problem.groups.receivers()),
          "take fewer of either"};
}

template <typename Problem>
SizeAdvice size_advice(Problem const&, double messages) {
  return {"/collective", fmt::format("about {:.3g} messages", messages), "take fewer ranks, or a sparser graph"};
}

/// The factor by which an estimate of memory may exceed the true value.
constexpr double overestimate = 2;
/// The memory that exists wherever Rondo runs. To find out the actual memory takes as long as a small point, so points
/// below this are not checked.
constexpr double unchecked_bytes = 16 << 20;

/// Throws InputError if `bytes` exceeds the memory by more than the factor `overestimate`.
void expect_below(double bytes, SizeAdvice const& size_advice) {
  if (bytes <= unchecked_bytes) return;
  auto const memory = static_cast<double>(most_memory().value);
  if (bytes / overestimate <= memory) return;
  throw InputError(fmt::format("{}: expected what fits into the memory there is, {}, got {}, which take about {}; {}",
                               size_advice.place, memory_text(memory), size_advice.what, memory_text(bytes),
                               size_advice.advice));
}

}  // namespace

Extent timed(Extent extent, double looks) {
  extent.moves = std::max(extent.moves, static_cast<double>(extent.written));
  extent.seconds =
      static_cast<double>(extent.written) * seconds_a_message + extent.moves * seconds_a_move + looks * seconds_a_look;
  return extent;
}

std::optional<double> expected_edges(problem::GraphSource const& source) {
  double const p = problem::ranks(source);
  if (auto const* of = std::get_if<problem::RandomGraph>(&source)) return of->density * p * (p - 1);
  if (auto const* of = std::get_if<problem::GeometricGraph>(&source)) return of->degree * p;
  if (auto const* of = std::get_if<problem::RandomTargets>(&source)) return of->targets * p;
  if (auto const* of = std::get_if<problem::OffsetsGraph>(&source)) return of->neighborhood.size() * p;
  if (auto const* of = std::get_if<problem::MooreGraph>(&source)) {
    double reached = 1;
    for (int const extent : of->torus.extents()) reached *= std::min(2.0 * of->radius + 1, double(extent));
    return p * (reached - 1);
  }
  if (std::holds_alternative<problem::HypercubePattern>(source)) return p * std::log2(std::max(1.0, p));
  if (auto const* of = std::get_if<WeightedGraph>(&source)) return static_cast<double>(of->graph.edges());
  return std::nullopt;
}

std::optional<Extent> extent_before(scenario::Scenario const& point) {
  problem::Problem const& problem = point.problem;
  if (auto const* classical = std::get_if<problem::Classical>(&problem)) return extent_for(*classical);
  if (auto const* neighbor = std::get_if<problem::Neighbor>(&problem)) return extent_on(neighbor->graph);
  if (auto const* sparse = std::get_if<problem::SparseOnGraph>(&problem)) return extent_on(sparse->graph);
  if (auto const* exchange = std::get_if<problem::SparseExchange>(&problem)) return extent_for(*exchange);
  if (auto const* groups = std::get_if<problem::Intergroup>(&problem)) return extent_for(*groups);
  return std::nullopt;
}

/// Adds up the memory of the schedule and of the engine. SMPI has an actor with a stack for each rank.
double bytes_needed(scenario::Scenario const& point, std::optional<Extent> const& extent) {
  bool const smpi = point.engine != scenario::Engine::native;
  double const p = ranks(point.problem);
  bool const one_for_all = std::holds_alternative<problem::Isomorphic>(point.problem);
  double bytes = bytes_of_program + p * (one_for_all ? bytes_a_rank_of_one_program : bytes_a_rank);
  if (smpi) bytes += bytes_of_smpi + p * (p < many_ranks ? bytes_a_rank_of_smpi : bytes_a_rank_of_many);
  if (!extent) return bytes;
  bytes += static_cast<double>(extent->written) * bytes_a_message + extent->moves * bytes_a_move +
           extent->places * bytes_a_place;
  return smpi ? bytes + extent->waiting * bytes_of_waiting : bytes;
}

void expect_memory(scenario::Scenario const& scenario) {
  auto const extent = extent_before(scenario);
  double const messages = extent ? static_cast<double>(extent->messages) : 0;
  expect_below(bytes_needed(scenario, extent),
               std::visit([&](auto const& problem) { return size_advice(problem, messages); }, scenario.problem));
}

}  // namespace rondo
