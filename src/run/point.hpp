#pragma once

// One point of a sweep, from its problem to its record: generate -> verify -> simulate -> compare.

#include <string>

#include "base/units.hpp"
#include "run/expression.hpp"
#include "run/record.hpp"
#include "scenario/scenario.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"
#include "schedule/verify.hpp"

namespace rondo {

/// Whether a schedule is proved before it is simulated.
enum class Proof : std::uint8_t { on, off };

struct PointOptions {
  Proof proof = Proof::on;
  Seconds timeout{0};  ///< wall time of one simulation; 0: none
};

/// The promise that the problem's algorithm must keep, and the schedule by which it does.
Collective collective_of(scenario::Problem const& problem);
Schedule schedule_of(scenario::Scenario const& scenario);
/// What the machine allows of a schedule beyond its own promises.
Allowed allowed_by(Platform const& machine);

/// Runs one point. An invalid schedule is not simulated; a simulation that fails, and theory, schedule or simulation
/// that disagree where they must agree, are the record's `error`. Throws InputError when the machine cannot carry the
/// problem.
Record run_point(scenario::Scenario const& scenario, std::string const& file, int number, PointOptions const& options);

/// The names that a claim may use of the problem itself: p, s, d, D, V, m, m_cut, alpha (s), beta (s per byte).
Names problem_names(scenario::Scenario const& scenario);

}  // namespace rondo
