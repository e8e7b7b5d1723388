#pragma once

// What theory predicts about a point without making its schedule.

#include <optional>

#include "scenario/scenario.hpp"
#include "theory/prediction.hpp"

namespace rondo {

/// The prediction for a point before anything of it is made. Unset if it would need the point's graph or a program, or
/// if it would take long, as for a classical collective of many ranks.
std::optional<Prediction> predict_scenario(scenario::Scenario const& scenario);

}  // namespace rondo
