#pragma once

// Where records go: a table for a person, as text or as Markdown, CSV or JSON lines for a program.

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

/// Takes the results of one or more jobs. csv and jsonl write and flush each record as it comes; a table, as text or
/// as Markdown, is written at the end of its job, when the widths of its columns are known.
class Output {
 public:
  virtual ~Output() = default;
  virtual void begin(std::string const& title) = 0;
  virtual void add(PointResult const& result) = 0;
  virtual void end() = 0;
  /// Replaces a file of records that is resumed by what `change` makes of it: whole, whenever it is looked at.
  virtual void rewrite(std::function<std::string(ResultsFile const&)> const& change);
  /// Behind the last job. Throws InputError if another process has removed or cut off the file meanwhile.
  virtual void finish() = 0;
  /// The table of the results that have come; empty where each is written at once.
  virtual std::string so_far() const;
};

/// What becomes of an output file that exists already.
enum class Existing : std::uint8_t { refused, replaced, resumed };

/// Writes to `path`, or to standard output where it is unset; tables as `look` says, CSV with columns for what is
/// `swept`, by pointers, and with those of `look` alone if it names some. A file that is resumed (no table)
/// keeps its whole records, and what was cut off behind them goes. Throws InputError if the file exists and is refused,
/// if it cannot be written, if another process writes it, or if what is resumed is of the other format.
std::unique_ptr<Output> make_output(Format format, std::optional<std::string> const& path, Existing existing,
                                    TableLook const& look, std::vector<std::string> const& swept = {});

}  // namespace rondo
