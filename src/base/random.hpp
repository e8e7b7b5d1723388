#pragma once

// Random numbers that are reproducible on every machine, and random numbers that belong to a key. The number that a
// rank draws for its n-th piece of work does not depend on earlier draws, nor on the order in which a simulation
// reaches it. So both engines draw the same numbers.

#include <cstdint>

namespace rondo {

/// splitmix64 adds this to its state for each number: 2^64 divided by the golden ratio.
inline constexpr std::uint64_t golden_step = 0x9e3779b97f4a7c15ull;

/// The first number that splitmix64 gives from a state. Every bit of it depends on every bit of the state, and
/// different states have different numbers. Stafford found the multipliers by search (variant 13).
constexpr std::uint64_t mixed(std::uint64_t state) {
  std::uint64_t z = state + golden_step;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// splitmix64 (Steele, Lea, Flood 2014). It gives the same numbers for the same seed on every machine and compiler,
/// which the standard library's distributions do not guarantee.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// 64 uniform bits.
  std::uint64_t bits() {
    std::uint64_t const number = mixed(state_);
    state_ += golden_step;
    return number;
  }
  /// Uniform in [0, bound), without modulo bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [low, high], both included.
  std::int64_t between(std::int64_t low, std::int64_t high);
  /// Uniform in [0, 1) with 53 bits.
  double unit();

 private:
  std::uint64_t state_;
};

/// The purpose of a draw, which is part of its key. docs/model.md lists these values.
enum class DrawKind : std::uint8_t { arrival = 1, cpu = 2, compute = 3, latency = 4 };

/// Identifies a draw: two draws with the same key are the same.
struct DrawKey {
  std::uint64_t seed = 0;
  std::uint64_t replication = 0;  ///< from 0
  DrawKind kind{};
  std::uint64_t rank = 0;
  std::uint64_t ordinal = 0;  ///< number of the work in the rank's program, from 0
};

/// A generator of random numbers for a key. It is splitmix64 with the initial state
///   H(H(H(H(seed) XOR replication) XOR kind) XOR rank) XOR ordinal
/// H(x) is mixed(x).
Random draws_of(DrawKey const& key);

/// A number from the normal distribution with mean 0 and deviation 1, made of two uniform numbers [Box58].
double normal(Random& random);
/// A number from the exponential distribution with mean 1, made of one uniform number.
double exponential(Random& random);

}  // namespace rondo
