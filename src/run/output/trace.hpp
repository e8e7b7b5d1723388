#pragma once

#include <string>

#include "run/points/timeline.hpp"
#include "run/points/whole_file.hpp"

namespace rondo {

/// Most messages of a trace: four events each, some 40 MB in all, which browsers still open.
inline constexpr std::int64_t most_traced_messages = 100'000;

/// Hands a run to the sink as Chrome trace events, for ui.perfetto.dev or chrome://tracing: a process a rank, a thread
/// a send port and a receive port, on each a complete event (X) a message, and a flow (s, f) from its send to its
/// receive; the steps of workloads are complete events on threads of their own. Times are microseconds with six
/// decimals.
void write_trace(Timeline const& timeline, std::string const& title, TextSink const& sink);

}  // namespace rondo
