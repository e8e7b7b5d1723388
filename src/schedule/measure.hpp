#pragma once

// Counts rounds, messages and volumes of a schedule, by which algorithms are compared and which theory predicts.

#include <cstdint>

#include "schedule/schedule.hpp"

namespace rondo {

/// The counts of a schedule, which follow from its messages alone; docs/records.md explains each. Volumes are in blocks
/// of the layout's m: the number of blocks if every slot takes m bytes, otherwise bytes / m.
struct Measures {
  int rounds = 0;              ///< D: the last round in which any rank sends or receives
  double volume_blocks = 0;    ///< most blocks any rank sends
  double critical_blocks = 0;  ///< sum over the rounds of the largest message
  double total_blocks = 0;     ///< blocks sent by all ranks
  double received_blocks = 0;  ///< most blocks any rank receives
  Bytes volume_bytes;          ///< most bytes any rank sends
  Bytes critical_bytes;        ///< sum over the rounds of the largest message
  std::int64_t messages = 0;   ///< messages of all ranks
  Bytes total_bytes;           ///< bytes sent by all ranks
  Bytes reduced_bytes;         ///< most bytes that any rank joins with what it has, as they arrive or are copied
  int ports = 0;               ///< most sends, or most receives, that a rank posts in one round
};

/// Counts a schedule; the time is proportional to the messages of all programs.
Measures measure(Schedule const& schedule);

/// How many bytes a rank of the program joins in a round, among what it receives and what it copies.
Bytes reduced_bytes(Program const& program, int round);

}  // namespace rondo
