#pragma once

// Long arrays that are read at random positions, and sets of small numbers as bits in such arrays. With ordinary
// pages of 4 KiB most such reads also miss the translation table of addresses (the TLB), which costs as much as the
// memory access itself. Bits make operations on many members of a set at once fast.

#include <sys/mman.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

namespace rondo {

/// An allocator for standard containers. From 4 MiB on it aligns memory to 2 MiB and asks the system for pages of this
/// size (madvise(2)). Throws std::bad_alloc, or std::bad_array_new_length, which derives from it.
template <typename Value>
class LargePages {
 public:
  using value_type = Value;
  LargePages() = default;
  template <typename Other>
  explicit LargePages(LargePages<Other> const& /*other*/) {}

  Value* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(Value)) throw std::bad_array_new_length();
    std::size_t const bytes = count * sizeof(Value);
    if (bytes < 2 * page) return static_cast<Value*>(::operator new(bytes));
    std::size_t const rounded = (bytes + page - 1) / page * page;
    void* const memory = std::aligned_alloc(page, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, rounded, MADV_HUGEPAGE);  // an advice: the array is right without it
    return static_cast<Value*>(memory);
  }
  void deallocate(Value* memory, std::size_t count) {
    count * sizeof(Value) < 2 * page ? ::operator delete(memory) : std::free(memory);
  }
  friend bool operator==(LargePages const&, LargePages const&) { return true; }

 private:
  static constexpr std::size_t page = std::size_t{2} << 20;  // bytes
};

/// A vector that is read at random positions.
template <typename Value>
using Column = std::vector<Value, LargePages<Value>>;

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
