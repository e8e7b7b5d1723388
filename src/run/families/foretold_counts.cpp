#include "run/families/foretold_counts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.hpp"
#include "theory/predict.hpp"

namespace rondo {
namespace {

/// More messages are not counted one by one.
constexpr std::int64_t most_counted = 2'000'000;

/// As many pieces as the messages of the round of the smallest ones have of them.
ForetoldCounts exactly(theory::MessageCounts const& counts) {
  double const pieces =
      static_cast<double>(counts.units) / static_cast<double>(std::max<std::int64_t>(1, counts.finest));
  return {static_cast<double>(counts.messages), pieces, counts.compared, true};
}

/// With half as many ranks, again and again until they can be counted, and then with half of these; what was between
/// those two is between any two.
std::optional<ForetoldCounts> extrapolated(problem::Classical problem) {
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
  ForetoldCounts const a = exactly(*small), b = exactly(*large);
  auto const grown = [&](double from, double to) { return from > 0 ? to * std::pow(to / from, halvings) : to; };
  return ForetoldCounts{grown(a.messages, b.messages), grown(a.pieces, b.pieces), grown(a.compared, b.compared), false};
}

}  // namespace

std::optional<ForetoldCounts> foretold_counts(problem::Classical problem) {
  problem.root = 0;
  try {
    auto const counts = theory::count_messages(problem, most_counted);
    return counts ? exactly(*counts) : extrapolated(problem);
  } catch (InputError const&) {
    return std::nullopt;
  }
}

}  // namespace rondo
