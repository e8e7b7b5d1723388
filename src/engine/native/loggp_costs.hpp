#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/native/clock.hpp"
#include "platform/platform.hpp"
#include "schedule/task_graph.hpp"

namespace rondo::native {

/// The LogGP model in ticks. What a message costs a byte is rounded once, for all its bytes.
class LogGpCosts {
 public:
  LogGpCosts(LogGp const& model, TaskGraph const& graph) : model_(model), clock_(clock(model, graph)) {
    latency_ = clock_.ticks(model.L);
    overhead_ = clock_.ticks(model.o);
    gap_ = clock_.ticks(model.g);
  }

  Clock const& clock() const { return clock_; }
  bool eager(std::int64_t bytes) const { return bytes <= model_.S.value; }
  Ticks calculation(std::int64_t nanoseconds) const {
    return clock_.ticks(Seconds(1e-9 * static_cast<double>(nanoseconds)));
  }
  /// From the start of a send to the arrival of its first byte.
  Ticks first_byte() const { return overhead_ + latency_; }
  Ticks send_cpu(std::int64_t bytes) const { return overhead_ + more(bytes, model_.O); }
  Ticks nic(std::int64_t bytes) const { return gap_ + more(bytes, model_.G); }
  Ticks receive_cpu(std::int64_t bytes) const {
    return overhead_ + std::max(more(bytes, model_.O), more(bytes, model_.G));
  }

 private:
  /// The time of the bytes after the first one; an empty message has no such bytes.
  Ticks more(std::int64_t bytes, Seconds per_byte) const {
    return clock_.ticks(static_cast<double>(std::max<std::int64_t>(bytes - 1, 0)) * per_byte);
  }

  /// Every event moves one CPU or NIC on, by at most what its message or calculation costs.
  static Clock clock(LogGp const& model, TaskGraph const& graph) {
    Seconds longest, sum;
    for (Task const& task : graph.tasks) {
      auto const amount = static_cast<double>(task.amount);
      Seconds const bytes = amount * (model.G + model.O) + model.o + model.g + model.L;
      Seconds const most = task.kind == TaskKind::calc ? Seconds(1e-9 * amount) : bytes;
      longest = std::max(longest, most);
      sum = sum + most;
    }
    return {longest, sum};
  }

  LogGp model_;
  Clock clock_;
  Ticks latency_, overhead_, gap_;
};

}  // namespace rondo::native
