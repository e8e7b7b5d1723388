#include "fit/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "base/error.hpp"
#include "fit/lines.hpp"

namespace rondo::fit {
namespace {

constexpr double microsecond = 1e-6;

void expect_two_sizes(Samples const& samples, std::string const& file) {
  if (samples.all.empty()) throw InputError(fmt::format("{}: expected sizes with their times, got none", file));
  std::int64_t const first = samples.all.front().bytes;
  if (std::ranges::any_of(samples.all, [&](Sample const& each) { return each.bytes != first; })) return;
  throw InputError(
      fmt::format("{}: expected at least two sizes, since one tells latency and bandwidth not apart, got {}", file,
                  print(Bytes(first))));
}

Sample sample_of(Cell const& size, Cell const& time, double unit, Place const& place) {
  Sample const sample{count_of(size, "a size in bytes", 0, place), Seconds(unit * number_of(time, "a time", place))};
  if (sample.time <= Seconds(0)) place.refuse(time, "a time of more than 0");
  return sample;
}

/// The title of an OSU test and the name of its columns say what its numbers are.
void expect_latency_between_two(Line const& line, std::string const& file) {
  Place const place{file, line.number};
  bool const title =
      line.text.find("OSU") != std::string_view::npos && line.text.find("Test") != std::string_view::npos;
  bool const columns = words_of(line.text).size() > 2 && words_of(line.text)[1].text == "Size";
  if (title && line.text.find("MPI Latency Test") == std::string_view::npos) {
    place.refuse("the latency test between two processes, \"OSU MPI Latency Test\"", excerpt(line.text));
  }
  if (columns && line.text.find("Latency") == std::string_view::npos) {
    place.refuse("a column \"Latency (us)\"", excerpt(line.text));
  }
  if (columns && line.text.find("(us)") == std::string_view::npos) {
    place.refuse("latencies in \"(us)\"", excerpt(line.text));
  }
}

Samples read_osu(std::string_view text, std::string const& file) {
  Samples result;
  for (Line const& line : lines_of(text)) {
    if (line.text.starts_with('#')) {
      expect_latency_between_two(line, file);
      continue;
    }
    auto const words = words_of(line.text);
    if (words.empty()) continue;
    Place const place{file, line.number};
    if (words.size() < 2) place.refuse("a size and a time", excerpt(line.text));
    result.all.push_back(sample_of(words[0], words[1], microsecond, place));
  }
  return result;
}

/// The name of the section that a line of IMB begins, if it does.
std::optional<std::string_view> section_of(Line const& line) {
  constexpr std::string_view words = "# Benchmarking ";
  if (!line.text.starts_with(words)) return std::nullopt;
  return words_of(line.text.substr(words.size())).front().text;
}

/// Where the columns of sizes and times stand; refuses times in another unit than microseconds.
void expect_imb_columns(std::vector<Cell> const& names, Line const& line, std::string const& file) {
  Place const place{file, line.number};
  if (names.size() < 3 || !names[2].text.starts_with("t["))
    place.refuse("columns #bytes #repetitions t[usec]", excerpt(line.text));
  if (names[2].text != "t[usec]") place.refuse(names[2], "times in t[usec]");
}

Samples read_imb(std::string_view text, std::string const& file) {
  Samples result;
  std::string_view section;
  bool columns = false;
  for (Line const& line : lines_of(text)) {
    if (auto const begun = section_of(line)) {
      section = *begun;
      columns = false;
      if (section != "PingPong") {
        result.warnings.push_back(
            fmt::format("{}:{}: {} is left out: a fit uses PingPong alone", file, line.number, section));
      }
      continue;
    }
    auto const words = words_of(line.text);
    if (section != "PingPong" || words.empty()) continue;
    if (words[0].text == "#bytes") {
      expect_imb_columns(words, line, file);
      columns = true;
    } else if (!words[0].text.starts_with('#')) {
      Place const place{file, line.number};
      if (!columns) place.refuse("columns #bytes #repetitions t[usec] before the first row", excerpt(line.text));
      if (words.size() < 3) place.refuse("a size, repetitions and a time", excerpt(line.text));
      result.all.push_back(sample_of(words[0], words[2], microsecond, place));
    }
  }
  return result;
}

/// A name of the column of times, and its unit in seconds.
constexpr std::array<std::pair<std::string_view, double>, 5> time_columns = {
    {{"lat", 1e-6}, {"lat_us", 1e-6}, {"lat_ns", 1e-9}, {"lat_ms", 1e-3}, {"lat_s", 1.0}}};

Samples read_pairs(std::string_view text, std::string const& file) {
  auto const lines = lines_of(text);
  char const separator = lines.front().text.find(';') != std::string_view::npos ? ';' : ',';
  auto const names = cells_of(lines.front().text, separator);
  auto const column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(names, name, &Cell::text) - names.begin());
  };
  std::size_t const size = column("size");
  auto const* const known =
      std::ranges::find_if(time_columns, [&](auto const& each) { return column(each.first) < names.size(); });
  if (size == names.size() || known == time_columns.end()) {
    Place{file, 1}.refuse("columns size and lat (or lat_ns, lat_us, lat_ms, lat_s)", excerpt(lines.front().text));
  }
  std::size_t const time = column(known->first);
  Samples result;
  for (Line const& line : std::vector(lines.begin() + 1, lines.end())) {
    if (words_of(line.text).empty()) continue;
    Place const place{file, line.number};
    auto const cells = cells_of(line.text, separator);
    if (cells.size() != names.size()) {
      place.refuse(fmt::format("{} cells as in the first line", names.size()), fmt::format("{}", cells.size()));
    }
    result.all.push_back(sample_of(cells[size], cells[time], known->second, place));
  }
  return result;
}

}  // namespace

