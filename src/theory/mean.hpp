#pragma once

// The step from a total over all ranks to a bound for the busiest rank.

#include <cstdint>

namespace rondo::theory {

/// The mean over the ranks, rounded up: some rank has at least this much.
constexpr std::int64_t mean_at_least(std::int64_t total, int ranks) { return (total + ranks - 1) / ranks; }

}  // namespace rondo::theory
