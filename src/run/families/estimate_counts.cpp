// Estimates the messages of a classical collective. Counts of most algorithms grow as p, p log p or p^2, so two small
// numbers of ranks give the growth, and the large number is extrapolated.

#include "run/families/estimate_counts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.hpp"
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

}  // namespace

/// The root does not change counts, so they are those of root 0. Unset if the problem is refused.
std::optional<EstimatedCounts> estimate_counts(problem::Classical problem) {
  problem.root = 0;
  try {
    auto const counts = from_ranks(problem);
    return counts || problem.sizes.differ() ? counts : from_shorter_blocks(problem);
  } catch (InputError const&) {
    return std::nullopt;
  }
}

}  // namespace rondo
