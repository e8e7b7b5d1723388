#pragma once

// The records of a search, in a file of JSON lines that grows while it runs: a search that was cut off, or one that
// asks a little more, does not simulate them again.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "run/output/records.hpp"
#include "run/points/simulations.hpp"

namespace rondo {

class KeptRecords {
 public:
  /// Makes the file, or reads and continues it. Throws InputError where it holds something else, cannot be written, or
  /// another process writes it.
  explicit KeptRecords(std::string const& path);

  /// The record without an error under this record_key by this version, proved no less than asked for.
  std::optional<Record> find(std::string const& key, Proof proof) const;
  /// Writes it at once, and knows it from here on.
  void add(PointResult const& result);

 private:
  struct Row {
    std::string text, proof;
  };
  std::unique_ptr<Output> output_;
  std::multimap<std::string, Row> rows_;  ///< by record_key
};

}  // namespace rondo
