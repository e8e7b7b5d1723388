#pragma once

// A second replay of schedules, written from the prose of schedule.hpp and verify.hpp alone: maps of maps, one rank
// and one block at a time. Slow, and the judge of verify.

#include <set>
#include <tuple>

#include "schedule/verify.hpp"

namespace rondo::testing {

struct NaiveVerdict {
  bool delivered = false;
  std::set<std::tuple<Fault, int, int>> faults;  ///< (fault, rank, round); a circular wait at rank 0, round 0
  double redundant_blocks = 0;
};

/// Shapes must be right: every place in its buffer, every partner another rank.
NaiveVerdict naive_verdict(Schedule const& schedule, Collective const& collective);

}  // namespace rondo::testing
