#pragma once

// The log of messages (Timing::message_times) of a schedule whose sends and receives occupy their ports together.

#include <vector>

#include "base/index.hpp"
#include "engine/engine.hpp"
#include "engine/native/messages.hpp"

namespace rondo::native {

/// The times of all messages of a schedule, from their starts and ends by number of message.
inline std::vector<MessageTimes> times_of_messages(Schedule const& schedule, Messages const& messages,
                                                   std::vector<Seconds> const& starts,
                                                   std::vector<Seconds> const& ends) {
  std::vector<MessageTimes> all;
  std::uint32_t message = 0;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        Seconds const start = starts[message];
        Seconds const end = ends[message];
        all.push_back({Rank(rank), Rank(messages.target[message]), program.bytes(send), start, end, start, end});
        ++message;
      }
    }
  }
  return all;
}

}  // namespace rondo::native
