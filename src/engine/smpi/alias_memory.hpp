#pragma once

// Memory for simulations without payload: MPI calls need valid buffers, but nobody reads their content.

#include <cstddef>

#include "base/units.hpp"

namespace rondo {

/// Addresses for any number of bytes that all map to the same few pages: a buffer that is written but never read.
class AliasMemory {
 public:
  /// Throws std::bad_alloc if no addresses are left.
  explicit AliasMemory(Bytes bytes);
  ~AliasMemory();
  AliasMemory(AliasMemory const&) = delete;
  AliasMemory& operator=(AliasMemory const&) = delete;

  std::byte* first() const { return first_; }

 private:
  std::byte* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace rondo
