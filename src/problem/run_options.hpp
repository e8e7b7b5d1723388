#pragma once

// Options of a run that leave the messages of a schedule as they are. Arrival states when ranks arrive at a
// collective: in benchmarks all ranks begin at the same time; in applications some arrive late. Payload states how
// the SMPI engine treats the data of messages. Posting is the order in which a rank posts the messages of a round.
// This order decides who waits for whom at shared ports and links.

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

/// verified: every byte is moved and checked against its origin.
/// timing: the same messages are sent, but no payload is stored or copied.
/// automatic: `verified` if the payload does not exceed the bounds of engine/engine.hpp, otherwise `timing`.
enum class Payload : std::uint8_t { automatic, verified, timing };
template <>
inline constexpr auto enum_names<Payload> = value_names<Payload>;

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
