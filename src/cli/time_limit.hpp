#pragma once

#include <string>

#include "base/units.hpp"

namespace rondo::cli {

/// Ends the program with one line on standard error and exit code 3 if this value lives for longer than `allowed` of
/// real time; 0: for ever. Only for work that has nothing to lose: results of points are kept by run/points/within.hpp,
/// which limits point by point, and a file that is being written has no name yet.
class TimeLimit {
 public:
  TimeLimit(Seconds allowed, std::string const& line);
  ~TimeLimit();
  TimeLimit(TimeLimit const&) = delete;
  TimeLimit& operator=(TimeLimit const&) = delete;
};

/// For reading all scenarios of a command whose points have `timeout` each: a second more than that, so that what has
/// the timeout for itself, as compiling, speaks first, and at least 5 s.
TimeLimit loading_limit(Seconds timeout);

/// For all that is done about a point of a file, in a command for one point.
TimeLimit point_limit(Seconds timeout, std::string const& file);

}  // namespace rondo::cli
