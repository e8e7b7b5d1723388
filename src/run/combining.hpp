#pragma once

#include <cstdint>
#include <optional>

namespace rondo {

/// What the common-neighbors combining of a neighborhood collective is like [Mirsadeghi17]; unset elsewhere.
struct CombiningFigures {
  std::optional<std::int64_t> friends;           ///< pairs of friends before the first iteration
  std::optional<std::int64_t> iterations;        ///< t, of Algorithm 1
  std::optional<std::int64_t> pairing_rounds;    ///< most r, iterations of Algorithm 2 in one of Algorithm 1
  std::optional<std::int64_t> pairing_messages;  ///< of Algorithm 2, if it runs distributed
  std::optional<std::int64_t> max_sends;         ///< most messages a rank sends; for `naive` too
  std::optional<std::int64_t> savable_messages;  ///< friend exchanges that deliver by themselves
  std::optional<double> setup_wall_s;            ///< real time that making the pattern, or an isomorphic schedule, took
};

}  // namespace rondo
