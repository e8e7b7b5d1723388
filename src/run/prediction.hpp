#pragma once

// What theory says of a scenario: the closed form of its algorithm and the bounds of its link class.

#include <optional>

#include "scenario/scenario.hpp"
#include "theory/theory.hpp"

namespace rondo {

struct Prediction {
  theory::Counts counts;
  std::optional<Seconds> time;  ///< unset where the closed form does not know the machine (hops that differ by rank)
  theory::Bounds bounds;
  Seconds time_bound;
  char const* links;  ///< the link class that the bounds hold for: "unit" or "any"
  /// Whether the simulation must reproduce `time` to 1e-9: one port in use, links not shared.
  bool exact = false;
};

Prediction predict(scenario::Scenario const& scenario);

}  // namespace rondo
