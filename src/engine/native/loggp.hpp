#pragma once

// The parts of the simulation of LogGP, for loggp.cpp alone.
// LogGpCosts has the formulas of LogGP [Alexandrov95], in the form of LogGOPSim [Hoefler10].
// Events, Lines, TaskTimes and Devices hold the event queue, and the state of CPUs and NICs.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/native/queue.hpp"
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

/// The begin of a task, or the arrival of the first byte of a send's message at its target.
struct Event {
  std::uint64_t sequence = 0;
  std::uint32_t task = 0;
  bool arrival = false;
  friend bool operator<(Event const& a, Event const& b) { return a.sequence < b.sequence; }
};

/// A queue of events by moment; those of one moment are in the order of their sequence numbers. An event may be added
/// to the moment that is being handled.
class Events {
 public:
  bool empty() const { return next_ == now_.size() && later_.empty(); }
  /// The time at which the current moment opened.
  Instant time() const { return time_; }
  /// Whether this time is after the current moment.
  bool is_later(Instant time) const { return time.value > end_; }

  void add(Instant time, Event const& event) {
    if (is_later(time)) return later_.push(time, event);
    // The event has usually just been created, and then belongs at the end.
    auto place = now_.end();
    if (next_ < now_.size() && event < now_.back()) place = std::upper_bound(first(), now_.end(), event);
    now_.insert(place, event);
  }

  /// The event that take would return, if it belongs to the current moment.
  Event const* next_of_same_moment() const { return next_ == now_.size() ? nullptr : &now_[next_]; }

  /// The next event. All events of one moment are sorted by their sequence.
  Event take() {
    if (next_ == now_.size()) {
      now_.clear();
      next_ = 0;
      time_ = later_.take(now_);
      end_ = moment_end(time_);
      if (!std::is_sorted(now_.begin(), now_.end())) std::sort(now_.begin(), now_.end());
    }
    return now_[next_++];
  }

 private:
  std::vector<Event>::iterator first() { return now_.begin() + static_cast<std::ptrdiff_t>(next_); }

  Instant time_;
  double end_ = 0;
  std::vector<Event> now_;  ///< sorted; those before `next_` have been taken
  std::size_t next_ = 0;
  RadixHeap<Event> later_;
};

/// Lines of events that wait for the same CPU and NIC of a rank, by sequence. When these fall free, all events of a
/// line would be tried, and all but the first would find them busy again. So only the first one is in the queue, and
/// the next one enters when the first has gone. A rank that posts n sends at once therefore causes events in proportion
/// to n, not to n squared.
class Lines {
 public:
  /// Lines are only used if their number is in proportion to the tasks. Without lines every event is tried again by
  /// itself.
  Lines(std::size_t lines, std::size_t tasks) {
    if (lines > 1024 + 8 * tasks) return;
    lines_.resize(lines);
    behind_.resize(tasks);
  }

  /// Whether the event, which found its CPU or NIC busy, is to be tried again by itself. An event with a lower sequence
  /// number than the last of the line stays outside the line, and is tried again by itself.
  bool comes_again(std::size_t line, Event const& event) {
    if (line >= lines_.size()) return true;
    Line& waiting = lines_[line];
    if (waiting.first == event.task) return true;
    if (waiting.first == none) {
      waiting = {event.task, event.task};
    } else if (behind_[waiting.last].sequence < event.sequence) {
      behind_[waiting.last].task = event.task;
      waiting.last = event.task;
    } else {
      return true;
    }
    behind_[event.task] = {event.sequence, none};
    return waiting.first == event.task;
  }

  /// The event has its CPU and NIC. If it was the first of the line, writes the event that follows it.
  bool next(std::size_t line, Event const& event, Event& after) {
    if (line >= lines_.size() || lines_[line].first != event.task) return false;
    std::uint32_t const task = lines_[line].first = behind_[event.task].task;
    if (task == none) return false;
    after = {behind_[task].sequence, task, event.arrival};
    return true;
  }

 private:
  static constexpr std::uint32_t none = 0xffff'ffff;
  struct Line {
    std::uint32_t first = none, last = none;  ///< tasks
  };
  struct Place {
    std::uint64_t sequence = 0;
    std::uint32_t task = none;  ///< the one behind it
  };
  std::vector<Line> lines_;
  std::vector<Place> behind_;  ///< by task in a line
};

/// A time for each task, in 12 bytes.
class TaskTimes {
 public:
  explicit TaskTimes(std::size_t tasks) : values_(tasks, 0), rests_(tasks, 0) {}
  Instant operator[](std::uint32_t task) const { return {values_[task], rests_[task]}; }
  void set(std::uint32_t task, Instant time) {
    values_[task] = time.value;
    rests_[task] = time.rest;
  }
  void put_off(std::uint32_t task, Instant time) {
    if (time > (*this)[task]) set(task, time);
  }

 private:
  std::vector<double> values_;
  std::vector<float> rests_;
};

/// The times from which the CPUs (or the NICs) of all ranks are free.
class Devices {
 public:
  Devices(std::int32_t ranks, std::size_t each) : each_(each), free_(static_cast<std::size_t>(ranks) * each) {}
  std::size_t each() const { return each_; }
  std::size_t count() const { return free_.size(); }
  std::size_t place(std::int32_t rank, std::uint8_t part) const {
    return static_cast<std::size_t>(rank) * each_ + part;
  }
  Instant& operator()(std::int32_t rank, std::uint8_t part) { return free_[place(rank, part)]; }
  /// All of the rank's are busy until this time.
  void take_until(std::int32_t rank, Seconds time) {
    auto const begin = free_.begin() + static_cast<std::ptrdiff_t>(place(rank, 0));
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(each_), Instant(time.value));
  }
  Instant last(std::int32_t rank) const {
    auto const begin = free_.begin() + static_cast<std::ptrdiff_t>(place(rank, 0));
    return *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(each_));
  }

 private:
  std::size_t each_;
  std::vector<Instant> free_;
};

}  // namespace rondo::native
