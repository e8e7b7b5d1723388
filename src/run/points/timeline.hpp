#pragma once

// The simulated run of one point, message by message, and the ports that messages occupy. Traces, pages and graphs of
// tasks are made from it.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "run/families/plan.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// A message with the four times that engines report.
struct TimedMessage {
  MessageTimes times;
  int round = 0;  ///< the round of the schedule, from 1; 0 for a program, which has no rounds
};

/// A whole run.
struct Timeline {
  Seconds makespan;
  int ranks = 0;
  int ports = 1;                       ///< messages that a rank sends at a time, and receives
  std::vector<TimedMessage> messages;  ///< by the start of the send, then by source and target
  std::vector<CallSpan> calls = {};    ///< of a user program, by rank and start
  std::vector<CallSpan> steps = {};    ///< of a workload, likewise
};

/// There is no run to show; what() says why, in one line.
class NoRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws NoRun if the schedule is invalid, for schedules that are proved by default.
void expect_valid(SchedulePlan const& plan, scenario::Scenario const& scenario, std::string const& file);
void expect_valid(TaskPlan const& plan, std::string const& file);

/// Runs a point on its engine. Throws NoRun for an invalid schedule and for a failed simulation, and InputError with
/// the file's name if the engine cannot follow messages, and past `most_messages`.
Timeline timeline_of(Plan const& plan, scenario::Scenario const& scenario, std::string const& file,
                     std::int64_t most_messages);

/// Throws InputError `FILE: WHAT has N OF_WHAT, at most MOST ...`, with advice how to get less, if the count is too
/// large.
void expect_at_most(std::int64_t most, std::int64_t count, std::string const& of_what, std::string const& file);

/// Assigns the messages at one rank, in the order in which they start, to ports, which are counted from 0. It also
/// gives start and end in whole picoseconds, so that no message begins on a port before the one before it has ended.
class PortUse {
 public:
  struct Slice {
    int port = 0;
    std::int64_t start = 0, end = 0;
  };
  explicit PortUse(int ports) : free_(static_cast<std::size_t>(ports), 0) {}
  Slice take(Seconds start, Seconds end);

 private:
  std::vector<std::int64_t> free_;  ///< by port: from when on
};

}  // namespace rondo
