#pragma once

// Compares the three derivations of a point: theory, counting and simulation. A difference is a bug in one of them,
// so that the point fails.

#include <optional>
#include <string>

#include "engine/engine.hpp"
#include "run/families/observation.hpp"
#include "run/points/record.hpp"
#include "schedule/measure.hpp"
#include "theory/prediction.hpp"

namespace rondo {

/// The relative tolerance for simulated and predicted times wherever theory is exact.
inline constexpr double time_tolerance = 1e-9;

/// Compares theory with counting, in every figure that theory has. Returns one line about a difference, or an empty
/// one.
std::string counting_disagrees(Record const& record);

/// Compares counting with the simulation (messages and bytes carried), and if `exact`, theory with the simulation
/// (time, within time_tolerance). `accounted_time_s` is the time to compare if theory has none. Returns one line about
/// a difference, or an empty one.
std::string simulation_disagrees(Record const& record, Measures const& measures, Timing const& timing, bool exact,
                                 std::optional<double> accounted_time_s = {});

/// Compares theory with the counts of a program, and these counts with each other: the messages with the rounds.
/// Returns one line about a difference, or an empty one.
std::string program_disagrees(Record const& record, Prediction const& prediction,
                              std::optional<ExpectedMessages> const& accounted = {});

}  // namespace rondo