Format format_of(std::string_view text, std::string const& file) {
  auto const lines = lines_of(text);
  for (Line const& line : lines) {
    if (line.text.starts_with("# OSU ")) return Format::osu;
    if (line.text.find("Intel(R) MPI Benchmarks") != std::string_view::npos || section_of(line)) return Format::imb;
    if (line.text.find("PRTT(1,0,s)") != std::string_view::npos) return Format::netgauge;
  }
  if (!lines.empty()) {
    for (char const separator : {';', ','}) {
      auto const names = cells_of(lines.front().text, separator);
      if (std::ranges::find(names, "size", &Cell::text) != names.end()) return Format::pairs;
    }
  }
  throw InputError(
      fmt::format("{}: expected text of OSU's or Intel's MPI benchmarks, of Netgauge, or CSV with columns "
                  "lat and size, got \"{}\"",
                  file, lines.empty() ? "" : excerpt(lines.front().text)));
}

Samples read_samples(std::string_view text, Format format, std::string const& file) {
  expects(format != Format::netgauge, "Netgauge's round trips are no samples");
  Samples samples = format == Format::osu   ? read_osu(text, file)
                    : format == Format::imb ? read_imb(text, file)
                                            : read_pairs(text, file);
  expect_two_sizes(samples, file);
  return samples;
}

std::vector<RoundTrips> read_round_trips(std::string_view text, std::string const& file) {
  std::vector<RoundTrips> result;
  for (Line const& line : lines_of(text)) {
    auto const words = words_of(line.text);
    if (words.empty() || words[0].text.starts_with('#')) continue;
    Place const place{file, line.number};
    if (words.size() < 5) {
      place.refuse("columns size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s)", excerpt(line.text));
    }
    auto const time = [&](Cell const& cell) {
      Seconds const value(microsecond * number_of(cell, "a round trip time", place));
      if (value <= Seconds(0)) place.refuse(cell, "a round trip time of more than 0");
      return value;
    };
    RoundTrips const trips{count_of(words[0], "a size in bytes", 1, place),
                           count_of(words[1], "a number of messages", 2, place), time(words[2]), time(words[3]),
                           time(words[4])};
    if (trips.burst <= trips.one) place.refuse(words[3], "more than the round trip time of one message");
    result.push_back(trips);
  }
  std::int64_t const first = result.empty() ? 0 : result.front().bytes;
  if (std::ranges::all_of(result, [&](RoundTrips const& each) { return each.bytes == first; })) {
    throw InputError(fmt::format("{}: expected round trips of at least two sizes, got {}", file,
                                 result.empty() ? "none" : print(Bytes(first))));
  }
  return result;
}

}  // namespace rondo::fit
