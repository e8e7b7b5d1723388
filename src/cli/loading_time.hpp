#pragma once

#include "base/units.hpp"

namespace rondo::cli {

/// Ends the program with one line and exit code 3 if this value lives for longer than `timeout` of real time, but 5 s
/// at least, as all points are read here and a timeout is that of one; 0: for ever. While scenarios are read there are
/// no results yet that could be lost; what runs behind, run/points/within.hpp limits point by point.
class LoadingTime {
 public:
  explicit LoadingTime(Seconds timeout);
  ~LoadingTime();
  LoadingTime(LoadingTime const&) = delete;
  LoadingTime& operator=(LoadingTime const&) = delete;
};

}  // namespace rondo::cli
