#pragma once

#include <string>
#include <vector>

#include "base/units.hpp"
#include "schedule/schedule.hpp"

namespace rondo::testing {

struct NamedSchedule {
  std::string name;
  Schedule schedule;
};

/// Schedules of every family and algorithm, in every order of posting, on this many ranks; collectives on all ranks
/// also on 8.
inline constexpr int library_ranks = 12;
std::vector<NamedSchedule> library_schedules(Bytes block);

}  // namespace rondo::testing
