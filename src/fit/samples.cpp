// Readers for the output of OSU's and Intel's benchmarks, for CSV, and for Netgauge.

#include "fit/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.hpp"
#include "fit/lines.hpp"

namespace rondo::fit {
namespace {

constexpr double microsecond = 1e-6;

/// A latency and a bandwidth need times of two sizes.
void expect_two_sizes(Samples const& samples, std::string const& file) {
  if (samples.all.empty()) {
    std::string const why = samples.warnings.empty() ? "" : "; " + samples.warnings.back();
    throw InputError(fmt::format("{}: expected sizes with their times, got none{}", file, why));
  }
  std::int64_t const first = samples.all.front().bytes;
  if (std::ranges::any_of(samples.all, [&](Sample const& each) { return each.bytes != first; })) return;
  throw InputError(fmt::format("{}: expected at least two sizes, which latency and bandwidth need, got {}", file,
                               print(Bytes(first))));
}

Sample sample_of(Cell const& size, Cell const& time, double unit, Place const& place) {
  Sample const sample{count_of(size, "a size in bytes", 0, place), Seconds(unit * number_of(time, "a time", place))};
  if (sample.time <= Seconds(0)) place.refuse(time, "a time of more than 0");
  return sample;
}

/// Checks the title of an OSU test and the names of its columns, which tell what its numbers mean.
void expect_latency_between_two(Line const& line, std::string const& file) {
  Place const place{file, line.number};
  bool const title =
      line.text.find("OSU") != std::string_view::npos && line.text.find("Test") != std::string_view::npos;
  bool const columns = fields_of(line.text).size() > 2 && fields_of(line.text)[1].text == "Size";
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

void read_osu_line(Line const& line, std::string const& file, Samples& result) {
  auto const words = fields_of(line.text);
  if (line.text.starts_with('#')) {
    expect_latency_between_two(line, file);
  } else if (!words.empty()) {
    Place const place{file, line.number};
    if (words.size() < 2) place.refuse("a size and a time", excerpt(line.text));
    result.all.push_back(sample_of(words[0], words[1], microsecond, place));
  }
}

/// Collects the lines of a launcher or a job script that stand before a header. They are left out, with one warning for
/// each header.
class Preamble {
 public:
  void add(Line const& line) {
    if (fields_of(line.text).empty()) return;
    if (count_++ == 0) first_ = line;
  }
  /// Ends a preamble: the lines so far stood before a header.
  void end(Samples& samples, std::string const& file) {
    if (count_ > 0) {
      samples.warnings.push_back(fmt::format("{}:{}: {} before the header {} left out: {}", file, first_.number,
                                             count_ == 1 ? "a line" : fmt::format("{} lines", count_),
                                             count_ == 1 ? "is" : "are", excerpt(first_.text)));
    }
    count_ = 0;
  }

 private:
  Line first_;
  std::size_t count_ = 0;
};

bool is_osu_title(Line const& line) { return line.text.starts_with("# OSU "); }

/// Whether a line looks like a row of numbers, correct or not, instead of text from a launcher.
bool looks_like_a_row(Line const& line) {
  auto const words = fields_of(line.text);
  return !words.empty() && words[0].text.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
}

/// The first line of the preamble before a title: the line after the last row of the table before it. Everything before
/// the first title is its preamble.
std::size_t preamble_before(std::vector<Line> const& lines, std::size_t title, std::size_t begin) {
  std::size_t from = title;
  while (from > begin && !looks_like_a_row(lines[from - 1]) && !lines[from - 1].text.starts_with('#')) --from;
  return begin == 0 ? 0 : from;
}

/// A file may hold the output of several runs.
Samples read_osu(std::string_view text, std::string const& file) {
  Samples result;
  auto const lines = lines_of(text);
  for (std::size_t begin = 0; begin < lines.size();) {
    auto const title = static_cast<std::size_t>(
        std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(begin), lines.end(), is_osu_title) - lines.begin());
    std::size_t const rows_end = title < lines.size() ? preamble_before(lines, title, begin) : title;
    for (std::size_t i = begin; i < rows_end; ++i) read_osu_line(lines[i], file, result);
    Preamble preamble;
    for (std::size_t i = rows_end; i < title; ++i) preamble.add(lines[i]);
    preamble.end(result, file);
    if (title < lines.size()) expect_latency_between_two(lines[title], file);
    begin = title + 1;
  }
  return result;
}

/// The name of the section that begins with this line of IMB's text, if one does.
std::optional<std::string_view> section_of(Line const& line) {
  constexpr std::string_view words = "# Benchmarking ";
  if (!line.text.starts_with(words)) return std::nullopt;
  return fields_of(line.text.substr(words.size())).front().text;
}

/// Checks that the columns of sizes and times are where IMB has them; refuses times that are not in microseconds.
void expect_imb_columns(std::vector<Cell> const& names, Line const& line, std::string const& file) {
  Place const place{file, line.number};
  if (names.size() < 3 || !names[2].text.starts_with("t["))
    place.refuse("columns #bytes #repetitions t[usec]", excerpt(line.text));
  if (names[2].text != "t[usec]") place.refuse(names[2], "times in t[usec]");
}

/// "4 processes" for "# #processes = 4", "2 groups of 2 processes" for "# ( 2 groups of 2 processes each running ...";
/// nothing if the line says neither, or if it is the line of a ping-pong between two processes.
std::optional<std::string> other_processes(Line const& line) {
  auto const words = fields_of(line.text);
  auto const word = [&](std::size_t i) { return i < words.size() ? words[i].text : std::string_view(); };
  if (word(1) == "#processes" && word(2) == "=" && word(3) != "2") return fmt::format("{} processes", word(3));
  if (word(1) == "(" && word(3).starts_with("group") && word(4) == "of") {
    return fmt::format("{} {} of {} processes", word(2), word(3), word(5));
  }
  return std::nullopt;
}

/// Reads Intel's text section by section.
class ImbReader {
 public:
  explicit ImbReader(std::string const& file) : file_(file) {}

