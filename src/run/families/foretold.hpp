#pragma once

#include <optional>

#include "scenario/scenario.hpp"
#include "theory/prediction.hpp"

namespace rondo {

/// What theory says of a point before anything of it is made; unset where that takes the point's graph, a program
/// or, for a classical collective of many ranks, long.
std::optional<Prediction> foretold(scenario::Scenario const& scenario);

}  // namespace rondo
