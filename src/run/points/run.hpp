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
  bool profile = false;  ///< whether the record gets the collective calls of a user program
  Statistic by = Statistic::mean;  ///< which time counts where points are compared
};

/// The record of a point that has not run, with this error. Its other fields are those that are known before a run.
Record failed_record(scenario::Scenario const& scenario, std::string const& file, int number, std::string error);

/// Runs the point with this number of the scenario in `file`, by the plan `made`; null: the plan is made here. An
/// invalid schedule is not simulated. A failed simulation, any disagreement between theory, schedule and simulation,
/// input that is refused on the way ("refused:
/// ...") and a lack of memory become the record's `error`. Here options.timeout limits the
/// simulation alone; run_job enforces it on the whole point. Throws ContractViolation if the run reads a file that is
/// no input of the point.
Record run_point(scenario::Scenario const& scenario, std::string const& file, int number, PointOptions const& options,
                 Plan const* made = nullptr);

}  // namespace rondo
