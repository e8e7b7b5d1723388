#pragma once

// The names of the algorithms of a collective. problem::algorithms lists them for all kinds except `custom`, whose
// schedules have names of their own.

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// The names that /algorithm accepts for a collective of this kind. `collective` is the JSON of /collective, an object;
/// only the kind `custom` reads it. For `custom` the names are: "custom" if /collective/schedule is there, then those
/// in /collective/schedules, then algorithms_of_promise. The list may be empty.
std::vector<std::string> algorithm_names(problem::Kind kind, Json const& collective);

/// The algorithms of the collective that a custom schedule promises, from the JSON of /collective/promise. Empty unless
/// that is an object whose kind a promise can have (is_promised in scenario/promise.hpp). A kind must be a string.
std::vector<std::string> algorithms_of_promise(Json const& promise);

}  // namespace rondo::scenario
