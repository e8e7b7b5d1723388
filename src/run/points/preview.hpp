#pragma once

// Describes what a scenario will do before it does it (`rondo explain`).

#include <optional>
#include <string>

#include "run/families/extent.hpp"
#include "run/points/job.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Computed from the problem alone. Unset if nobody can know it before the run, as for the program of a user.
std::optional<Extent> extent_of(scenario::Scenario const& point);

/// The number of messages as far as it is known: "4032", "at most 512", "about 17000000".
std::string messages_text(Extent const& extent);

/// Some lines about the points and what is swept, ranks, machine and engine, messages, and the approximate time and
/// memory of the run. The number of messages is that of theory if it has one; otherwise small schedules are made and
/// counted, and for large ones only the order of magnitude is given.
std::string preview(Job const& job);

}  // namespace rondo
