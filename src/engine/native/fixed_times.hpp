#pragma once

// When messages finish where none slows another: each holds its ports for its own duration.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/native/clock.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/queue.hpp"

namespace rondo::native {

class FixedTimes {
 public:
  using Time = Ticks;

  explicit FixedTimes(Messages const& messages) : messages_(messages), clock_(messages.longest, messages.sum) {
    for (Seconds const duration : messages.durations) ticks_.push_back(clock_.ticks(duration));
  }

  /// These messages take their ports now.
  void start(std::span<std::uint32_t const> messages, Time now) {
    for (std::uint32_t const message : messages) running_.push(now + ticks_[messages_.kind[message]], message);
  }
  /// Has `finish` hand out this number, which is no message's, when so much time has passed.
  void wake(Time now, Seconds after, std::uint32_t number) { running_.push(now + clock_.ticks(after), number); }
  /// Whether a message holds ports, or a wake is to come.
  bool running() const { return !running_.empty(); }
  /// The time at which the next messages finish or wakes come: all of them.
  Time finish(std::vector<std::uint32_t>& finished) {
    finished.clear();
    return running_.take(finished);
  }
  Seconds seconds(Time time) const { return clock_.seconds(time); }

 private:
  Messages const& messages_;
  Clock clock_;
  std::vector<Ticks> ticks_;  ///< by kind
  RadixHeap<std::uint32_t> running_;
};

}  // namespace rondo::native
