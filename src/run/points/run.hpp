#pragma once

// One point of a sweep, from its problem to its record: generate, verify, simulate, compare. This is the only place
// that combines these stages; each of them knows none of the others.

#include <string>

#include "base/units.hpp"
#include "engine/engine.hpp"
#include "run/families/plan.hpp"
#include "run/points/proof.hpp"
#include "run/points/record.hpp"
#include "run/points/replications.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The options of a command that concern the run of a point.
struct PointOptions {
  Proof proof = Proof::automatic;
  Seconds timeout{0};    ///< limit on the wall time of one point, from its generation to its record; 0 means no limit
  bool profile = false;  ///< whether the collective calls of a user program are noted
  Statistic by = Statistic::mean;  ///< which time counts where points are compared
};

/// The record of a point about which only this is known.
Record failed_record(scenario::Scenario const& scenario, std::string const& file, int number, std::string error);

/// Runs one point. An invalid schedule is not simulated. A failed simulation, and any disagreement between theory,
/// schedule and simulation, becomes the record's `error`. Throws InputError if the machine cannot carry the problem.
Record run_point(scenario::Scenario const& scenario, std::string const& file, int number, PointOptions const& options);
/// Runs a plan that is made already.
Record run_point(Plan const& plan, scenario::Scenario const& scenario, std::string const& file,
                 PointOptions const& options);

}  // namespace rondo
