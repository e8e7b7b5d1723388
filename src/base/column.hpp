#pragma once

// Long arrays that are read at random positions. With ordinary pages of 4 KiB most such reads also miss the translation
// table of addresses (the TLB), which costs as much as the memory access itself.

#include <sys/mman.h>

#include <cstddef>
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

}  // namespace rondo
