#pragma once

// The linear cost model, and the times that it gives for counts.

#include <cstdint>

#include "base/units.hpp"

namespace rondo::theory {

/// The linear cost model: a message of n bytes takes alpha + beta * n.
struct LinearCost {
  Seconds alpha;
  BytesPerSecond bandwidth;  ///< 1 / beta
};

/// The counts of an algorithm in which every rank does the same. Bytes are 0 unless block sizes were given.
struct Counts {
  std::int64_t rounds = 0;
  std::int64_t volume_blocks = 0;                ///< blocks sent by each rank
  std::int64_t critical_blocks = volume_blocks;  ///< sum over the rounds of the largest message; equal to V on one port
  Bytes volume_bytes = {};                       ///< the same in bytes
  Bytes critical_bytes = {};
};

/// The time rounds * alpha + beta * (critical * block + rounds * envelope): in each round the largest message of each
/// rank counts, on as many ports as the schedule uses [Traeff16, Section 3.1]. The machine adds the envelope to every
/// message.
Seconds time(Counts const& counts, Bytes block, Bytes envelope, LinearCost const& cost);
/// The time of counts with block sizes: rounds * alpha + beta * (critical_bytes + rounds * envelope).
Seconds time_irregular(Counts const& counts, Bytes envelope, LinearCost const& cost);

/// The block sizes m for which message combining is faster than the straightforward algorithm in the linear model: D
/// alpha + V m beta < s alpha + s m beta [Traeff16, Section 3.1, corrected]. For allgather W replaces V.
struct Cutoff {
  enum class Faster : std::uint8_t { never, always, below, above };
  Faster faster = Faster::never;
  double bytes = 0;  ///< (alpha/beta) (s - D) / (V - s), for `below` and `above`
  friend bool operator==(Cutoff const&, Cutoff const&) = default;
};
Cutoff cutoff(Counts const& combining, Counts const& straightforward, LinearCost const& cost);

}  // namespace rondo::theory
