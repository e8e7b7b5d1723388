#pragma once

// What a scenario will do, said before it does it.

#include <optional>
#include <string>

#include "run/families/extent.hpp"
#include "run/points/job.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// From the problem alone. Unset for what nobody knows before it runs, such as the program of a user.
std::optional<Extent> extent_of(scenario::Scenario const& point);

/// Its messages as they are known: "4032", "at most 512", "about 17000000".
std::string messages_text(Extent const& extent);

/// In some lines: the points and what is swept, ranks, machine and engine, messages, and about how long the run itself
/// will take and how much memory. Messages are those of theory where it knows them; else small schedules are generated
/// and counted, and of large ones only their order is said.
std::string outlook(Job const& job);

}  // namespace rondo
