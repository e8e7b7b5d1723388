// The parts of a key are mixed one after the other into the state of a generator. Normal deviates are made by the
// transform of Box and Muller, exponential ones by the inverse of their distribution.

#include "base/random.hpp"

#include <cmath>
#include <initializer_list>
#include <numbers>

#include "base/error.hpp"

namespace rondo {

std::uint64_t Random::below(std::uint64_t bound) {
  expects(bound > 0, "a positive bound");
  std::uint64_t const unbiased_from = -bound % bound;  // 2^64 mod bound values are drawn again
  std::uint64_t drawn = bits();
  while (drawn < unbiased_from) drawn = bits();
  return drawn % bound;
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  expects(low <= high, "low <= high");
  return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
}

/// The upper 53 bits fill the significand of a double.
double Random::unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

Random draws_of(DrawKey const& key) {
  std::uint64_t state = mixed(key.seed);
  for (std::uint64_t const part : {key.replication, static_cast<std::uint64_t>(key.kind), key.rank}) {
    state = mixed(state ^ part);
  }
  return Random(state ^ key.ordinal);
}

double normal(Random& random) {
  double const radius = std::sqrt(-2 * std::log1p(-random.unit()));
  return radius * std::cos(2 * std::numbers::pi * random.unit());
}

double exponential(Random& random) { return -std::log1p(-random.unit()); }

}  // namespace rondo
