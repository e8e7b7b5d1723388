#pragma once

// Limits on the real time of a command.

#include <string>

#include "base/units.hpp"

namespace rondo::cli {

/// Ends the program with one line on standard error and exit code 3 if this object exists for longer than `allowed` of
/// real time; 0 means no limit. It must be used only for work that has nothing to lose: results of points are protected
/// by run/points/within.hpp, which limits each point, and a file that is being written has no name yet.
class TimeLimit {
 public:
  TimeLimit(Seconds allowed, std::string const& line);
  ~TimeLimit();
  TimeLimit(TimeLimit const&) = delete;
  TimeLimit& operator=(TimeLimit const&) = delete;
};

/// The limit for reading all scenarios of a command whose points have `timeout` each. It is one second longer than
/// that, so that work with a timeout of its own, such as compiling, reports first, and at least 5 s.
TimeLimit loading_limit(Seconds timeout);

/// The limit for all work on a point of a file, in a command for one point.
TimeLimit point_limit(Seconds timeout, std::string const& file);

}  // namespace rondo::cli
