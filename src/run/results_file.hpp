#pragma once

// Result files read back: to continue one, and to merge several.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "run/record.hpp"

namespace rondo {

/// One record of a file, as it is written there.
struct ResultRow {
  std::string text;      ///< the line or row, with its end
  std::string scenario;  ///< the file it is of
  int point = 0;
  std::string key;      ///< what makes it the record that it is, see record_key
  bool failed = false;  ///< it holds an error
};

struct ResultsFile {
  std::string header;  ///< of CSV, with its end; empty for JSON lines
  std::vector<ResultRow> rows;
  std::size_t whole = 0;  ///< bytes up to the end of the last whole row: what follows was cut off in mid-write
};

/// Names a record by its content: a hash of the expanded point, with the engine and the version in clear.
std::string record_key(nlohmann::ordered_json const& expanded, std::string_view engine, std::string_view version);

/// Reads JSON lines, or CSV (which starts with csv_header()). Throws InputError `FILE: line 3: ...` for what is no
/// record and for a table of other columns.
ResultsFile read_results(std::string const& path);

/// The records of several files, in the order of their scenarios (as the files first name them) and points, as one
/// file. Throws InputError where there is none, where files differ in format, or where two hold the same point.
std::string merged(std::vector<std::string> const& paths);

}  // namespace rondo
