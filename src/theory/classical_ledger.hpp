#pragma once

// Where an algorithm has no closed form for every number of ranks, theory writes down its messages by the formulas of
// its description, which rank sends how much to which in which round, and a Ledger adds them up: counts, and the time
// of the linear model on k ports. No contents are followed, and no schedule is seen.

#include <cstdint>
#include <limits>
#include <vector>

#include "theory/predict.hpp"
#include "theory/prediction.hpp"

namespace rondo::theory {

/// A time in the linear model: so many start-ups and bytes one after the other. Equal sums make equal seconds.
struct Span {
  std::int64_t startups = 0;
  std::int64_t bytes = 0;
};

class Ledger {
 public:
  /// Sizes are said in units: bytes of a block of `block` bytes, or, where that has none, blocks.
  Ledger(int ranks, Bytes block, MachineCost const& cost);
  /// One that only counts, quickly, and no more than so many messages: the next one throws Full.
  Ledger(int ranks, Bytes block, std::int64_t most_messages);
  struct Full {};

  struct Message {
    int from, to;
    std::int64_t units;
  };
  /// By round, in the order in which they are said.
  using Transcript = std::vector<std::vector<Message>>;
  /// One that writes everything down, and neither counts nor times it.
  explicit Ledger(Transcript& transcript) : transcript_(&transcript) {}

  void begin_round();
  /// A message in the round at hand, behind those that its sender has posted in it.
  void message(int from, int to, std::int64_t units);

  /// Closes the last round. Afterwards nothing is written any more.
  Figures figures();
  /// What one that only counts has counted.
  MessageCounts counts();
  /// Whether no rank posted more messages in a round than its ports serve at once.
  bool within_ports() const { return within_ports_; }

 private:
  struct Entry {
    int from, to;
    std::int64_t units;
    int index;  ///< among the sends of its source
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
  std::vector<int> sends_, receives_;          ///< by rank, in the round at hand
  std::int64_t rounds_ = 0, messages_ = 0, total_ = 0, critical_ = 0;
  bool within_ports_ = true;

  std::int64_t most_messages_ = std::numeric_limits<std::int64_t>::max();
  MessageCounts counted_;
  std::vector<std::int64_t> round_of_sends_, round_of_receives_;  ///< by rank, if it only counts: when it last had one
  std::int64_t in_round_ = 0, largest_in_round_ = 0, most_posted_ = 0;  ///< of what it only counts
};

}  // namespace rondo::theory
