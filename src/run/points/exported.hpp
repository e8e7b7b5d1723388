#pragma once

#include "run/families/plan.hpp"
#include "scenario/scenario.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo {

/// The schedule of a point as a file has it, with its promise: the collective by its name, or written out where it
/// names a file, which lies elsewhere then.
ScheduleFile exported(SchedulePlan const& plan, scenario::Scenario const& scenario);

}  // namespace rondo
