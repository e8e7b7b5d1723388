#pragma once

// The order in which a rank posts the messages of a round, which decides who waits for whom at shared ports and
// links.

#include <cstdint>

#include "base/enum_names.hpp"

namespace rondo {

/// The order in which a rank posts the sends, and the receives, of a round.
enum class Posting : std::uint8_t {
  /// As the rank lists its neighbors, then others as `shifted`; without such lists, as generated. A schedule that all
  /// ranks share has the order `shifted` if there are lists.
  neighbors,
  ascending,  ///< by the rank of the partner
  shifted,    ///< sends to the ranks that follow this one, the next one first; receives from those before it
  random      ///< in any order, by a seed
};
template <>
inline constexpr auto enum_names<Posting> = value_names<Posting>;

}  // namespace rondo
