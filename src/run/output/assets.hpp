#pragma once

// The files that the build puts into the program, so that pages and explanations need no installed files.

#include <string_view>

namespace rondo {

/// The content of a file by its name: of a file in src/run/output/assets by its name there ("report.js",
/// "uplot/uPlot.min.css"), or of a page that `rondo explain` reads, or of data, by its name in the project
/// ("docs/terms.md", "src/run/rules/mpich.json").
std::string_view asset(std::string_view name);

}  // namespace rondo
