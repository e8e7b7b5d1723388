// Prints the profile of a program: a row for each collective on each communicator, the longest total time first.

#include "run/output/profile_table.hpp"

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/units.hpp"
#include "run/output/text_table.hpp"

namespace rondo {
namespace {

constexpr std::size_t most_rows = 20;

std::vector<std::string> row_of(nlohmann::ordered_json const& calls) {
  auto const seconds = [&](char const* key) { return shown(calls[key].get<double>()); };
  return {calls["call"].get<std::string>(),
          calls["communicator"].get<std::string>(),
          std::to_string(calls["ranks"].get<int>()),
          std::to_string(calls["calls"].get<std::int64_t>()),
          print(Bytes(calls["bytes"].get<std::int64_t>())),
          seconds("time_s"),
          seconds("longest_s"),
          fmt::format("{:.1f} %", calls["share"].get<double>() * 100)};
}

}  // namespace

/// Empty if the record has no profile.
std::string profile_table(Record const& record, bool markdown) {
  if (!record.profile) return "";
  auto const& collectives = (*record.profile)["collectives"];
  std::string const heading = fmt::format("{}, point {}: collectives, {}", record.scenario, record.point,
                                          collectives.empty() ? "none was called" : "the longest time first");
  std::string text = markdown ? "### " + markdown_text(heading) + "\n\n" : printable(heading) + "\n";
  if (collectives.empty()) return text;
  Cells rows{{"call", "communicator", "ranks", "calls", "bytes", "time_s", "longest_s", "share"}};
  for (auto const& calls : collectives) {
    if (rows.size() <= most_rows) rows.push_back(row_of(calls));
  }
  text += markdown ? markdown_table(rows) + "\n" : text_table(rows);
  if (collectives.size() <= most_rows) return text;
  return text + fmt::format("and {} more, which the record has\n", collectives.size() - most_rows);
}

}  // namespace rondo
