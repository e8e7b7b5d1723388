#pragma once

// The work behind the C functions of the Python module: schedules that Python has written, and answers as JSON texts,
// which python/rondo/results.py reads.

#include <string>

#include "engine/engine.hpp"
#include "json/value.hpp"
#include "run/formats/schedule_columns.hpp"
#include "run/points/prove.hpp"
#include "run/points/record.hpp"
#include "run/points/run.hpp"
#include "scenario/scenario.hpp"
#include "schedule/file/schedule_json.hpp"
#include "schedule/measure.hpp"

namespace rondo::python {

/// The schedule of Python's columns. The header has ranks, block, buffers ([{"slots": 4, "bytes": [8, ...]}, ...], of
/// every rank; without bytes, slots have the size of a block), and a promise or null.
ScheduleFile build_schedule(json::Json const& header, ScheduleColumns const& columns);

std::string measures_text(Measures const& measures);
/// Whether the schedule keeps this promise (scenario/promise.hpp).
std::string verdict_text(ScheduleFile const& file, std::string const& promise);
/// The result of `rondo prove` for a file that could be read.
std::string proved_text(Proved const& proved);
/// A record that contains only theory and bounds, before anything has run.
std::string prediction_text(Plan const& plan);

/// The plan, proved if the options say so, and simulated. The answer is a line of JSON, followed by numbers of eight
/// bytes each: when each rank finishes, and with Log::messages seven numbers for each message (source, target, bytes,
/// start and end of its send, start and end of its receive). If there is no run, the line says why.
std::string timing_text(Plan const& plan, scenario::Scenario const& scenario, PointOptions const& options, Log log);

}  // namespace rondo::python
