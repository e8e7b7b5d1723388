#pragma once

// How long messages under way take. A message occupies its ports from its start.
// With FixedTimes no message slows another down, and each occupies its ports for its own duration.
// With FluidTimes messages share bandwidth. A message uses no bandwidth during its start-up. Then its bytes flow, and
// all flows of a moment share links max-min fairly.
// FlowLinks numbers these links for MaxMin: first the links of a platform file, then those of paths.hpp
// (NICs, memories and the links of the topology).

#include <cstdint>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/engine.hpp"
#include "engine/instant.hpp"
#include "engine/native/max_min.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/queue.hpp"
#include "engine/noise.hpp"
#include "platform/paths.hpp"

namespace rondo::native {

/// The numbered links of a machine.
class FlowLinks {
 public:
  /// `file` has the routes if the platform is a file; its hosts are those of the ranks.
  FlowLinks(Platform const& platform, FileRoutes const* file, int ranks);

  /// A machine of one rank that stands for all ranks of a torus or ring. All links of one dimension and direction are
  /// one link, and the NICs of all hosts are one. So the messages of one rank share links with the corresponding
  /// messages of all other ranks.
  static FlowLinks of_one_rank(Platform const& platform, int dimensions);

  /// The number of hosts with NICs of their own.
  int hosts() const { return hosts_; }
  /// The capacity of each link in bytes per second, by its number.
  std::vector<double> const& capacities() const { return capacities_; }

  /// The speed of a message between two ranks, without other messages.
  struct Speed {
    double startup = 0;    ///< seconds before its bytes flow
    double bandwidth = 0;  ///< bytes per second of a message alone, if its route has no narrower link; durations use it
    double cap = 0;  ///< the largest rate of its flow, which is less than `bandwidth` if a file has narrower fat pipes
  };
  Speed speed(std::int32_t from, std::int32_t to, SizeClass size) const;
  /// Whether the message may share links with other messages. If not, its route has no links.
  bool shares(std::int32_t from, std::int32_t to) const;
  /// Writes the numbers of the links that the first flow of the message shares, and returns the speed of the message.
  Speed route(std::int32_t from, std::int32_t to, SizeClass size, std::vector<std::uint32_t>& into) const;
  /// Writes the numbers of the links of one flow whose route between routers is `links`.
  void route_over(std::int32_t from, std::int32_t to, SizeClass size, int flow, std::vector<LinkId> const& links,
                  std::vector<std::uint32_t>& into) const;
  /// The route between routers of the last call of `route`.
  std::vector<LinkId> const& links() const { return links_; }
  Platform const& platform() const { return platform_; }
  Paths const& paths() const { return paths_; }

 private:
  FlowLinks(Platform const& platform, FileRoutes const* file, int hosts, LinkId links);

  Platform const& platform_;
  FileRoutes const* file_;
  Paths paths_;
  SharedResources resources_;
  int hosts_;
  std::vector<double> capacities_;
  mutable std::vector<LinkId> links_;
};

/// A queue of the ends of messages under way.
class FixedTimes {
 public:
  explicit FixedTimes(Messages const& messages, Noise const* noise) : messages_(messages), noise_(noise) {}

  /// These messages occupy their ports from now on.
  void start(std::span<std::uint32_t const> messages, Instant now) {
    std::uint32_t last = nothing;
    Instant end;
    for (std::uint32_t const message : messages) {
      std::uint32_t const kind = messages_.kind[message];
      if (kind != last) end = now + messages_.durations[last = kind];
      running_.push(noise_ == nullptr ? end : end + startup_noise(*noise_, messages_, message), message);
    }
  }
  /// Makes `finish` return this number, which belongs to no message, after this time.
  void wake(Instant now, Seconds after, std::uint32_t number) { running_.push(now + after, number); }
  /// Whether a message is under way or a wake is to come.
  bool running() const { return !running_.empty(); }
  /// Opens the next moment. Returns its time, and the messages that finish and the wakes that come in it.
  Instant finish(std::vector<std::uint32_t>& finished) {
    finished.clear();
    return running_.take(finished);
  }

 private:
  Messages const& messages_;
  Noise const* noise_;  ///< null: none
  RadixHeap<std::uint32_t> running_;
};

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
  double startup_of(std::uint32_t message, double usual_startup);
  SizeClass size_of(std::uint32_t message) const { return messages_.sizes[messages_.kind[message]]; }
  Networks networks_of(std::uint32_t message) const;
  void begin_flows(std::uint32_t message, Instant now);
  void begin_flow(std::uint32_t message, FlowLinks::Speed const& speed, Instant now);
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
