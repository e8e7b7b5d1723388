#pragma once

// Tasks as text, for people who want to read a schedule that has no rounds: rank by rank what each task does and what
// it waits for, then the counts and every violation.

#include <string>

#include "run/families/plan.hpp"
#include "run/families/promised_tasks.hpp"
#include "run/output/show.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Throws InputError for a round, which tasks do not have, a rank that is none, and for too many tasks.
Shown show_tasks(TaskPlan const& plan, scenario::Scenario const& scenario, std::string const& file,
                 ShownPart const& part);

/// What was proved of valid tasks, as a sentence without its end.
std::string proof_text(TaskFile const& tasks, TaskVerdict const& verdict);

}  // namespace rondo
