#pragma once

// The names of the algorithms of a collective. problem::algorithms lists them for all kinds except `custom`, whose
// schedules have names of their own.

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// The names that /algorithm accepts for a collective of this kind. `collective` is the JSON of /collective; only the
/// kind `custom` reads it. Its names are those of its schedules, and then the algorithms of the collective that it
/// promises, if /collective/promise is an object with a kind that Rondo has schedules for.
std::vector<std::string> algorithm_names(problem::Kind kind, Json const& collective);

/// The algorithms of the collective that a custom schedule promises, from the JSON of /collective/promise; empty if
/// that is no object with a kind that Rondo has schedules for.
std::vector<std::string> algorithms_of_promise(Json const& promise);

}  // namespace rondo::scenario
