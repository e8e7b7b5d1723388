#pragma once

#include <cstdint>

namespace rondo::theory {

/// The mean over the ranks, rounded up: what some rank has at least.
constexpr std::int64_t mean_at_least(std::int64_t total, int ranks) { return (total + ranks - 1) / ranks; }

}  // namespace rondo::theory
