#pragma once

// A schedule from elsewhere beside its promise.

#include <string>

#include "problem/promise.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// A promise ready to be held against a schedule: graphs made, sizes worked out, blocks cut.
struct PromisedCollective {
  problem::Promise promise;
  Collective collective;
};

/// Throws InputError, which begins with `where` ("FILE: /promise"), for a graph that would be too large, sizes that are
/// none and pieces that fit no reduction.
PromisedCollective promised(problem::Promise const& promise, std::string const& where);

/// Throws InputError, which names the file of the schedule, unless both have as many ranks, and the send slots of each
/// rank take the bytes of the blocks that the promise has there.
void expect_fits(Schedule const& schedule, PromisedCollective const& promised, std::string const& file);

}  // namespace rondo
