#pragma once

// Reports of deadlocks: the waits of all ranks when a simulation deadlocks, and the circular wait among them that
// explains it.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/native/messages.hpp"
#include "schedule/schedule.hpp"

namespace rondo::native {

/// A rank that waits forever, and one of the ranks for which it waits.
struct Wait {
  std::int32_t rank = 0;
  std::int32_t on = 0;  ///< `nobody` if that rank does not exist
  int round = 0;        ///< the round of `rank`
};

/// How far a rank has come. It posts its sends and receives in the order of their numbers.
struct RoundPosition {
  int round = 0;
  std::uint32_t send = 0, receive = 0;          ///< the numbers of the first send and receive of its round
  std::uint32_t send_end = 0, receive_end = 0;  ///< the numbers of the first send and receive of its next round
};

/// The waits of all ranks when nothing is under way: the sends and receives that only one end has posted.
/// `sender_continues` marks the messages whose sends do not block their senders.
std::vector<Wait> waits_of(Schedule const& schedule, Messages const& messages, std::vector<RoundPosition> const& ranks,
                           std::vector<bool> const& sender_continues);

/// One line about a deadlock: a smallest circular wait if there is one, otherwise the first wait for something that is
/// never posted. `waits` must not be empty.
std::string deadlock_text(int ranks, std::vector<Wait> const& waits);

}  // namespace rondo::native
