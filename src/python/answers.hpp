#pragma once

// What the Python module answers, as JSON texts; python/rondo/results.py reads them.

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
/// What `rondo prove` found in a file that could be read.
std::string proved_text(Proved const& proved);
/// A record of which nothing is known but its theory and bounds.
std::string prediction_text(Plan const& plan);

/// The plan, proved where the options say so, and simulated: a line of JSON, behind which stand numbers of eight bytes:
/// when each rank finishes, and with Log::messages seven of each message (source, target, bytes, start and end of its
/// send, start and end of its receive). Without a run the line says why.
std::string timing_text(Plan const& plan, scenario::Scenario const& scenario, PointOptions const& options, Log log);

}  // namespace rondo::python
