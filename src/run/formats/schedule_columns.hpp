#pragma once

// A schedule as columns of numbers, which programs that hold one in arrays hand over without a text between. A row is a
// message or a copy; rows stand in the order in which ranks post them, so that their rounds do not fall. Each message
// has its places behind those of the message before it, in pairs: the place that the source reads, and the one that the
// target writes. A place is a number, that of its buffer (0 send, 1 receive, 2 intermediate) times 2^30 plus its slot.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace rondo {

struct MessageRow {
  std::int32_t round = 1;
  std::int32_t source = 0, target = 0;
  std::int32_t join = 0;  ///< how the target joins what arrives: a number of Join
  std::int32_t places = 0;
};

struct PlacePair {
  std::uint32_t from = 0, into = 0;
};

struct CopyRow {
  std::int32_t round = 0;
  std::int32_t rank = 0;
  std::int32_t join = 0;
  PlacePair places;
};

struct ScheduleColumns {
  int ranks = 1;
  std::span<MessageRow const> messages;
  std::span<PlacePair const> places;
  std::span<CopyRow const> copies;
};

/// The schedule, with a program for each rank, whose buffers are those of `least(rank)` with as many slots more of m
/// bytes as the rank uses. What a row must hold beyond its types is the caller's to check: throws ContractViolation for
/// ranks that are none, messages of a rank to itself and rounds that fall.
Schedule schedule_of(ScheduleColumns const& columns, std::function<Layout(Rank)> const& least);

/// What ranks send, rank after rank and round after round: round, source, target, blocks and bytes of each message.
using SentRow = std::array<std::int64_t, 5>;
std::vector<SentRow> sent_rows(Schedule const& schedule);

}  // namespace rondo
