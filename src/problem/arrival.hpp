#pragma once

// When ranks come to a collective. Benchmarks let all ranks begin at once; in applications some come late.

#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "base/words.hpp"

namespace rondo::problem {

/// list and file: as `values` has them, one for each rank. The others are patterns within `spread`.
enum class ArrivalKind : std::uint8_t {
  none,         ///< all at 0
  one_late,     ///< the last rank at `spread`, all others at 0
  linear,       ///< rank i of p at spread * i / (p - 1)
  uniform,      ///< drawn from 0 to `spread`, evenly
  normal,       ///< drawn around spread / 2 with deviation spread / 6, cut off at 0 and at `spread`
  exponential,  ///< drawn with mean `spread`
  list,
  file
};

struct Arrival {
  ArrivalKind kind = ArrivalKind::none;
  Seconds spread = {};
  std::vector<Seconds> values = {};
};

/// When each rank comes; empty where all come at 0. What is drawn is a function of the seed, the replication and the
/// rank.
std::vector<Seconds> arrivals(Arrival const& arrival, int ranks, std::uint64_t seed, std::uint64_t replication = 0);

}  // namespace rondo::problem

namespace rondo {
template <>
inline constexpr auto words<problem::ArrivalKind> = own_names<problem::ArrivalKind>;
}  // namespace rondo
