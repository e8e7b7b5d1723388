#pragma once

// Prepares the promise of a schedule that comes from a file, and checks that both fit each other.

#include <string>

#include "problem/promise.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// A promise that is ready to be compared with a schedule: graphs are made, sizes are computed, blocks are cut.
struct ResolvedPromise {
  problem::Promise promise;
  Collective collective;
};

/// Throws InputError, which begins with `where` ("FILE: /promise"), for a graph that would be too large, wrong sizes,
/// and pieces that fit no reduction.
ResolvedPromise resolve_promise(problem::Promise const& promise, std::string const& where);

/// Throws InputError with the name of the schedule's file unless both have the same number of ranks, and the send slots
/// of each rank have the sizes of the blocks that the promise puts there.
void expect_fits(Schedule const& schedule, ResolvedPromise const& promised, std::string const& file);

}  // namespace rondo
