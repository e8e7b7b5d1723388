#pragma once

// Tasks as text, for people who want to read a schedule without rounds: rank by rank what each task does and for
// what it waits, then the counts and all violations.

#include <string>

#include "run/families/plan.hpp"
#include "run/families/promised_tasks.hpp"
#include "run/output/show.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Throws InputError for a round, which tasks do not have, for a rank that does not exist, and for too many tasks.
Shown show_tasks(TaskPlan const& plan, scenario::Scenario const& scenario, std::string const& file,
                 ShownPart const& part);

/// What was proved about valid tasks, as a sentence without a full stop.
std::string proof_text(TaskFile const& tasks, TaskVerdict const& verdict);

}  // namespace rondo
