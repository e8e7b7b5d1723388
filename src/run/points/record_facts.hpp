#pragma once

// The facts that a record must state if it belongs to its point. People edit, cut and merge results, and a number
// that no run has produced must not be taken for one.

#include <cstdint>
#include <optional>
#include <string>

#include "run/points/record.hpp"

namespace rondo {

/// The facts about a point that are known before it runs.
struct RecordFacts {
  std::string collective, algorithm, engine, timing;
  std::optional<std::string> routing;
  std::optional<std::int64_t> failed_links, block_bytes;
  std::int64_t p = 0;
  std::optional<std::uint64_t> seed;
};

RecordFacts facts_of(Record const& record);

/// "p: expected 4, as the scenario says, got 5": the first fact of a record that differs from `due`; empty if there is
/// none.
std::string contradiction(RecordFacts const& record, RecordFacts const& due);

/// Throws InputError `time_s: expected a number from 0, got -1` if a record contradicts itself: its numbers, its
/// verdict, or the scenario that it embeds.
void expect_consistent(Record const& record);

}  // namespace rondo
