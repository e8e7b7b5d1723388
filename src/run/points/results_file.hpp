#pragma once

// Result files read back: to continue one, and to merge several.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/points/record.hpp"
#include "run/points/record_facts.hpp"

namespace rondo {

/// One record of a file, as it is written there.
struct ResultRow {
  std::string text;      ///< the line or row, with its end
  std::string scenario;  ///< the file it is of
  int point = 0;
  std::string version;                    ///< version of the program that wrote it
  int points = 0;                         ///< points of its sweep; 0 where an earlier version wrote it
  std::string proof;                      ///< Record::proof; empty if it has no proof
  std::string key;                        ///< what makes it the record that it is, see record_key
  std::string key_without_files;          ///< the same of its scenario without what it says of the states of files
  bool failed = false;                    ///< it holds an error
  int line = 0;                           ///< at which it begins
  std::optional<RecordFacts> facts = {};  ///< what it says of its point; unset where another version wrote it
};

struct ResultsFile {
  std::string path;
  std::string header;  ///< the header line of CSV, with its end; empty for JSON lines
  std::vector<ResultRow> rows;
  std::size_t whole = 0;  ///< bytes up to the end of the last whole row: what follows was cut off in mid-write
};

/// Names a record by its content: a hash of the expanded point, with the engine and the version in clear.
std::string record_key(nlohmann::ordered_json const& expanded, std::string_view engine, std::string_view version);

/// The content of a file of at most 8 GiB, whole. Throws InputError and ReadFailure as read_file (base/file.hpp) does.
std::string content_of(std::string const& path);
/// The JSON in a file of results. Throws InputError where it is nested too deep for what destroys it again, and the
/// JSON library's exceptions where the text is not JSON.
nlohmann::ordered_json parsed_result(std::string_view text);
/// Hands on each whole row of results with the number of its first line and whether they are CSV, of which line ends
/// within quotes end no row. How many bytes these take: what follows was cut off.
std::size_t each_row(std::string_view text, std::function<void(int line, std::string_view row, bool csv)> const& visit);
/// Whether a text that is no file of records is a scenario, which somebody took for one.
bool is_scenario(std::string_view text);
/// The swept values that are columns of CSV, by its header line with its end. Throws InputError for what is no header
/// of this version.
std::vector<std::string> swept_of_header(std::string_view header);
/// The record of a row of CSV, with its end, below such columns. Throws InputError as record_of_cells does.
Record record_of_row(std::string_view row, std::vector<std::string> const& swept);

/// Reads JSON lines, or CSV (which starts with csv_header()). Throws InputError `FILE: line 3: ...` for what is no
/// record, for one of this version that contradicts itself (expect_consistent), and for a table of other columns.
ResultsFile read_results(std::string const& path);

struct Merged {
  std::string text;
  std::vector<std::string> remarks;  ///< on what is missing from it, or may not belong together
  bool whole = true;                 ///< no point of its sweeps is missing
};
/// The records of several files, in the order of their scenarios (as the files first name them) and points, as one
/// file. Throws InputError where the files hold no record, where they differ in format, where two hold the same point,
/// or where records of one scenario are of two states of it (run/points/record_states.hpp).
Merged merged(std::vector<std::string> const& paths);

}  // namespace rondo
