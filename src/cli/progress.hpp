#pragma once

// The progress of a run on standard error.

#include <chrono>
#include <cstddef>
#include <string>

#include "run/points/job.hpp"
#include "run/points/record.hpp"

namespace rondo::cli {

/// Reports the progress of a file's points on standard error: on a terminal in a single line that is overwritten,
/// otherwise every few seconds. The first report is the number of points.
class Progress {
 public:
  struct Points {
    std::size_t all, to_do;
  };
  /// `note` is a remark about the points that have to be run; it may be empty.
  Progress(std::string const& file, Points points, std::string const& note, bool quiet);

  /// This point is simulated now.
  void at(scenario::Point const& point);
  /// A point has got this record.
  void done(Record const& record);
  /// Prints "12 points done, 4 refused, 1 failed": those without an error, those refused for what they ask for, and
  /// those that failed in their run.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  void say(std::string const& state);

  std::string file_, current_;
  std::size_t points_, done_ = 0, refused_ = 0, failed_ = 0;
  bool quiet_, terminal_;
  Clock::time_point start_ = Clock::now(), shown_ = start_;
};

}  // namespace rondo::cli
