#pragma once

// The figures of programs of sparse exchanges, for their records.

#include <cstdint>
#include <optional>

namespace rondo {

/// The counts of programs of sparse exchanges; unset for all other problems.
struct ExchangeProgramFigures {
  std::optional<std::int64_t> exchanges;   ///< exchanges of the rank that takes part in most
  std::optional<std::int64_t> reductions;  ///< reductions and scans of the rank that takes part in most
  std::optional<std::int64_t> reduction_messages;
  std::optional<std::int64_t> luby_rounds;
  std::optional<std::int64_t> members;  ///< ranks in the independent set
  std::optional<std::int64_t> colors;
  std::optional<std::int64_t> levels;         ///< levels of the bisection
  std::optional<std::int64_t> smallest_part;  ///< points
  std::optional<std::int64_t> largest_part;
};

}  // namespace rondo
