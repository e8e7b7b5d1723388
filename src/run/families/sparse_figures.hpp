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

/// Of programs of sparse exchanges; unset elsewhere.
struct ExchangeProgramFigures {
  std::optional<std::int64_t> exchanges;   ///< of the rank that takes part in most
  std::optional<std::int64_t> reductions;  ///< and scans, likewise
  std::optional<std::int64_t> reduction_messages;
  std::optional<std::int64_t> luby_rounds;
  std::optional<std::int64_t> members;  ///< of the independent set
  std::optional<std::int64_t> colors;
  std::optional<std::int64_t> levels;         ///< of the bisection
  std::optional<std::int64_t> smallest_part;  ///< points
  std::optional<std::int64_t> largest_part;
};

}  // namespace rondo
