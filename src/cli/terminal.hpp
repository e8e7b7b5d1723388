#pragma once

// Output that depends on the terminal: its width, to which tables and lines are fitted, the colours of verdicts,
// unless the user has switched them off, and the progress of a run on standard error.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "run/points/job.hpp"
#include "run/points/record.hpp"

namespace rondo::cli {

/// How many characters a line of the terminal behind this descriptor has; unset if it is no terminal, or does not tell.
std::optional<std::size_t> terminal_width(int descriptor);

enum class Colour : std::uint8_t { green, yellow, red };

/// Whether --color asks for colours. "auto" does if standard output is a terminal, and NO_COLOR and TERM=dumb are
/// absent (no-color.org).
bool colours_wanted(std::string_view color);

/// The text in this colour; its number of visible characters does not change.
std::string coloured(std::string_view text, Colour colour);

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
