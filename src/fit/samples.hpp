#pragma once

// Reads the output of measurement tools as samples: times of messages between two processes, by their size, and the
// round trips that Netgauge measures for the LogGP model. A line that breaks the rules of its format is an error with
// line and column. A part of a file that a fit cannot use is left out with a warning.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace rondo::fit {

/// How a table of measurements is written.
enum class Format {
  osu,      ///< the OSU micro-benchmarks' text, a latency test between two processes: size, microseconds
  imb,      ///< the Intel MPI Benchmarks' text, its section PingPong: size, repetitions, microseconds, MB/s
  pairs,    ///< CSV of two columns, "lat" (microseconds; "lat_ns", "lat_us", "lat_ms", "lat_s") and "size" (bytes)
  netgauge  ///< the output of `netgauge -x loggp -o FILE`
};

/// Recognizes the format of a text by its first lines. Throws InputError that begins with `file` and names the accepted
/// formats.
Format format_of(std::string_view text, std::string const& file);

/// The time of a message of `bytes` bytes in one direction.
struct Sample {
  std::int64_t bytes = 0;
  Seconds time;
};

/// The samples of a file, with warnings about what was left out.
struct Samples {
  std::vector<Sample> all;
  std::vector<std::string> warnings;  ///< one line for each part that was left out
};

/// The times of a text in the format osu, imb or pairs. Throws InputError "FILE:LINE:COLUMN: expected ..., got ..." if
/// a cell is no number, is negative or not finite, or has another unit, if a column is missing, and unless there are at
/// least two sizes.
Samples read_samples(std::string_view text, Format format, std::string const& file);

/// One line of Netgauge's table [Hoefler07]: round trips of n messages of s bytes, answered once after the last of
/// them.
struct RoundTrips {
  std::int64_t bytes = 0;     ///< s
  std::int64_t messages = 2;  ///< n, at least 2
  Seconds one;                ///< PRTT(1,0,s): of one message
  Seconds burst;              ///< PRTT(n,0,s): of n, sent one after the other
  Seconds spaced;             ///< PRTT(n,d,s): of n with a wait of d = PRTT(1,0,s) after each
};

/// Throws InputError as read_samples does.
std::vector<RoundTrips> read_round_trips(std::string_view text, std::string const& file);

}  // namespace rondo::fit
