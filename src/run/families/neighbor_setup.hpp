#pragma once

// Simulates the distributed algorithm that finds the common-neighbors pattern [Mirsadeghi17], in addition to its
// schedule.

#include <optional>
#include <string>

#include "engine/engine.hpp"
#include "run/families/observation.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// All messages of the distributed algorithm that finds the pattern.
std::int64_t total(generate::SetupMessages const& messages);

/// What the simulation of a setup found.
struct SimulatedSetup {
  std::optional<double> time_s;      ///< simulated
  std::optional<std::string> note;   ///< why it was not simulated
  std::optional<std::string> error;  ///< how it failed, or how what it found differs from the central pattern
};

/// Simulates the distributed algorithm if the engine is SMPI and the algorithm is not too large. It is an error if the
/// simulation fails, or finds another pattern than the central algorithm or with a different number of messages.
SimulatedSetup simulate_setup(CombiningSetup const& setup, scenario::Scenario const& scenario,
                              EngineOptions const& options);

}  // namespace rondo
