#pragma once

// The formulas of LogGP [Alexandrov95], in the form of LogGOPSim [Hoefler10], for loggp.cpp alone.

#include <algorithm>
#include <cstdint>

#include "platform/platform.hpp"
#include "schedule/task_graph.hpp"

namespace rondo::native {

/// The durations of the LogGP model in seconds. No duration is rounded more than twice: the cost of a byte is
/// multiplied once, by the number of all bytes.
class LogGpCosts {
 public:
  explicit LogGpCosts(LogGp const& model) : model_(model) {}

  /// A message of up to S bytes is sent without waiting for its receive.
  bool eager(std::int64_t bytes) const { return bytes <= model_.S.value; }
  static Seconds calculation(std::int64_t nanoseconds) { return Seconds(1e-9 * static_cast<double>(nanoseconds)); }
  /// From the start of a send to the arrival of its first byte.
  Seconds first_byte() const { return model_.o + model_.L; }
  /// How long a send occupies its CPU: o, and O for each byte after the first.
  Seconds send_cpu(std::int64_t bytes) const { return model_.o + more(bytes, model_.O); }
  /// How long a message occupies a NIC: g, and G for each byte after the first.
  Seconds nic(std::int64_t bytes) const { return model_.g + more(bytes, model_.G); }
  /// How long an arrival occupies the CPU: o, and the larger of O and G for each byte after the first.
  Seconds receive_cpu(std::int64_t bytes) const { return model_.o + more(bytes, std::max(model_.O, model_.G)); }

 private:
  /// The time of the bytes after the first one; an empty message has no such bytes.
  static Seconds more(std::int64_t bytes, Seconds per_byte) {
    return static_cast<double>(std::max<std::int64_t>(bytes - 1, 0)) * per_byte;
  }

  LogGp model_;
};

}  // namespace rondo::native
