#pragma once

// When messages finish if none slows another down: each message occupies its ports for its own duration.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/instant.hpp"
#include "engine/native/message_noise.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/queue.hpp"

namespace rondo::native {

/// A queue of the ends of messages under way.
class FixedTimes {
 public:
  explicit FixedTimes(Messages const& messages, Noise const* noise) : messages_(messages), noise_(noise) {}

  /// These messages occupy their ports from now on.
  void start(std::span<std::uint32_t const> messages, Instant now) {
    std::uint32_t last = nothing;
    Instant end;
    for (std::uint32_t const message : messages) {
      std::uint32_t const kind = messages_.kind[message];
      if (kind != last) end = now + messages_.durations[last = kind];
      running_.push(noise_ == nullptr ? end : end + startup_noise(*noise_, messages_, message), message);
    }
  }
  /// Makes `finish` return this number, which belongs to no message, after this time.
  void wake(Instant now, Seconds after, std::uint32_t number) { running_.push(now + after, number); }
  /// Whether a message is under way or a wake is to come.
  bool running() const { return !running_.empty(); }
  /// Opens the next moment. Returns its time, and the messages that finish and the wakes that come in it.
  Instant finish(std::vector<std::uint32_t>& finished) {
    finished.clear();
    return running_.take(finished);
  }

 private:
  Messages const& messages_;
  Noise const* noise_;  ///< null: none
  RadixHeap<std::uint32_t> running_;
};

}  // namespace rondo::native
