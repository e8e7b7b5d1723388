#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "run/output/report_input.hpp"

namespace rondo {

/// What the page of a report draws:
///
///   {"version": of this program,
///    "scenarios": [{"file", "title", "source", "expanded": the first record's, or null,
///                   "axes": [{"name": "ports", "pointers": ["/machine/ports"], "values": ["1", "2"]}, ...],
///                   "records": [{"at": [INDEX, ...] of its value on each axis, what the page draws of a record}],
///                   "claims": [...]}]}
///
/// The axes are what differs between the records of a scenario beside algorithm and block; what differs in step with
/// another axis is no axis of its own. Scenarios are told apart by their files, and stand in the order in which these
/// first come.
nlohmann::ordered_json report_data(ReportInput const& input);

/// The report as one HTML file.
std::string report_html(ReportInput const& input);

}  // namespace rondo
