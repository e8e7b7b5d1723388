#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/platform.hpp"
#include "schedule/task_graph.hpp"

namespace rondo::native {

/// The LogGP model in seconds, as doubles: none has more than two roundings. What a message costs a byte is multiplied
/// once, for all its bytes.
class LogGpCosts {
 public:
  explicit LogGpCosts(LogGp const& model) : model_(model) {}

  bool eager(std::int64_t bytes) const { return bytes <= model_.S.value; }
  static Seconds calculation(std::int64_t nanoseconds) { return Seconds(1e-9 * static_cast<double>(nanoseconds)); }
  /// From the start of a send to the arrival of its first byte.
  Seconds first_byte() const { return model_.o + model_.L; }
  Seconds send_cpu(std::int64_t bytes) const { return model_.o + more(bytes, model_.O); }
  Seconds nic(std::int64_t bytes) const { return model_.g + more(bytes, model_.G); }
  Seconds receive_cpu(std::int64_t bytes) const { return model_.o + more(bytes, std::max(model_.O, model_.G)); }

 private:
  /// The time of the bytes after the first one; an empty message has no such bytes.
  static Seconds more(std::int64_t bytes, Seconds per_byte) {
    return static_cast<double>(std::max<std::int64_t>(bytes - 1, 0)) * per_byte;
  }

  LogGp model_;
};

}  // namespace rondo::native
