#pragma once

// The names of the algorithms of a collective. problem::algorithms lists them for all kinds except `custom`, whose
// schedules have names of their own.

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// The names that /algorithm accepts for a collective of this kind. `collective` is the JSON of /collective, an object;
/// only the kind `custom` reads it. For `custom` the names are: "custom" if /collective/schedule is there, then those
/// in /collective/schedules, then the algorithms of the promised collective. The list may be empty.
std::vector<std::string> algorithm_names(problem::Kind kind, Json const& collective);

}  // namespace rondo::scenario
