#pragma once

// Random numbers that belong to a key. What a rank draws for its n-th piece of work does not depend on earlier
// draws, nor on the order in which a simulation reaches it. So both engines draw the same numbers.

#include <cstdint>

#include "base/random.hpp"

namespace rondo {

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
/// H(x) is the first number that splitmix64 returns from the state x.
Random draws_of(DrawKey const& key);

/// A number from the normal distribution with mean 0 and deviation 1, made of two uniform numbers [Box58].
double normal(Random& random);
/// A number from the exponential distribution with mean 1, made of one uniform number.
double exponential(Random& random);

}  // namespace rondo
