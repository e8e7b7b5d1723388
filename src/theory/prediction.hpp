#pragma once

// The linear cost model, which turns counts into times, and the value types of a prediction. The fields are named as in
// the record (docs/terms.md, Results). Nothing in theory/ includes a generator or a schedule, so the two can be checked
// against each other.

#include <cstdint>
#include <optional>
#include <string>

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
  std::int64_t volume_blocks = 0;  ///< blocks sent by each rank
  /// The largest message of each round, summed over the rounds; equal to volume_blocks on one port.
  std::int64_t critical_blocks = volume_blocks;
  Bytes volume_bytes = {};  ///< volume_blocks in bytes
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

namespace rondo {

/// The numbers of a closed form, or of a lower bound, for a schedule and its time. A number is unset if the form or
/// bound does not give it.
struct Figures {
  std::optional<std::int64_t> rounds;
  std::optional<double> volume_blocks;
  std::optional<std::int64_t> volume_bytes;
  std::optional<double> critical_blocks;
  std::optional<double> total_blocks;
  std::optional<double> received_blocks;
  std::optional<std::int64_t> messages;
  std::optional<double> time_s;
  /// For a lower bound of the time: the name of its reason in docs/optima.md; unset if there is no time, or if it is
  /// 0.
  std::optional<std::string> time_by = {};

  void forget_time() {
    time_s.reset();
    time_by.reset();
  }
};

/// A lower bound of the time in seconds, and its reason: start-ups in sequence, or the bytes that some rank sends or
/// receives.
struct TimeBound {
  double value = 0;
  bool by_rounds = true;
};
/// The larger one of two bounds.
inline TimeBound time_bound_of(double by_rounds, double by_volume) {
  return by_rounds >= by_volume ? TimeBound{by_rounds, true} : TimeBound{by_volume, false};
}
/// Sets a bound of time, and which of its two parts decided.
inline void set_time(Figures& figures, TimeBound const& bound) {
  figures.time_s = bound.value;
  if (bound.value > 0) figures.time_by = bound.by_rounds ? "rounds" : "volume";
}

/// The messages of a sparse exchange by their purpose, over all ranks, and the memory of a rank; unset for other
/// problems.
struct SparseFigures {
  std::optional<std::int64_t> data_messages;
  std::optional<std::int64_t> ack_messages;      ///< acknowledgements of synchronous sends
  std::optional<std::int64_t> barrier_messages;  ///< messages of barriers, or of the reduce-scatter that replaces them
  std::optional<std::int64_t> memory_bytes;      ///< the most that a rank holds for messages and counts
};

/// The prediction of an algorithm, from the problem alone.
struct Prediction {
  Figures theory;  ///< the closed form; its time is unset if the closed form does not know the machine
  Figures bound;   ///< the lower bounds for the link class
  /// The link class for which the bounds hold: "unit" or "any"; unset if there are no bounds.
  std::optional<std::string> links = "any";
  /// Whether the simulation must reproduce theory.time_s to 1e-9: no rank posts more messages than its ports serve at
  /// once, and links are not shared.
  bool exact = false;
  /// The numbers that theory does not derive from the problem, and that are only taken from what was generated or run:
  /// a selection of "rounds volume time messages".
  std::optional<std::string> accounted = {};
  /// The bounds hold for schedules with at most this many blocks in a message; unset: for any number.
  std::optional<std::int64_t> message_blocks = {};
  /// A lower bound of the blocks that some rank sends in a schedule with as many rounds as theory gives; unset if no
  /// more than `bound` is known.
  std::optional<double> volume_in_rounds = {};
  SparseFigures sparse = {};                ///< only for a sparse exchange
  std::optional<std::int64_t> levels = {};  ///< levels of a bisection
};

}  // namespace rondo
