#pragma once

// When messages finish where none slows another: each holds its ports for its own duration.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/instant.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/noise_of.hpp"
#include "engine/native/queue.hpp"

namespace rondo::native {

class FixedTimes {
 public:
  explicit FixedTimes(Messages const& messages, Noise const* noise) : messages_(messages), noise_(noise) {}

  /// These messages take their ports now.
  void start(std::span<std::uint32_t const> messages, Instant now) {
    std::uint32_t last = nothing;
    Instant end;
    for (std::uint32_t const message : messages) {
      std::uint32_t const kind = messages_.kind[message];
      if (kind != last) end = now + messages_.durations[last = kind];
      running_.push(noise_ == nullptr ? end : end + startup_noise(*noise_, messages_, message), message);
    }
  }
  /// Has `finish` hand out this number, which is no message's, when so much time has passed.
  void wake(Instant now, Seconds after, std::uint32_t number) { running_.push(now + after, number); }
  /// Whether a message holds ports, or a wake is to come.
  bool running() const { return !running_.empty(); }
  /// The time at which the next moment opens, and the messages that finish in it, and the wakes that come.
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
