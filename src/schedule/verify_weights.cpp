// Extends the lists of drawn numbers and of powers when they are needed.

#include "schedule/verify_weights.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "base/coin.hpp"

namespace rondo::verification {

/// Doubles the list; numbers that exist already stay the same.
void RandomSequence::grow(std::size_t i) {
  std::size_t const before = numbers_.size();
  numbers_.resize(std::bit_ceil(std::max<std::size_t>(i + 1, 8)));
  std::span const added = std::span(numbers_).subspan(before);
  draw(added);
  for (std::uint64_t& number : added) {
    // 61 bits are uniform up to the prime; the prime itself is drawn anew.
    while ((number &= prime) == prime) draw({&number, 1});
  }
}

/// `low_` has the powers below 2^16, `high_` those of the point's 2^16-th power.
void Powers::grow(std::vector<std::uint64_t>& powers, std::size_t i) {
  std::uint64_t const base = &powers == &low_ ? point_[0] : product(power(low_, low_half), point_[0]);
  if (powers.empty()) powers.push_back(1);
  for (std::size_t const size = std::bit_ceil(i + 1); powers.size() < size;)
    powers.push_back(product(powers.back(), base));
}

}  // namespace rondo::verification
