#pragma once

// The step from a total over all ranks to a bound for the busiest rank.

#include "base/division.hpp"

namespace rondo::theory {

/// The mean over the ranks, rounded up: some rank has at least this much.
constexpr std::int64_t mean_at_least(std::int64_t total, int ranks) { return ceil_div(total, ranks); }

}  // namespace rondo::theory
