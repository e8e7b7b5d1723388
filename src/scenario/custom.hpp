#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// What `algorithm` may be with a collective of the kind custom: the names of its schedules, and the algorithms of the
/// collective that it names as their promise.
std::vector<std::string> custom_algorithms(Json const& collective);

}  // namespace rondo::scenario
