#pragma once

// What a record cannot say if it is one of its own point: results are edited, cut together and merged by people, and a
// number that no run has given must not be taken for one.

#include <cstdint>
#include <optional>
#include <string>

#include "run/points/record.hpp"

namespace rondo {

/// What is known of a point before it runs.
struct RecordFacts {
  std::string collective, algorithm, engine, timing;
  std::optional<std::string> routing;
  std::optional<std::int64_t> failed_links, block_bytes;
  std::int64_t p = 0;
  std::optional<std::uint64_t> seed;
};

RecordFacts facts_of(Record const& record);

/// "p: expected 4, as the scenario says, got 5": the first fact of a record that is another one than `due`; empty if
/// all are the same.
std::string contradiction(RecordFacts const& record, RecordFacts const& due);

/// Throws InputError `time_s: expected a number from 0, got -1` where a record contradicts itself: its numbers, its
/// verdict, or the scenario that it embeds.
void expect_consistent(Record const& record);

}  // namespace rondo
