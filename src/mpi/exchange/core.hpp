#pragma once

// Dynamic sparse exchange [Ibanez15]: each rank knows its targets, no rank knows its sources, and every rank must
// learn when it has received everything. This is the protocol of one rank as a value to which events are reported. It
// knows no MPI, never waits and holds no message. The driver (driver.hpp) carries its messages over MPI; tests drive it
// through every order of events.
//
//   nbx           Algorithm 2: an opening barrier, synchronous sends, and once all are acknowledged a closing barrier,
//                 while data are received all the time. When the closing barrier is over, all data have been received.
//   nbx_tagged    the same without opening barrier: data carry the number of their exchange.
//   personalized  the number of messages to receive is summed up by a reduce-scatter before any data are sent.
//   personalized_rooted  the same by a reduction to rank 0 and a scatter [Ibanez15, Section 2.3]: the baseline.
//
// Algorithm 1, which has neither an opening barrier nor numbers, has the race of Section 4.3: if a rank has gone on
// to the next exchange, its data can be taken for data of this one. The algorithms here have no such race. A rank is
// done with exchange n only after every rank has entered the closing barrier of n (nbx) or its reduce-scatter
// (personalized, rooted or not). So it is at most one exchange ahead of any other rank. Its first data of the next
// exchange either wait for the opening barrier or reduce-scatter, for which every rank must be done with n, or carry
// the number n + 1. Hence two numbers would be enough, and numbers may wrap around.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mpi/runtime/signals.hpp"
#include "problem/enums.hpp"

namespace rondo::mpi {

using problem::Completion;
using problem::ExchangeAlgorithm;

/// Whether a rank knows the number of messages to come before any data are sent.
constexpr bool counts_first(ExchangeAlgorithm algorithm) {
  return algorithm == ExchangeAlgorithm::personalized || algorithm == ExchangeAlgorithm::personalized_rooted;
}

/// The algorithm and the barrier of an exchange.
struct ExchangeRules {
  ExchangeAlgorithm algorithm = ExchangeAlgorithm::nbx;
  problem::Barrier barrier = problem::Barrier::dissemination;
};

/// A number of messages.
using Word = std::uint32_t;

/// Sends the messages of a rank. No function here waits.
class Transport {
 public:
  enum class Mode : std::uint8_t {
    synchronous,  ///< sent once the receiver has begun to receive it
    standard,
  };
  virtual ~Transport() = default;
  /// Sends message number `index` of this rank. The transport later calls sent().
  virtual void send_data(int target, int index, Mode mode) = 0;
  virtual void send_signal(int target, int stage, std::span<Word const> words) = 0;
};

/// The protocol of one rank.
class ExchangeCore {
 public:
  ExchangeCore(ExchangeRules rules, int rank, int ranks) : rules_(rules), rank_(rank), ranks_(ranks) {}

  /// Begins an exchange in which this rank sends message i to targets[i], another rank. Several messages may have the
  /// same target.
  void begin(std::vector<int> targets, Transport& transport);

  bool done() const { return state_.phase == Phase::done; }
  /// Whether data may be received now.
  bool awaits_data() const;
  /// The signal that is awaited now, from one peer, of one stage and length.
  std::optional<SignalStep> awaited() const;

  // One of this rank's messages has been sent; a synchronous one has been acknowledged.
  void sent(Transport& transport);
  void data_received(Transport& transport);
  void signal_received(std::span<Word const> words, Transport& transport);

  /// How many words the protocol stores at this rank besides the messages: the vector of personalized.
  std::size_t words() const { return state_.counts.size(); }

  /// The phases of an exchange, in their order.
  enum class Phase : std::uint8_t { done, opening, sending, closing };
  /// Everything that changes during an exchange.
  struct State {
    Phase phase = Phase::done;
    int step = 0;      ///< the next step of the opening's or closing's signals
    int unsent = 0;    ///< own messages that have begun
    int received = 0;  ///< messages of others
    std::vector<int> targets = {};
    std::vector<Word> counts = {};  ///< the vector of a reduce-scatter
  };
  State const& state() const { return state_; }

 private:
  std::optional<Signalling> signalling() const;
  std::optional<SignalStep> step() const;
  void signal(Transport& transport);
  void next_phase(Transport& transport);
  void send_all(Transport& transport);
  bool all_sent_and_received() const;
  void leave_sending(Transport& transport);
  /// The place of a rank's count of messages in the vector.
  std::size_t place(int target) const;
  Word expected() const { return state_.counts[place(rank_)]; }

  ExchangeRules rules_;
  int rank_;
  int ranks_;
  State state_;
};

}  // namespace rondo::mpi
