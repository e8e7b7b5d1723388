#pragma once

#include <cstddef>

#include "base/units.hpp"

namespace rondo {

/// Addresses for any number of bytes, over and over the same few pages: for buffers that are written and never read.
class AliasMemory {
 public:
  /// Throws std::bad_alloc when there are no addresses left.
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
