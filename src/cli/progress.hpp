#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "run/points/job.hpp"
#include "run/points/record.hpp"

namespace rondo::cli {

/// Says on standard error how far the points of a file are: on a terminal in one line that is written over, elsewhere
/// every few seconds. The number of points comes first.
class Progress {
 public:
  struct Points {
    std::size_t all, to_do;
  };
  /// `note`: what is to be said of the points to do; may be empty.
  Progress(std::string const& file, Points points, std::string const& note, bool quiet);

  /// The point that is simulated now.
  void at(scenario::Point const& point);
  /// A point has this record.
  void done(Record const& record);
  /// "12 points done, 4 refused, 1 failed": without an error, refused for what it asks for, and failed as it ran.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  void say(std::string const& state);

  std::string file_, current_;
  std::size_t points_, done_ = 0, refused_ = 0, failed_ = 0;
  bool quiet_, terminal_;
  Clock::time_point start_ = Clock::now(), said_ = start_;
};

}  // namespace rondo::cli
