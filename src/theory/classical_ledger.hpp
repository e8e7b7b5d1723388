#pragma once

// Many algorithms have no closed form for every number of ranks. For these, theory writes down their messages by the
// formulas of their descriptions (which rank sends how much to which rank in which round), and a Ledger adds them up.
// The result is counts, and the time of the linear model on k ports. No contents are tracked, and no schedule is used.

#include <cstdint>
#include <limits>
#include <vector>

#include "theory/predict.hpp"
#include "theory/prediction.hpp"

namespace rondo::theory {

/// A time in the linear model: a number of start-ups and bytes, one after the other. As integers, equal sums give
/// exactly equal times.
struct Span {
  std::int64_t startups = 0;
  std::int64_t bytes = 0;
};

/// Adds up the messages of an algorithm, round by round.
class Ledger {
 public:
  /// Sizes are given in units: bytes, or, if `block` is 0 B, blocks.
  Ledger(int ranks, Bytes block, MachineCost const& cost);
  /// A ledger that only counts, which is fast. It throws Full after this many messages.
  Ledger(int ranks, Bytes block, std::int64_t most_messages);
  /// Thrown if there are too many messages to count.
  struct Full {};

  struct Message {
    int from, to;
    std::int64_t units;
  };
  /// The messages of each round, in the order in which they were written.
  using Transcript = std::vector<std::vector<Message>>;
  /// A ledger that records all messages, and neither counts nor times them.
  explicit Ledger(Transcript& transcript) : transcript_(&transcript) {}

  void begin_round();
  /// A message of the current round. It comes after earlier messages of its sender.
  void message(int from, int to, std::int64_t units);

  /// Closes the last round and returns the sums. No message may follow.
  Figures figures();
  /// The counts of a ledger that only counts.
  MessageCounts counts();
  /// Whether no rank posted more messages in a round than its ports can serve at once.
  bool within_ports() const { return within_ports_; }

 private:
  /// A message of the current round, and its number among the sends of its source.
  struct Entry {
    int from, to;
    std::int64_t units;
    int index;  ///< its number among the sends of its source
  };
  void count(int from, int to, std::int64_t units);
  void close_round();
  void close_counted_round();
  void time_simple();
  std::vector<std::uint32_t> by_priority() const;
  void time_by_ports();
  double seconds(Span span) const;
  Span after(Span start, Entry const& entry) const;

  Transcript* transcript_ = nullptr;
  std::int64_t bytes_of_unit_ = 0;
  double units_of_block_ = 1;
  MachineCost cost_ = {};
  std::vector<Entry> round_;
  std::vector<Span> done_;                     ///< by rank: the end of its rounds so far
  std::vector<std::int64_t> sent_, received_;  ///< by rank, in units
  std::vector<int> sends_, receives_;          ///< by rank, in the current round
  std::int64_t rounds_ = 0, messages_ = 0, total_ = 0, critical_ = 0;
  bool within_ports_ = true;

  std::int64_t most_messages_ = std::numeric_limits<std::int64_t>::max();
  MessageCounts counted_;
  std::vector<std::int64_t> round_of_sends_,
      round_of_receives_;  ///< by rank, only if it only counts: the last round with a post
  std::int64_t in_round_ = 0, largest_in_round_ = 0, most_posted_ = 0;  ///< only if it only counts
};

}  // namespace rondo::theory
