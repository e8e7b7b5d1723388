#pragma once

// The random numbers of the prover: numbers modulo the prime 2^61 - 1, drawn from the system's randomness for each
// proof when they are first needed. verify_reductions.hpp explains what is computed from them and why that is correct.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedule/verify_packed.hpp"

namespace rondo::verification {

/// The Mersenne prime 2^61 - 1: products can be reduced by shifts and additions.
inline constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

// Arithmetic of numbers below the prime.
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const s = a + b;
  return s >= prime ? s - prime : s;
}
constexpr std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a >= b ? a - b : a + prime - b; }
/// The upper bits count 2^61 = 1 modulo the prime, so they are added to the lower ones.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  Wide const wide = static_cast<Wide>(a) * b;
  return sum(static_cast<std::uint64_t>(wide) & prime, static_cast<std::uint64_t>(wide >> 61));
}

/// The numbers 0, 1, 2, ... of a sequence, independent of each other and uniform below the prime.
class RandomSequence {
 public:
  std::uint64_t operator[](std::size_t i) {
    if (i >= numbers_.size()) grow(i);
    return numbers_[i];
  }

 private:
  void grow(std::size_t i);
  std::vector<std::uint64_t> numbers_;
};

/// Numbers for all i < 2^32, made of at most 2^17 drawn ones: number i is a drawn number or the product of two. As
/// polynomials in the drawn numbers, no two of them are alike.
class Spread {
 public:
  std::uint64_t operator[](std::uint32_t i) {
    return i <= low_half ? low_[i] : product(low_[i & low_half], high_[i >> 16]);
  }

 private:
  static constexpr std::uint32_t low_half = 0xffff;
  RandomSequence low_, high_;
};

/// A drawn number to the power of i < 2^32.
class Powers {
 public:
  std::uint64_t operator[](std::uint32_t i) {
    return i <= low_half ? power(low_, i) : product(power(low_, i & low_half), power(high_, i >> 16));
  }

 private:
  static constexpr std::uint32_t low_half = 0xffff;
  std::uint64_t power(std::vector<std::uint64_t>& powers, std::size_t i) {
    if (i >= powers.size()) grow(powers, i);
    return powers[i];
  }
  void grow(std::vector<std::uint64_t>& powers, std::size_t i);

  RandomSequence point_;
  std::vector<std::uint64_t> low_, high_;  ///< by the exponent, and by 2^-16 of it
};

/// The weight of every block: the product of a number for its rank and a number for its name.
class Weights {
 public:
  std::uint64_t of(Packed block) {
    return product(ranks_[static_cast<std::uint32_t>(block >> 32)], blocks_[static_cast<std::uint32_t>(block)]);
  }
  std::uint64_t of_rank(std::uint32_t rank) { return ranks_[rank]; }
  std::uint64_t of_name(BlockId block) { return blocks_[block.value]; }

 private:
  Spread ranks_, blocks_;
};

}  // namespace rondo::verification
