#pragma once

// The records of a search, in a file of JSON lines that grows while the search runs. A search that was interrupted,
// or one with slightly different options, does not simulate them again.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "run/output/records.hpp"
#include "run/points/simulations.hpp"

namespace rondo {

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
