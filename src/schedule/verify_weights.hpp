#pragma once

// The words with which the prover computes. A content is packed into one word, as a replay moves it from place to
// place. The random numbers of the prover are numbers modulo the prime 2^61 - 1, drawn from the system's randomness
// for each proof when they are first needed. verify_reductions.hpp explains what is computed from them and why that
// is correct.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "topology/stated_promise.hpp"

namespace rondo::verification {

/// The name of a block, or the fingerprint of a reduction. The largest words have special meanings.
using Packed = std::uint64_t;
inline constexpr Packed nothing = ~Packed{0};      ///< a slot that was never written
inline constexpr Packed unknown = ~Packed{0} - 1;  ///< what a fault that is reported has left instead of a content
/// A reduction of 2^32 - 1 contributions or more, whose numbers are no longer told apart. No place is owed it, and two
/// of them are never equal.
inline constexpr Packed overfull = ~Packed{0} - 2;
inline constexpr Packed joined_bit = Packed{1} << 63;
/// Everything but the marks for unknown, overfull and nothing.
constexpr bool is_content(Packed content) { return content < unknown; }
/// A single block: its rank and number, without the bit of joins.
constexpr bool is_block(Packed content) { return content < joined_bit; }
/// Whether two contents are known to be the same.
constexpr bool same(Packed a, Packed b) { return a == b && a != overfull; }
/// The rank in the upper half, the number in the lower half.
constexpr Packed pack(Content content) {
  return (static_cast<Packed>(content.origin.value) << 32) | content.block.value;
}
/// The inverse of pack.
constexpr Content unpack(Packed block) {
  return {Rank(static_cast<std::int32_t>(block >> 32)), BlockId(static_cast<std::uint32_t>(block))};
}

/// The exact number of contributions of a content; `too_many` stands for itself and for all larger numbers.
using Count = std::uint32_t;
/// A count that has passed its limit.
inline constexpr Count too_many = std::numeric_limits<Count>::max();
constexpr Count sum_of_counts(Count a, Count b) { return a < too_many - b ? a + b : too_many; }

/// The data of a content that are needed if bits must agree or joins are logged.
struct Mark {
  std::uint64_t shape = 0;  ///< a fingerprint of the parenthesisation; 0 unless the same bits are asked for
  std::uint32_t made = 0;   ///< the number of the join that made it, where joins are logged; 0: it is a block
};

/// A content with all data that accompany it.
struct FullContent {
  Packed content = nothing;
  Count count = 1;
  Mark mark = {};
};

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
