#pragma once

#include "engine/engine.hpp"
#include "run/points/record.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Most ranks and messages of a setup that a point simulates: some minutes.
inline constexpr int most_setup_ranks = 1024;
inline constexpr std::int64_t most_setup_messages = 4000000;

/// All messages of the distributed algorithm that finds the pattern.
std::int64_t total(generate::SetupMessages const& messages);

/// Simulates the distributed algorithm where the engine is SMPI and it is not too large: record.combining gets its
/// time, else setup_note says why. A simulation that fails, or finds another pattern than the central one or with other
/// messages, is the record's error.
void simulate_setup(Record& record, CombiningSetup const& setup, scenario::Scenario const& scenario,
                    EngineOptions const& options);

}  // namespace rondo
