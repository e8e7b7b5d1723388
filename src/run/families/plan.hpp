#pragma once

// A problem made ready to run. Each family of collectives answers for its problems in one file (isomorphic.cpp,
// intergroup.cpp, neighbor.cpp); whoever runs or shows a point only asks for its plan.

#include <functional>
#include <optional>
#include <string>

#include "engine/engine.hpp"
#include "run/families/combining.hpp"
#include "run/families/expression.hpp"
#include "run/points/record.hpp"
#include "scenario/scenario.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// What theory says of an algorithm, from the problem alone.
struct Prediction {
  Figures theory;  ///< the closed form; its time is unset where the closed form does not know the machine
  Figures bound;   ///< of the link class
  /// The link class that the bounds hold for: "unit" or "any"; unset where there are none.
  std::optional<std::string> links = "any";
  /// Whether the simulation must reproduce theory.time_s to 1e-9: no rank posts more than its ports serve at once, and
  /// links are not shared.
  bool exact = false;
  /// The bounds hold for schedules with at most so many blocks in a message; unset: with any number.
  std::optional<std::int64_t> message_blocks = {};
};

/// Runs an MPI program on a machine and adds to the record what it counted, timed and found wrong; a failure is in the
/// outcome only. What it sends is known only once it has run. The outcome's timing is that of the whole program, with
/// what the record's time leaves out: making communicators, and checks at the end.
using DynamicProgram = std::function<Outcome(Record& record, Platform const& machine, EngineOptions const& options)>;

struct Plan {
  Collective collective;  ///< the promise; of no meaning where there is a program
  Schedule schedule;      ///< how the algorithm keeps it
  Prediction prediction;
  CombiningFigures combining = {};
  std::optional<CombiningSetup> setup = {};  ///< to be simulated too
  Seconds before_each_call{0};               ///< simulated time that a call takes before its first message
  DynamicProgram program = {};               ///< where it is set, it keeps the promise, and there is no schedule
};

/// Throws InputError, which names the file, where a generator refuses the problem.
Plan plan_of(scenario::Scenario const& scenario, std::string const& file);

/// Throws InputError where the plan is a program, that has no schedule to look at.
Schedule const& schedule_of(Plan const& plan, std::string const& file);

/// Throws InputError, which names the file, for what only the whole problem shows: /collective/block_sizes that give no
/// sizes, a program that cannot be built.
void validate(scenario::Scenario const& scenario, std::string const& file);

/// The names that a claim may use of the problem itself: p, m, ports and, under linear timing, alpha (s), beta (s per
/// byte) and m_cut; and of its family s, d, D, V and W; senders and receivers; edges, fewest_combined_once and
/// cumulative (0 or 1).
Names problem_names(scenario::Scenario const& scenario, std::string const& file);

}  // namespace rondo
