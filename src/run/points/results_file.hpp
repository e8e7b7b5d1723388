#pragma once

// Reads result files, CSV or JSON lines, to continue one, to judge claims on its records, or to merge several.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/points/compare.hpp"
#include "run/points/record.hpp"

namespace rondo {

/// One record of a file, in the form in which the file has it.
struct ResultRow {
  std::string text;      ///< the line or row, with its end
  std::string scenario;  ///< the file it is of
  int point = 0;
  std::string version;                    ///< version of the program that wrote it
  int points = 0;                         ///< points of its sweep; 0 where an earlier version wrote it
  std::string proof;                      ///< Record::proof; empty if it has no proof
  std::string key;                        ///< identifies the record, see record_key
  std::string key_without_files;          ///< the same without the states of files
  bool failed = false;                    ///< it holds an error
  int line = 0;                           ///< at which it begins
  std::optional<RecordFacts> facts = {};  ///< the facts of its point; unset if another version wrote it
};

/// A file with its complete rows.
struct ResultsFile {
  std::string path;
  std::string header;  ///< the header line of CSV, with its end; empty for JSON lines
  std::vector<ResultRow> rows;
  std::size_t whole = 0;  ///< bytes up to the end of the last whole row: what follows was cut off in mid-write
};

/// A name for a record by its content: a hash of the expanded point, with the engine and the version in clear text.
std::string record_key(nlohmann::ordered_json const& expanded, std::string_view engine, std::string_view version);

/// The whole content of a file of at most 8 GiB. Throws InputError and ReadFailure as read_file (base/file.hpp) does.
std::string content_of(std::string const& path);
/// The JSON in a file of results. Throws InputError if it is nested too deep to be destroyed safely, and the exceptions
/// of the JSON library if the text is not JSON.
nlohmann::ordered_json parsed_result(std::string_view text);
/// Calls `take` with each whole row of results and the number of its first line. In CSV a line end inside quotes does
/// not end a row. Returns how many bytes these rows have; the rest was cut off.
std::size_t each_row(std::string_view text, std::function<void(int line, std::string_view row, bool csv)> const& visit);
/// Whether a text that is no file of records is a scenario, which somebody has confused with one.
bool is_scenario(std::string_view text);
/// The swept values that are columns of CSV, from its header line with the line end. Throws InputError if it is not a
/// header of this version.
std::vector<std::string> swept_of_header(std::string_view header);
/// The record in a row, for this header line; in a line of JSON, for none. Throws InputError as record_of and
/// record_of_cells do.
Record record_in(std::string_view row, std::string_view header);

/// Reads JSON lines, or CSV (which starts with csv_header()). Throws InputError `FILE: line 3: ...` for a line that is
/// no record, a record of this version that contradicts itself (expect_consistent), and a table of other columns.
ResultsFile read_results(std::string const& path);

struct Merged {
  std::string text;
  std::vector<std::string> remarks;  ///< on what is missing from it, or may not belong together
  bool whole = true;                 ///< no point of its sweeps is missing
};
/// The records of several files as one file, in the order of their scenarios (as the files first name them) and points.
/// Throws InputError if the files have no record or different formats, if two have the same point, or if records of one
/// scenario belong to two states of it (run/points/record_states.hpp).
Merged merged(std::vector<std::string> const& paths);

}  // namespace rondo
