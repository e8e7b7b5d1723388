#pragma once

// The kind `custom`: schedules that Rondo did not generate.

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// The names that `algorithm` accepts for a collective of this kind. For the kind custom they are the names of its
/// schedules, and the algorithms of the collective that is its promise.
std::vector<std::string> algorithm_names(problem::Kind kind, Json const& collective);

}  // namespace rondo::scenario
