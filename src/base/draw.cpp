#include "base/draw.hpp"

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace rondo {

Random draws_of(Occasion const& occasion) {
  std::uint64_t state = Random(occasion.seed).bits();
  for (std::uint64_t const part : {occasion.replication, static_cast<std::uint64_t>(occasion.kind), occasion.rank}) {
    state = Random(state ^ part).bits();
  }
  return Random(state ^ occasion.ordinal);
}

double normal(Random& random) {
  double const radius = std::sqrt(-2 * std::log1p(-random.unit()));
  return radius * std::cos(2 * std::numbers::pi * random.unit());
}

double exponential(Random& random) { return -std::log1p(-random.unit()); }

}  // namespace rondo
