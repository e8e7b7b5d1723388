#pragma once

#include <cstdint>
#include <optional>

namespace rondo {

/// The messages of a sparse exchange by their purpose, over all ranks, and what a rank needs; unset elsewhere.
struct SparseFigures {
  std::optional<std::int64_t> data_messages;
  std::optional<std::int64_t> ack_messages;      ///< of synchronous sends
  std::optional<std::int64_t> barrier_messages;  ///< of barriers, or of the reduce-scatter in their place
  std::optional<std::int64_t> memory_bytes;      ///< most that a rank holds for messages and counts
};

}  // namespace rondo
