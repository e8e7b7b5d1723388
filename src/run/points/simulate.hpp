#pragma once

// Simulates the plans of points on the engine that their scenario names. The failure of a simulation becomes the
// error of a record. The timeline is a simulated run message by message, with the ports that messages occupy;
// traces, pages and graphs of tasks are made from it.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "run/families/plan.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The options of an engine that follow from a scenario and the command line, in a replication counted from 0.
EngineOptions engine_options(scenario::Scenario const& scenario, PointOptions const& options, int replication = 0);

/// The simulation of a plan on the scenario's engine; a program runs as a whole. Throws InputError if the machine
/// cannot carry it.
Outcome<Timing> simulate_plan(SchedulePlan const& plan, scenario::Scenario const& scenario,
                              EngineOptions const& wanted);
Outcome<Timing> simulate_plan(TaskPlan const& plan, scenario::Scenario const& scenario, EngineOptions const& wanted);
Outcome<Timing> simulate_plan(ProgramPlan const& plan, scenario::Scenario const& scenario, EngineOptions const& wanted);
Outcome<Timing> simulate_plan(WorkloadPlan const& plan, scenario::Scenario const& scenario,
                              EngineOptions const& wanted);

/// A schedule that keeps this promise, on the scenario's engine.
Outcome<Timing> simulate_plan(Schedule const& schedule, Collective const& promise, scenario::Scenario const& scenario,
                              EngineOptions const& wanted);

/// Tasks, or parts of ranks, on an engine.
template <typename Work>
Outcome<Timing> on_engine(scenario::Engine engine, Work const& work, Platform const& machine,
                          EngineOptions const& wanted) {
  return engine == scenario::Engine::smpi ? simulate_smpi(work, machine, wanted)
                                          : simulate_native(work, machine, wanted);
}

/// When a rank finishes. A timing may have a single entry for all ranks.
Seconds finish_of(Timing const& timing, std::size_t rank);

/// Notes the failure of a simulation in a record. Data that arrived wrong were not delivered, whatever the proof says.
void add_failure(Record& record, Failure failure, std::string const& error);

/// "deadlock: ...": the text of a simulation's failure, after its kind unless the text names it already.
std::string failure_text(Failure failure, std::string const& error);

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
