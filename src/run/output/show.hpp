#pragma once

// The text of `rondo show`, for people who want to read an algorithm or to see where it goes wrong: a schedule
// round by round, or tasks rank by rank with what each task does and for what it waits. Counts and all violations
// follow. show_page.hpp draws a schedule as a page.

#include <cstdint>
#include <optional>
#include <string>

#include "run/families/plan.hpp"
#include "run/families/promises.hpp"
#include "scenario/scenario.hpp"
#include "schedule/verify.hpp"

namespace rondo {

/// The text or page of a point, and whether its schedule is valid.
struct Shown {
  std::string text;  ///< the schedule round by round, its counts, and every violation
  bool valid = true;
  std::string complaint = {};  ///< why it is not valid, if the text is a page
};

/// The most messages that are printed without choosing a rank or a round. A schedule that would take longer to make is
/// not shown at all. Both are decided by the predicted number, before anything is made.
inline constexpr std::int64_t most_messages_printed = 500'000;
inline constexpr int most_seconds_to_show = 10;

/// The part of a schedule that is shown as text.
struct ShownPart {
  std::optional<int> rank = {};   ///< only this rank, and the ranks with the same program
  std::optional<int> round = {};  ///< only this round; 0: before the first
  std::size_t most_places = 16;   ///< longer lists are cut, with the number of the others
};

/// The schedule of a scenario as text. Ranks that do the same are shown once. Throws InputError with the file's name,
/// also if there is too much to show, and if the rank or round does not exist.
Shown show(scenario::Scenario const& scenario, std::string const& file, ShownPart const& part = {});

/// What was proved about a valid schedule, with its redundant receives: "every block is in its place at the end, once;
/// 3 blocks were received by ranks that held them already".
std::string proof_text(Schedule const& schedule, Verdict const& verdict);

/// Throws InputError for a round, which tasks do not have, for a rank that does not exist, and for too many tasks.
Shown show_tasks(TaskPlan const& plan, scenario::Scenario const& scenario, std::string const& file,
                 ShownPart const& part);

/// What was proved about valid tasks, as a sentence without a full stop.
std::string proof_text(TaskFile const& tasks, TaskVerdict const& verdict);

}  // namespace rondo
