// Reads the rows of rondo-measure. Times of messages contain the CPU times of calls; these were measured too and are
// subtracted before the network is fitted.

#include "fit/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fit/lines.hpp"

namespace rondo::fit {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view header = "measured,ranks,bytes,algorithm,us";

/// Reads one line after the header. Lines of collectives, from which no machine follows, are only for comparison.
void read_row(Line const& line, std::string const& file, Measured& result) {
  Place const place{file, line.number};
  auto const cells = cells_of(line.text, ',');
  if (cells.size() != 5) place.refuse(fmt::format("5 cells as in {}", header), fmt::format("{}", cells.size()));
  std::int64_t const bytes = count_of(cells[2], "a size in bytes", 0, place);
  Seconds const time(1e-6 * number_of(cells[4], "a time", place));
  if (time <= Seconds(0)) place.refuse(cells[4], "a time of more than 0");
  constexpr std::string_view known[] = {"between", "inside", "pairs",     "post",      "take",    "join",
                                        "barrier", "bcast",  "allreduce", "allgather", "alltoall"};
  std::string_view const what = cells[0].text;
  if (std::ranges::find(known, what) == std::end(known)) {
    place.refuse(cells[0], "a measurement of rondo-measure, such as between or inside");
  }
  if (what == "between") result.between.all.push_back({bytes, time});
  if (what == "inside") result.inside.all.push_back({bytes, time});
  if (what == "post") result.post = time;
  if (what == "take") result.take = time;
  if (what == "join" && bytes > 0) result.join = time.value / static_cast<double>(bytes);
}

bool has_two_sizes(Samples const& samples) {
  return std::ranges::any_of(samples.all, [&](Sample const& each) { return each.bytes != samples.all.front().bytes; });
}

/// The samples minus the CPU times at both ends; nothing if some sample is not longer than these times.
std::optional<Samples> without_calls(Samples samples, Seconds calls) {
  for (Sample& each : samples.all) {
    each.time = each.time - calls;
    if (each.time <= Seconds(0)) return std::nullopt;
  }
  return samples;
}

std::string text_of(Seconds time) { return print(Seconds(in_four_digits(time.value))); }

}  // namespace

bool is_measured(std::string_view text) {
  return std::ranges::any_of(lines_of(text), [](Line const& line) { return line.text == header; });
}

Measured read_measured(std::string_view text, std::string const& file) {
  Measured result;
  bool begun = false;
  for (Line const& line : lines_of(text)) {
    if (line.text == header) begun = true;
    if (!begun || line.text == header || line.text.starts_with('#') || fields_of(line.text).empty()) continue;
    read_row(line, file, result);
  }
  if (has_two_sizes(result.between) || has_two_sizes(result.inside)) return result;
  throw InputError(
      fmt::format("{}: expected messages \"between\" hosts or \"inside\" one, of at least two sizes, got none", file));
}

FittedMachine fit_measured(Measured const& measured, Origin const& origin) {
  bool const between = has_two_sizes(measured.between);
  bool const within = between && has_two_sizes(measured.inside);
  Samples const& messages = between ? measured.between : measured.inside;
  std::optional<Samples> rest, inside_rest;
  if (measured.post && measured.take) {
    rest = without_calls(messages, *measured.post + *measured.take);
    if (within) inside_rest = without_calls(measured.inside, *measured.post + *measured.take);
    if (within && !inside_rest) rest.reset();
  }
  FittedMachine result = fit_linear(rest ? *rest : messages, origin);
  Json machine = Json::parse(result.json);
  machine["timing"] = "flow";
  if (rest) machine["flow"] = {{"o_send", text_of(*measured.post)}, {"o_recv", text_of(*measured.take)}};
  if (measured.join) machine["reduce"] = fmt::format("{}ns/B", in_four_digits(1e9 * *measured.join));
  if (!between) result.source.push_back("All ranks shared a host: these are messages within it.");
  if (measured.post && measured.take && !rest) {
    result.source.push_back("Calls took longer than the fastest message: o_send and o_recv are left out.");
  }
  if (within) {
    FittedMachine const inside = fit_one_piece(rest ? *inside_rest : measured.inside, origin);
    Json const memory = Json::parse(inside.json);
    machine["intra_latency"] = memory["latency"];
    machine["intra_bandwidth"] = memory["bandwidth"];
    result.source.push_back("Within a host: " + inside.source.at(1));
  }
  machine["source"] = result.source;
  result.json = machine.dump(2) + "\n";
  return result;
}

}  // namespace rondo::fit
