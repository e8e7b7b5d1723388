#pragma once

#include <cstdint>
#include <optional>

namespace rondo {

/// What a closed form or a lower bound says of a schedule and its time, in the words of the record. Unset: it says
/// nothing of that.
struct Figures {
  std::optional<std::int64_t> rounds;
  std::optional<double> volume_blocks;
  std::optional<std::int64_t> volume_bytes;
  std::optional<double> critical_blocks;
  std::optional<double> total_blocks;
  std::optional<double> received_blocks;
  std::optional<std::int64_t> messages;
  std::optional<double> time_s;
};

}  // namespace rondo
