#pragma once

// Names the rank that crashed. All ranks are actors of one process, so a crash of the process does not tell which rank
// caused it.

namespace rondo {

/// From here on a fatal signal (of memory, arithmetic, an illegal instruction or abort) first prints the rank that was
/// running on standard error (crash_line of engine/failure.hpp); nothing if no rank was. The previous handler then
/// handles it. Must be called once, after SimGrid's engine has been made, which installs a handler of its own.
void report_rank_of_crash();

}  // namespace rondo
