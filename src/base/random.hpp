#pragma once

// Random numbers that are reproducible on every machine.

#include <cstdint>

namespace rondo {

/// splitmix64 (Steele, Lea, Flood 2014). It gives the same numbers for the same seed on every machine and compiler,
/// which the standard library's distributions do not guarantee.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// 64 uniform bits.
  std::uint64_t bits();
  /// Uniform in [0, bound), without modulo bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [low, high], both included.
  std::int64_t between(std::int64_t low, std::int64_t high);
  /// Uniform in [0, 1) with 53 bits.
  double unit();

 private:
  std::uint64_t state_;
};

}  // namespace rondo
