#pragma once

// The answers of the Python module as JSON texts. python/rondo/results.py reads them.

#include <string>

#include "engine/engine.hpp"
#include "run/points/prove.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"

namespace rondo::python {

std::string measures_text(Measures const& measures);
std::string verdict_text(Verdict const& verdict);
/// The result of `rondo prove` for a file that could be read.
std::string proved_text(Proved const& proved);
/// A record that contains only theory and bounds, before anything has run.
std::string prediction_text(Plan const& plan);

/// The plan, proved if the options say so, and simulated. The answer is a line of JSON, followed by numbers of eight
/// bytes each: when each rank finishes, and with Log::messages seven numbers for each message (source, target, bytes,
/// start and end of its send, start and end of its receive). If there is no run, the line says why.
std::string timing_text(Plan const& plan, scenario::Scenario const& scenario, PointOptions const& options, Log log);

}  // namespace rondo::python
