#pragma once

#include <cstdint>

#include "base/words.hpp"

namespace rondo {

/// In which order a rank posts the sends, and the receives, of a round.
enum class Posting : std::uint8_t {
  neighbors,  ///< as the rank lists its neighbors, then others as `shifted`; without such lists, as generated
  ascending,  ///< by the rank of the partner
  shifted,    ///< sends to the ranks that follow this one, the next one first; receives from those before it
  random      ///< in any order, by a seed
};
template <>
inline constexpr auto words<Posting> = own_names<Posting>;

}  // namespace rondo
