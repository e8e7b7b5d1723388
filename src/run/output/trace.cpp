// Writes trace events (JSON, as Chrome's tracing and Perfetto read it): a process for each rank, a thread for each
// port, and an arrow for each message. The MPI calls of a user program, or the steps of a workload, are on further
// threads. A run has calls or steps, never both, so both may use thread 0.

#include "run/output/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/printable.hpp"

namespace rondo {
namespace {

enum class End : std::uint8_t { send, receive };

/// Perfetto counts whole nanoseconds and truncates the double that it reads. 2.001 us would become 2000 ns, which is
/// before the end of the previous event. A tenth of a picosecond is added to keep it at 2001.
std::string microseconds(std::int64_t picoseconds) {
  std::string text = fmt::format("{}.{:06}", picoseconds / 1'000'000, picoseconds % 1'000'000);
  bool const falls_short = static_cast<std::int64_t>(std::strtod(text.c_str(), nullptr) * 1000) < picoseconds / 1000;
  return falls_short ? text + "1" : text;
}

/// The threads of a rank: its send ports, then its receive ports, counted from 1.
int thread_of(End end, int port, int ports) { return 1 + port + (end == End::receive ? ports : 0); }

/// Writes one timeline.
class TraceWriter {
 public:
  TraceWriter(Timeline const& timeline, TextSink const& sink)
      : timeline_(timeline),
        sink_(sink),
        sends_(static_cast<std::size_t>(timeline.ranks), PortUse(timeline.ports)),
        receives_(sends_),
        rows_(rows_of(timeline.steps)) {}

  void write(std::string const& title) {
    sink_(fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"title\":{}}},\"traceEvents\":[",
                      printable_json(nlohmann::ordered_json(title).dump())));
    for (int rank = 0; rank < timeline_.ranks; ++rank) name(rank);
    write_calls();
    write_steps();
    write_messages();
    sink_("\n]}\n");
  }

 private:
  void event(std::string_view text) {
    sink_(first_ ? "\n" : ",\n");
    first_ = false;
    sink_(text);
  }

