#pragma once

// The simulated run of one point, message by message.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "run/families/plan.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

struct TimedMessage {
  Passage passage;
  int round = 0;  ///< the round of the schedule, from 1; 0 for a program, which has no rounds
};

struct Timeline {
  Seconds makespan;
  int ranks = 0;
  int ports = 1;                       ///< messages that a rank sends at a time, and receives
  std::vector<TimedMessage> messages;  ///< by the start of the send, then by source and target
  std::vector<CallSpan> calls = {};    ///< of a user program, by rank and start
  std::vector<CallSpan> steps = {};    ///< of a workload, likewise
};

/// There is no run to look at; what() says why, on one line.
class NoRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws NoRun for an invalid schedule, of those that are proved by default.
void expect_valid(SchedulePlan const& plan, scenario::Scenario const& scenario, std::string const& file);
void expect_valid(TaskPlan const& plan, std::string const& file);

/// Runs a point on its engine. Throws NoRun for an invalid schedule and for a simulation that fails; InputError, which
/// names the file, where the engine cannot follow messages, and past `most_messages`.
Timeline timeline_of(Plan const& plan, scenario::Scenario const& scenario, std::string const& file,
                     std::int64_t most_messages);

/// Throws InputError `FILE: WHAT has N OF_WHAT, at most MOST ...`, which says how to get less, where there are more.
void expect_at_most(std::int64_t most, std::int64_t count, std::string const& of_what, std::string const& file);

/// The port of a message at one rank, from 0, for messages in the order in which they start; and when it starts and
/// ends there, in whole picoseconds, so that what follows on a port never begins before what is there has ended.
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
