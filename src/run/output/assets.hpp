#pragma once

#include <string_view>

namespace rondo {

/// The content of a file of src/run/output/assets, which the build put into the program, by its name there:
/// "report.js", "uplot/uPlot.min.css"; or of a page that rondo
/// explain reads, by its name in the project: "docs/terms.md".
std::string_view asset(std::string_view name);

}  // namespace rondo
