#pragma once

// What theory says of a problem before anything runs, in the words of the record.

#include <cstdint>
#include <optional>
#include <string>

namespace rondo {

/// What a closed form or a lower bound says of a schedule and its time, in the words of the record. Unset: it says
/// nothing of that.
struct Figures {
  std::optional<std::int64_t> rounds;
  std::optional<double> volume_blocks;
  std::optional<std::int64_t> volume_bytes;
  std::optional<double> critical_blocks;
  std::optional<double> total_blocks;
  std::optional<double> received_blocks;
  std::optional<std::int64_t> messages;
  std::optional<double> time_s;
  /// Of a lower bound of the time: what it rests on, a word of docs/optima.md; unset where there is no time, or 0.
  std::optional<std::string> time_by = {};

  void forget_time() {
    time_s.reset();
    time_by.reset();
  }
};

/// A lower bound of the time in seconds: by start-ups one after the other, or by the bytes that some rank sends or
/// receives.
struct TimeBound {
  double value = 0;
  bool by_rounds = true;
};
/// The larger one of two.
inline TimeBound time_bound_of(double by_rounds, double by_volume) {
  return by_rounds >= by_volume ? TimeBound{by_rounds, true} : TimeBound{by_volume, false};
}
inline void set_time(Figures& figures, TimeBound const& bound) {
  figures.time_s = bound.value;
  if (bound.value > 0) figures.time_by = bound.by_rounds ? "rounds" : "volume";
}

/// The messages of a sparse exchange by their purpose, over all ranks, and what a rank needs; unset elsewhere.
struct SparseFigures {
  std::optional<std::int64_t> data_messages;
  std::optional<std::int64_t> ack_messages;      ///< acknowledgements of synchronous sends
  std::optional<std::int64_t> barrier_messages;  ///< messages of barriers, or of the reduce-scatter in their place
  std::optional<std::int64_t> memory_bytes;      ///< most that a rank holds for messages and counts
};

/// What theory says of an algorithm, from the problem alone.
struct Prediction {
  Figures theory;  ///< the closed form; its time is unset where the closed form does not know the machine
  Figures bound;   ///< the lower bounds for the link class
  /// The link class that the bounds hold for: "unit" or "any"; unset where there are no bounds.
  std::optional<std::string> links = "any";
  /// Whether the simulation must reproduce theory.time_s to 1e-9: no rank posts more than its ports serve at once, and
  /// links are not shared.
  bool exact = false;
  /// What theory does not derive from the problem, so that it is only accounted from what was generated or run: some of
  /// "rounds volume time messages".
  std::optional<std::string> accounted = {};
  /// The bounds hold for schedules with at most so many blocks in a message; unset: with any number.
  std::optional<std::int64_t> message_blocks = {};
  /// Blocks that some rank sends at least in a schedule with as many rounds as theory says; unset: no more than
  /// `bound` says is known.
  std::optional<double> volume_in_rounds = {};
  SparseFigures sparse = {};                ///< the messages of a sparse exchange by their purpose
  std::optional<std::int64_t> levels = {};  ///< levels of a bisection
};

}  // namespace rondo
