#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/native/messages.hpp"
#include "schedule/schedule.hpp"

namespace rondo::native {

/// A rank that waits for ever, and a rank it waits for.
struct Wait {
  std::int32_t rank = 0;
  std::int32_t on = 0;  ///< nobody: the partner is no rank
  int round = 0;        ///< that it waits in
};

/// Where a rank stands. Its sends and receives are posted in the order of their numbers.
struct Standing {
  int round = 0;
  std::uint32_t send = 0, receive = 0;          ///< the first of its round
  std::uint32_t send_end = 0, receive_end = 0;  ///< the first of later rounds
};

/// What ranks wait for once nothing is under way: what only one end has posted. `left` are messages whose sends wait
/// for no receive.
std::vector<Wait> waits_of(Schedule const& schedule, Messages const& messages, std::vector<Standing> const& ranks,
                           std::vector<bool> const& left);

/// One line on a standstill: a smallest circular wait if there is one, else the first wait for something that is never
/// posted. `waits` is not empty.
std::string describe_standstill(int ranks, std::vector<Wait> const& waits);

}  // namespace rondo::native
