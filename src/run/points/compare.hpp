#pragma once

// The three derivations of a point held against each other. A difference is a bug of one of them, and the point fails.

#include <optional>
#include <string>

#include "engine/engine.hpp"
#include "run/families/observed.hpp"
#include "run/points/record.hpp"
#include "schedule/measure.hpp"
#include "theory/prediction.hpp"

namespace rondo {

/// Simulated and predicted times agree to this, relative, wherever theory is exact.
inline constexpr double time_tolerance = 1e-9;

/// Theory against counting, in every figure that theory gives. One line that says how they differ, or an empty one.
std::string counting_disagrees(Record const& record);

/// Compares counting with the simulation (messages and bytes carried), and where `exact` holds theory with the
/// simulation (time, to time_tolerance). `accounted_time_s` is the time to compare where theory has no time. Returns
/// one line that says how they differ, or an empty one.
std::string simulation_disagrees(Record const& record, Measures const& measures, Timing const& timing, bool exact,
                                 std::optional<double> accounted_time_s = {});

/// Theory against what a program counted, and that against itself: the messages against the rounds. One line that says
/// how they differ, or an empty one.
std::string program_disagrees(Record const& record, Prediction const& prediction,
                              std::optional<Accounted> const& accounted = {});

}  // namespace rondo
