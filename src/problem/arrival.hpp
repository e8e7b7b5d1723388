#pragma once

// When ranks arrive at a collective. In benchmarks all ranks begin at the same time; in applications some arrive late.

#include <cstdint>
#include <vector>

#include "base/enum_names.hpp"
#include "base/units.hpp"

namespace rondo::problem {

/// The distribution of arrival times. `list` and `file` take them from `values`, one for each rank; the others are
/// patterns within `spread`.
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

/// A distribution and its width.
struct Arrival {
  ArrivalKind kind = ArrivalKind::none;
  Seconds spread = {};
  std::vector<Seconds> values = {};
};

/// When each rank arrives; empty if all arrive at 0. A drawn time is a function of the seed, the replication and the
/// rank alone.
std::vector<Seconds> arrivals(Arrival const& arrival, int ranks, std::uint64_t seed, std::uint64_t replication = 0);

}  // namespace rondo::problem

namespace rondo {
template <>
inline constexpr auto enum_names<problem::ArrivalKind> = value_names<problem::ArrivalKind>;
}  // namespace rondo