  /// Names the rank and its ports.
  void name(int rank) {
    event(fmt::format(R"({{"ph":"M","pid":{0},"name":"process_name","args":{{"name":"rank {0}"}}}})", rank));
    event(fmt::format(R"({{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}})", rank));
    for (End const end : {End::send, End::receive}) {
      for (int port = 0; port < timeline_.ports; ++port) {
        event(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{} port {}"}}}})", rank,
                          thread_of(end, port, timeline_.ports), end == End::send ? "send" : "receive", port));
      }
    }
    for (int row = 0; row < rows_; ++row) {
      event(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"steps{}"}}}})", rank,
                        thread_of_steps(row), row == 0 ? "" : fmt::format(" {}", row)));
    }
    if (timeline_.calls.empty()) return;
    event(fmt::format(R"({{"ph":"M","pid":{},"tid":0,"name":"thread_name","args":{{"name":"MPI calls"}}}})", rank));
  }

  /// Writes the calls of a user program, on the thread before the ports. A rank is in at most one call at a time.
  void write_calls() {
    std::vector<PortUse> ranks(static_cast<std::size_t>(timeline_.ranks), PortUse(1));
    for (CallSpan const& each : timeline_.calls) {
      PortUse::Slice const use = ranks[static_cast<std::size_t>(each.rank.value)].take(each.start, each.end);
      event(fmt::format(R"({{"ph":"X","pid":{},"tid":0,"ts":{},"dur":{},"name":"{}","cat":"call"}})", each.rank.value,
                        microseconds(use.start), microseconds(use.end - use.start), each.name));
    }
  }

  /// The thread of a row of steps. Row 0 is thread 0, before the ports; the others come after the ports.
  int thread_of_steps(int row) const { return row == 0 ? 0 : 2 * timeline_.ports + row; }

  /// The most steps that a rank has under way at the same time. Steps are sorted by rank and start (Timeline).
  static int rows_of(std::vector<CallSpan> const& steps) {
    int most = 0;
    for (std::size_t first = 0, i = 0; i < steps.size(); ++i) {
      while (steps[first].rank != steps[i].rank) ++first;
      auto const open = [&](CallSpan const& each) { return each.end > steps[i].start; };
      auto const begin = steps.begin() + static_cast<std::ptrdiff_t>(first);
      most = std::max(most,
                      1 + static_cast<int>(std::count_if(begin, steps.begin() + static_cast<std::ptrdiff_t>(i), open)));
    }
    return most;
  }

  /// Writes steps; those that overlap are on different rows.
  void write_steps() {
    std::vector<PortUse> ranks(static_cast<std::size_t>(timeline_.ranks), PortUse(rows_));
    for (CallSpan const& each : timeline_.steps) {
      PortUse::Slice const use = ranks[static_cast<std::size_t>(each.rank.value)].take(each.start, each.end);
      slice(each.rank, thread_of_steps(use.port), each.name, "step", use, "{}");
    }
  }

  /// Writes messages. Under LogGP a message is received later than it is sent, so each end has its own port and
  /// times.
  void write_messages() {
    std::vector<PortUse::Slice> received(timeline_.messages.size());
    std::vector<std::size_t> order(received.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return timeline_.messages[a].times.receive_start < timeline_.messages[b].times.receive_start;
    });
    for (std::size_t const m : order) {
      MessageTimes const& times = timeline_.messages[m].times;
      received[m] =
          receives_[static_cast<std::size_t>(times.target.value)].take(times.receive_start, times.receive_end);
    }
    for (std::size_t m = 0; m < received.size(); ++m) {
      MessageTimes const& times = timeline_.messages[m].times;
      auto const sent = sends_[static_cast<std::size_t>(times.source.value)].take(times.send_start, times.send_end);
      write_message(m, timeline_.messages[m], sent, received[m]);
    }
  }

  /// A message is a slice at its sender, a slice at its receiver, and an arrow between them.
  void write_message(std::size_t id, TimedMessage const& message, PortUse::Slice sent, PortUse::Slice received) {
    MessageTimes const& times = message.times;
    std::string args = fmt::format(R"({{"bytes":{})", times.bytes.value);
    if (message.round > 0) args += fmt::format(R"(,"round":{})", message.round);
    args += "}";
    int const from = thread_of(End::send, sent.port, timeline_.ports);
    int const to = thread_of(End::receive, received.port, timeline_.ports);
    slice(times.source, from, fmt::format("to {}", times.target.value), "send", sent, args);
    slice(times.target, to, fmt::format("from {}", times.source.value), "receive", received, args);
    // A receive that starts with its send, except for rounding, must not start before it.
    std::int64_t const arrival = std::min(std::max(received.start, sent.start), received.end);
    std::int64_t const departure = std::min(sent.start, arrival);
    event(fmt::format(R"({{"ph":"s","id":{},"pid":{},"tid":{},"ts":{},"name":"message","cat":"message"}})", id,
                      times.source.value, from, microseconds(departure)));
    event(fmt::format(R"({{"ph":"f","bp":"e","id":{},"pid":{},"tid":{},"ts":{},"name":"message","cat":"message"}})", id,
                      times.target.value, to, microseconds(arrival)));
  }

  void slice(Rank rank, int thread, std::string const& what, char const* category, PortUse::Slice slice,
             std::string const& args) {
    event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":"{}","cat":"{}","args":{}}})", rank.value,
                      thread, microseconds(slice.start), microseconds(slice.end - slice.start), what, category, args));
  }

  Timeline const& timeline_;
  TextSink const& sink_;
  std::vector<PortUse> sends_, receives_;
  int rows_;  ///< of steps
  bool first_ = true;
};

}  // namespace

void write_trace(Timeline const& timeline, std::string const& title, TextSink const& sink) {
  TraceWriter(timeline, sink).write(title);
}

}  // namespace rondo
