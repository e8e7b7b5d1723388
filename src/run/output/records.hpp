#pragma once

// Writes records: a text or Markdown table for people, CSV or JSON lines for programs. The profile of a user
// program is a table of its collective calls. The records of a search are kept in a file of JSON lines that grows
// while the search runs, so that an interrupted search, or one with slightly different options, does not simulate
// them again.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "run/output/result_table.hpp"
#include "run/points/judge.hpp"
#include "run/points/record.hpp"
#include "run/points/results_file.hpp"
#include "run/points/simulations.hpp"

namespace rondo {

/// The forms of output.
enum class OutputFormat : std::uint8_t { table, markdown, csv, jsonl };

/// Takes the results of one or more jobs. csv and jsonl write and flush each record as it comes. A table is written at
/// the end of its job, because only then the widths of its columns are known.
class RecordWriter {
 public:
  virtual ~RecordWriter() = default;
  /// A job with this title begins.
  virtual void begin(std::string const& /*title*/) {}
  virtual void add(PointResult const& result) = 0;
  /// The job is complete.
  virtual void end() {}
  /// Replaces the content of a resumed CSV or JSON-lines file by the text that `change` makes of it. Readers see the
  /// old or the new file, never a part. A table cannot be rewritten (ContractViolation).
  virtual void rewrite(std::function<std::string(ResultsFile const&)> const& change);
  /// Must be called after the last job. Throws InputError if another process has removed or truncated the file
  /// meanwhile.
  virtual void finish() = 0;
  /// The table of the results so far, which is printed if the program is interrupted; empty if each result is written
  /// at once.
  virtual std::string unfinished_table() const;
};

/// What happens to an output file that exists already: refused by default, replaced with --force, resumed with
/// --resume.
enum class ExistingFile : std::uint8_t { refused, replaced, resumed };

/// Writes to `path`, or to standard output if it is unset. Tables look as `look` says. CSV has columns for the pointers
/// in `swept`; if `look` names columns, it has only these. A file that is resumed (not a table) keeps its complete
/// records, and loses an incomplete one at the end. Throws InputError if the file exists and `existing` is
/// refused, if it cannot be written, if another process writes it, or if a resumed file is CSV where JSON lines are
/// asked for, or the reverse.
std::unique_ptr<RecordWriter> make_record_writer(OutputFormat format, std::optional<std::string> const& path,
                                                 ExistingFile existing, TableOptions const& look,
                                                 std::vector<std::string> const& swept = {});

/// The file. Only one process at a time may have it open.
class StoredRecords {
 public:
  /// Creates the file, or reads it and continues it. Throws InputError if it holds something else, cannot be written,
  /// or is being written by another process.
  explicit StoredRecords(std::string const& path);

  /// The record with this record_key, made by this version without an error, with at least the proof that is asked for.
  std::optional<Record> find(std::string const& key, Proof proof) const;
  /// Writes the result at once; `find` knows it from now on.
  void add(PointResult const& result);

 private:
  struct Row {
    std::string text, proof;
  };
  std::unique_ptr<RecordWriter> output_;
  std::multimap<std::string, Row> rows_;  ///< by record_key
};

}  // namespace rondo
