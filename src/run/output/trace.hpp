#pragma once

// Exports a simulated run for viewers of traces, in which users can zoom into it.

#include <string>

#include "run/points/atomic_file.hpp"
#include "run/points/simulate.hpp"

namespace rondo {

/// The most messages of a trace, which `rondo export` enforces. With four events for each message such a trace has
/// about 40 MB, which browsers still open.
inline constexpr std::int64_t most_traced_messages = 100'000;

/// Writes a run to the sink as Chrome trace events, for ui.perfetto.dev or chrome://tracing. A rank is a process; each
/// of its send ports and receive ports is a thread. A message is a complete event (X) on a port at each end, and a flow
/// (s, f) from its send to its receive. The steps of workloads are complete events on threads of their own. Times are
/// microseconds with six decimals.
void write_trace(Timeline const& timeline, std::string const& title, TextSink const& sink);

}  // namespace rondo
