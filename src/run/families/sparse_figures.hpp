#pragma once

#include <cstdint>
#include <optional>

namespace rondo {

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
