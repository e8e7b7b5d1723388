#pragma once

namespace rondo {

/// From here on a fatal signal first says on standard error which rank it came from (crash_line of engine/failure.hpp),
/// before whoever handled it until now does so. Whoever made SimGrid's engine, which has a handler of its own, calls
/// it.
void tell_rank_of_crash();

}  // namespace rondo
