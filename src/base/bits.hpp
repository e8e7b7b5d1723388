#pragma once

// Sets of small numbers as bits. They make operations on many members at once fast.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/column.hpp"

namespace rondo {

/// One set of numbers below `size`.
class BitRow {
 public:
  explicit BitRow(std::size_t size) : words_((size + 63) / 64, 0) {}
  void insert(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  void set(std::size_t i, bool member) { member ? insert(i) : remove(i); }
  bool contains(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  std::uint64_t word(std::size_t i) const { return words_[i]; }

 private:
  Column<std::uint64_t> words_;
};

/// A set of numbers below `size` for each row.
class BitRows {
 public:
  BitRows(std::size_t rows, std::size_t size) : width_((size + 63) / 64), words_(rows * width_, 0) {}
  bool empty() const { return words_.empty(); }
  void insert(std::size_t row, std::size_t i) { words_[row * width_ + i / 64] |= std::uint64_t{1} << (i % 64); }
  bool contains(std::size_t row, std::size_t i) const { return (words_[row * width_ + i / 64] >> (i % 64) & 1) != 0; }
  void remove(std::size_t row, std::size_t i) { words_[row * width_ + i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

  /// The lowest number that is in both the row and `other`, or the constant `none`.
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t lowest_common(std::size_t row, BitRow const& other) const {
    std::uint64_t const* const words = words_.data() + row * width_;
    for (std::size_t i = 0; i < width_; ++i) {
      std::uint64_t const common = words[i] & other.word(i);
      if (common != 0) return 64 * i + static_cast<std::size_t>(std::countr_zero(common));
    }
    return none;
  }

 private:
  std::size_t width_;
  Column<std::uint64_t> words_;
};

}  // namespace rondo
