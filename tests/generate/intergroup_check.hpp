#pragma once

#include <string>
#include <vector>

#include "schedule/measure.hpp"
#include "schedule/verify.hpp"
#include "theory/intergroup.hpp"

namespace rondo {

inline constexpr theory::LinearCost intergroup_cost{Seconds(1e-6), BytesPerSecond(1e9)};

/// When the last rank is done, each message taking alpha + beta n from when both of its ranks have come to its round:
/// a derivation of its own, for schedules that post no more sends and receives a round than there are ports.
Seconds finish_time(Schedule const& schedule, theory::LinearCost const& cost);

/// Fails the test unless the schedule delivers `pieces` of blocks, and counts, bounds and time are those of theory.
/// Returns the verdict for what else is to be said of it.
Verdict expect_as_in_theory(Schedule const& schedule, IntergroupPromise const& promise,
                            theory::IntergroupCounts const& counts, theory::IntergroupBounds const& bounds,
                            std::string const& what, int ports = 1);

}  // namespace rondo
