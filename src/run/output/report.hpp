#pragma once

// The page of `rondo report`, which draws results over the axes of their sweeps.

#include <string>

#include "run/output/report_input.hpp"

namespace rondo {

/// The report as one HTML file. Its page draws:
///
///   {"version": of this program,
///    "scenarios": [{"file", "title", "source", "expanded": the first record's, or null,
///                   "axes": [{"name": "ports", "pointers": ["/machine/ports"], "values": ["1", "2"]}, ...],
///                   "records": [{"at": [INDEX, ...] of its value on each axis, what the page draws of a record}],
///                   "claims": [...]}]}
///
/// The axes are the differences between the records of a scenario besides algorithm and block. A difference that always
/// changes together with another axis is not an axis of its own. Scenarios are distinguished by their files, and are in
/// the order in which these first come.
std::string report_html(ReportInput const& input);

}  // namespace rondo
