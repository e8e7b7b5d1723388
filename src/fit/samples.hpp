#pragma once

// What measurement tools write, as samples: times of messages between two processes by their size, and what Netgauge
// measures for the LogGP model. A line that is not what its format says is an error with its line and column; a part of
// a file that a fit has no use for is left out, and named.

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
  netgauge  ///< what `netgauge -x loggp -o FILE` writes
};

/// The format of a text by its first lines. Throws InputError that names what is accepted; `file` stands before it.
Format format_of(std::string_view text, std::string const& file);

/// One way of a message of `bytes` bytes.
struct Sample {
  std::int64_t bytes = 0;
  Seconds time;
};

struct Samples {
  std::vector<Sample> all;
  std::vector<std::string> warnings;  ///< what was left out, a line each
};

/// The times of a text in the format osu, imb or pairs. Throws InputError "FILE:LINE:COLUMN: expected ..., got ..." for
/// what is no number, negative, not finite or in another unit, for missing columns, and unless there are two sizes.
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
