#pragma once

// A schedule as columns of numbers, for programs that hold schedules in arrays and hand them over without a text in
// between. A row is a message or a copy. Rows are in the order in which ranks post them, so their rounds never
// fall. The places of a message follow those of the message before it, in pairs: the place that the source reads, and
// the place that the target writes. A place is a number: its buffer (0 send, 1 receive, 2 intermediate) times 2^30 plus
// its slot.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace rondo {

/// A message: its round, its ends, and how many places it has.
struct MessageRow {
  std::int32_t round = 1;
  std::int32_t source = 0, target = 0;
  std::int32_t join = 0;  ///< how the target joins arriving data: a number of Join
  std::int32_t places = 0;
};

/// A place that a message or a copy reads, and the place that it writes.
struct PlacePair {
  std::uint32_t from = 0, into = 0;
};

/// A copy within a rank.
struct CopyRow {
  std::int32_t round = 0;
  std::int32_t rank = 0;
  std::int32_t join = 0;
  PlacePair places;
};

/// All columns. They must outlive the conversion.
struct ScheduleColumns {
  int ranks = 1;
  std::span<MessageRow const> messages;
  std::span<PlacePair const> places;
  std::span<CopyRow const> copies;
};

/// The schedule, with a program for each rank. A rank's buffers are those of `stated(rank)`, extended by slots of
/// the layout's block size as far as the rank uses more. Throws ContractViolation for a rank, a buffer or a join that
/// does not exist, for a message of a rank to itself, for a total of places that differs from `places`, and for rounds
/// that fall.
Schedule schedule_of(ScheduleColumns const& columns, std::function<Layout(Rank)> const& stated);

/// The messages of all ranks, rank after rank and round after round: round, source, target, blocks and bytes.
using SentRow = std::array<std::int64_t, 5>;
std::vector<SentRow> sent_rows(Schedule const& schedule);

}  // namespace rondo
