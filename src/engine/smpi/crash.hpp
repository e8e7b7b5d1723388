#pragma once

// Names the rank in which a simulating process crashed, because all ranks are actors of that process.

namespace rondo {

/// From here on a fatal signal first prints the rank from which it came on standard error (crash_line of
/// engine/failure.hpp). The previous handler then handles it. It is called after SimGrid's engine has been made, which
/// installs a handler of its own.
void report_rank_of_crash();

}  // namespace rondo
