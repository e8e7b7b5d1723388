// Mixes the parts of a key one after the other into the state of a generator. Normal deviates are made by the transform
// of Box and Muller, exponential ones by the inverse of their distribution.

#include "base/draw.hpp"

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace rondo {

Random draws_of(DrawKey const& key) {
  std::uint64_t state = Random(key.seed).bits();
  for (std::uint64_t const part : {key.replication, static_cast<std::uint64_t>(key.kind), key.rank}) {
    state = Random(state ^ part).bits();
  }
  return Random(state ^ key.ordinal);
}

double normal(Random& random) {
  double const radius = std::sqrt(-2 * std::log1p(-random.unit()));
  return radius * std::cos(2 * std::numbers::pi * random.unit());
}

double exponential(Random& random) { return -std::log1p(-random.unit()); }

}  // namespace rondo
