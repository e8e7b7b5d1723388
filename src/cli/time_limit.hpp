#pragma once

// Limits on the real time of a command. They end the program from a signal handler, wherever it is.

#include <string>

#include "base/units.hpp"

namespace rondo::cli {

/// Ends the program with exit code 3 (failed_point) if this object lives longer than `limit` of real time; 0: no limit.
/// Before that it writes `message` as a line to standard error. Use it only for work that can be lost: points have
/// their own limits (run/points/workers.hpp), and an output file gets its name only when it is complete
/// (run/points/atomic_file.hpp). At most one may exist at a time: all share the process's SIGALRM timer.
class TimeLimit {
 public:
  TimeLimit(Seconds limit, std::string const& message);
  ~TimeLimit();
  TimeLimit(TimeLimit const&) = delete;
  TimeLimit& operator=(TimeLimit const&) = delete;
};

/// The limit for reading all scenarios of a command whose points have `timeout` each; 0: no limit. It is at least 5 s,
/// and 1 s longer than `timeout`, so that work with a timeout of its own, such as compiling, reports first.
TimeLimit loading_limit(Seconds timeout);

/// For a command that works on one point of `file`: the whole work may take `timeout`.
TimeLimit point_limit(Seconds timeout, std::string const& file);

}  // namespace rondo::cli
