#pragma once

#include <vector>

#include "base/index.hpp"
#include "engine/engine.hpp"
#include "engine/native/messages.hpp"

namespace rondo::native {

/// The passages of all messages of a schedule, by their starts and ends. `times` makes seconds of a Time.
template <typename Times, typename Time>
std::vector<Passage> passages_of(Schedule const& schedule, Messages const& messages, Times const& times,
                                 std::vector<Time> const& starts, std::vector<Time> const& ends) {
  std::vector<Passage> all;
  std::uint32_t message = 0;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        Seconds const start = times.seconds(starts[message]);
        Seconds const end = times.seconds(ends[message]);
        all.push_back({Rank(rank), Rank(messages.target[message]), program.bytes(send), start, end, start, end});
        ++message;
      }
    }
  }
  return all;
}

}  // namespace rondo::native
