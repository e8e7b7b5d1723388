#pragma once

// When messages finish if they share bandwidth. A message occupies its ports from its start. It uses no bandwidth
// during its start-up. Then its bytes flow, and all flows of a moment share links max-min fairly.

#include <cstdint>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/instant.hpp"
#include "engine/native/flow_links.hpp"
#include "engine/native/indexed_heap.hpp"
#include "engine/native/max_min.hpp"
#include "engine/native/messages.hpp"
#include "engine/nic_gaps.hpp"
#include "engine/noise.hpp"

namespace rondo::native {

/// Has the interface of FixedTimes. Flows begin and end in moments too, and rates are solved for once in each moment.
class FluidTimes {
 public:
  FluidTimes(Messages const& messages, Noise const* noise, FlowLinks const& flow_links);

  void start(std::span<std::uint32_t const> messages, Instant now);
  void wake(Instant now, Seconds after, std::uint32_t number) { schedule(now + after, number, EventKind::end); }
  bool running() const { return !due_.empty() || flowing_ > 0; }
  Instant finish(std::vector<std::uint32_t>& finished);

 private:
  /// The kinds of events at a known time. end: a message that shares nothing ends, or a wake comes. flow: the start-up
  /// of a message is over, and its flows begin.
  enum class EventKind : std::uint8_t { end, flow };
  struct Event {
    double time;
    float rest;
    std::uint32_t number;
    EventKind due;
    friend bool operator>(Event const& a, Event const& b) {
      if (a.time != b.time) return a.time > b.time;
      return a.rest != b.rest ? a.rest > b.rest : a.number > b.number;
    }
  };
  /// A flow under way. Its remaining bytes are only computed when its rate changes.
  struct Flow {
    std::uint32_t message = nothing;
    double left = 0;  ///< bytes, at `since`
    Instant since;
    double rate = 0;
  };

  void schedule(Instant time, std::uint32_t number, EventKind due) { due_.push({time.value, time.rest, number, due}); }
  void start(std::uint32_t message, Instant now);
  bool chooses_route(std::uint32_t message) const;
  double startup_of(std::uint32_t message, double usual);
  SizeClass size_of(std::uint32_t message) const { return messages_.sizes[messages_.kind[message]]; }
  Networks networks_of(std::uint32_t message) const;
  void begin_flows(std::uint32_t message, Instant now);
  void begin_flow(std::uint32_t message, FlowLinks::Lane const& lane, Instant now);
  void end(std::uint32_t number, std::vector<std::uint32_t>& finished);
  void end_flow(MaxMin::Flow flow, std::vector<std::uint32_t>& finished);
  Instant due_time() const { return {due_.top().time, due_.top().rest}; }
  void settle();
  void take_due(double until, std::vector<std::uint32_t>& finished);

  Messages const& messages_;
  Noise const* noise_;  ///< null: none
  FlowLinks const& flow_links_;
  MaxMin rates_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> due_;
  std::vector<Flow> flows_;
  IndexedHeap ends_;  ///< of flows
  std::size_t flowing_ = 0;
  bool stale_ = false;  ///< whether flows came or went since rates were last solved
  Instant now_;         ///< the time of the last change
  std::vector<std::uint32_t> route_;
  NicGaps gaps_;
  std::unordered_map<std::uint32_t, int>
      more_flows_;  ///< by message with several flows: the number of flows that have not ended, minus one
  std::optional<RouteLoads> loads_;                                ///< where messages choose their routes
  std::unordered_map<std::uint32_t, std::vector<LinkId>> chosen_;  ///< by message under way: the route that it chose
};

}  // namespace rondo::native