  void read(Line const& line) {
    if (line.text.starts_with('#')) preamble_.end(result_, file_), headed_ = true;
    if (!headed_) return preamble_.add(line);
    if (auto const begun = section_of(line)) return begin(*begun, line);
    if (!used_) return;
    auto const words = fields_of(line.text);
    if (words.empty()) return;
    if (words[0].text == "#bytes") {
      expect_imb_columns(words, line, file_);
      columns_ = true;
    } else if (line.text.starts_with('#')) {
      if (auto const processes = other_processes(line)) leave_out(line, fmt::format("PingPong of {}", *processes));
    } else {
      read_row(words, line);
    }
  }

  Samples result() && { return std::move(result_); }

 private:
  void begin(std::string_view section, Line const& line) {
    used_ = true;
    columns_ = false;
    if (section != "PingPong") leave_out(line, section);
  }

  void leave_out(Line const& line, std::string_view what) {
    used_ = false;
    result_.warnings.push_back(fmt::format("{}:{}: {} is left out: a fit uses PingPong {}", file_, line.number, what,
                                           what.starts_with("PingPong") ? "between two processes" : "alone"));
  }

  void read_row(std::vector<Cell> const& words, Line const& line) {
    Place const place{file_, line.number};
    if (!columns_) place.refuse("columns #bytes #repetitions t[usec] before the first row", excerpt(line.text));
    if (words.size() < 3) place.refuse("a size, repetitions and a time", excerpt(line.text));
    result_.all.push_back(sample_of(words[0], words[2], microsecond, place));
  }

  std::string const& file_;
  Samples result_;
  Preamble preamble_;
  bool headed_ = false;   ///< a line that begins with '#' has come
  bool used_ = false;     ///< in a section whose times are used
  bool columns_ = false;  ///< its columns have been named
};

Samples read_imb(std::string_view text, std::string const& file) {
  ImbReader reader(file);
  for (Line const& line : lines_of(text)) reader.read(line);
  return std::move(reader).result();
}

/// The possible names of the column of times, each with its unit in seconds.
constexpr std::array<std::pair<std::string_view, double>, 5> time_columns = {
    {{"lat", 1e-6}, {"lat_us", 1e-6}, {"lat_ns", 1e-9}, {"lat_ms", 1e-3}, {"lat_s", 1.0}}};

/// The columns of a CSV that a fit reads.
struct PairColumns {
  std::vector<Cell> names;
  char separator = ',';
  std::size_t size = 0, time = 0;
  double unit = 0;
};

/// The columns that this line names; nothing if it names no column "size".
std::optional<PairColumns> pair_columns(Line const& line, std::string const& file) {
  for (char const separator : {';', ','}) {
    PairColumns columns{cells_of(line.text, separator), separator};
    auto const column_of = [&](std::string_view name) {
      return static_cast<std::size_t>(std::ranges::find(columns.names, name, &Cell::text) - columns.names.begin());
    };
    columns.size = column_of("size");
    if (columns.size == columns.names.size()) continue;
    auto const* const time_column = std::ranges::find_if(
        time_columns, [&](auto const& each) { return column_of(each.first) < columns.names.size(); });
    if (time_column == time_columns.end()) {
      Place{file, line.number}.refuse("columns size and lat (or lat_ns, lat_us, lat_ms, lat_s)", excerpt(line.text));
    }
    columns.time = column_of(time_column->first);
    columns.unit = time_column->second;
    return columns;
  }
  return std::nullopt;
}

Samples read_pairs(std::string_view text, std::string const& file) {
  Samples result;
  Preamble preamble;
  std::optional<PairColumns> columns;
  std::size_t again = 0;
  for (Line const& line : lines_of(text)) {
    if (fields_of(line.text).empty()) continue;
    // A file may hold several runs, each with the names of its columns.
    if (auto const named = pair_columns(line, file)) {
      if (columns && again++ == 0) {
        result.warnings.push_back(
            fmt::format("{}:{}: columns are named again: {}", file, line.number, excerpt(line.text)));
      }
      preamble.end(result, file);
      columns = named;
    } else if (!columns) {
      preamble.add(line);
    } else {
      Place const place{file, line.number};
      auto const cells = cells_of(line.text, columns->separator);
      if (cells.size() != columns->names.size()) {
        place.refuse(fmt::format("{} cells as in the first line", columns->names.size()),
                     fmt::format("{}", cells.size()));
      }
      result.all.push_back(sample_of(cells[columns->size], cells[columns->time], columns->unit, place));
    }
  }
  return result;
}

}  // namespace

/// The format, by words that only its tool prints.
Format format_of(std::string_view text, std::string const& file) {
  auto const lines = lines_of(text);
  for (Line const& line : lines) {
    if (is_osu_title(line)) return Format::osu;
    if (line.text.find("Intel(R) MPI Benchmarks") != std::string_view::npos || section_of(line)) return Format::imb;
    if (line.text.find("PRTT(1,0,s)") != std::string_view::npos) return Format::netgauge;
  }
  for (Line const& line : lines) {
    if (pair_columns(line, file)) return Format::pairs;
  }
  throw InputError(
      fmt::format("{}: expected the output of rondo-measure, of OSU's or Intel's MPI benchmarks or of Netgauge, or CSV "
                  "with columns lat and size, got \"{}\"",
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
    auto const words = fields_of(line.text);
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
