#pragma once

// Where records are written: a table for people, as text or Markdown; CSV or JSON lines for programs.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "run/output/result_table.hpp"
#include "run/points/judge.hpp"
#include "run/points/results_file.hpp"

namespace rondo {

enum class Format : std::uint8_t { table, markdown, csv, jsonl };

/// Takes the results of one or more jobs. csv and jsonl write and flush each record as it comes. A table is written at
/// the end of its job, because only then the widths of its columns are known.
class Output {
 public:
  virtual ~Output() = default;
  virtual void begin(std::string const& /*title*/) {}
  virtual void add(PointResult const& result) = 0;
  virtual void end() {}
  /// Replaces a file of records that is resumed by the result of `change`. A reader always sees a complete file.
  virtual void rewrite(std::function<std::string(ResultsFile const&)> const& change);
  /// Must be called after the last job. Throws InputError if another process has removed or cut off the file meanwhile.
  virtual void finish() = 0;
  /// The table of the results so far; empty if each result is written at once.
  virtual std::string so_far() const;
};

/// What happens to an output file that exists already.
enum class Existing : std::uint8_t { refused, replaced, resumed };

/// Writes to `path`, or to standard output if it is unset. Tables look as `look` says. CSV has columns for the pointers
/// in `swept`; if `look` names columns, it has only these. A file that is resumed (not a table) keeps its complete
/// records, and loses an incomplete one at the end. Throws InputError if the file exists and that is refused, if it
/// cannot be written, if another process writes it, or if a resumed file has the other format.
std::unique_ptr<Output> make_output(Format format, std::optional<std::string> const& path, Existing existing,
                                    TableLook const& look, std::vector<std::string> const& swept = {});

}  // namespace rondo
