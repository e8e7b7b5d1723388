// Prints the decisions of `rondo tune` about programs: a table of the algorithms of each collective, and the fastest
// environment.

#include "run/output/program_decisions.hpp"

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "run/output/text_table.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

/// Prints the saved time in per cent of `as_is`; negative if the program takes longer. "-" if `as_is` is 0.
std::string gain(Seconds time, Seconds as_is) {
  if (as_is <= Seconds(0)) return "-";
  std::string const text = fmt::format("{:.1f} %", (1 - time.value / as_is.value) * 100);
  return text == "-0.0 %" ? "0.0 %" : text;
}

/// Prints environment variables as in a shell: "NAME=VALUE NAME=VALUE".
std::string settings_text(ProgramDecisions::Settings const& environment) {
  std::vector<std::string> settings;
  for (auto const& [name, value] : environment) settings.push_back(name + "=" + value);
  return listed(settings, " ");
}

Json environment_json(ProgramDecisions::Settings const& settings) {
  Json environment = Json::object();
  for (auto const& [name, value] : settings) environment[name] = value;
  return environment;
}

/// Prints all algorithms that were tried for each collective of a program, the fastest first, and then the times of the
/// runs. Algorithms without a time follow below the table with their errors.
std::string table(ProgramDecisions const& decisions) {
  std::string text = printable(decisions.title.empty() ? decisions.scenario : decisions.title) + "\n";
  std::string axes;
  for (auto const& [pointer, value] : decisions.axes) axes += fmt::format(", {} = {}", pointer, value.dump());
  text += printable(fmt::format("program, p = {}{}", decisions.p, axes)) + "\n";
  Cells rows{{"collective", "share", "algorithm", "time_s", "gain"}};
  std::vector<std::string> left_out;
  for (TunedCollective const& each : decisions.collectives) {
    for (TriedAlgorithm const& tried : each.tried) {
      if (!tried.time) {
        left_out.push_back(fmt::format("{} of {}: {}", tried.algorithm, each.collective, tried.error));
        continue;
      }
      bool const first = &tried == &each.tried.front();
      rows.push_back({first ? each.collective : "", first ? fmt::format("{:.1f} %", each.share * 100) : "",
                      tried.algorithm, shown(tried.time->value), gain(*tried.time, decisions.as_is)});
    }
  }
  if (rows.size() > 1) text += text_table(rows);
  if (rows.size() == 1) text += "it calls no collective for which an algorithm can be chosen\n";
  for (std::string const& line : left_out) text += printable("no time: " + line) + "\n";
  text += fmt::format("as the scenario says: {}\n", shown(decisions.as_is.value));
  if (decisions.together) {
    text += fmt::format("the best of each together: {}, {}\n", shown(decisions.together->value),
                        gain(*decisions.together, decisions.as_is));
  }
  if (decisions.environment.empty()) return text + "fastest: as the scenario says\n";
  return text + fmt::format("fastest: {}, {} less, by {}\n\"environment\": {}\n", shown(decisions.fastest.value),
                            gain(decisions.fastest, decisions.as_is), settings_text(decisions.environment),
                            environment_json(decisions.environment).dump());
}

}  // namespace

std::string program_decisions_table(std::vector<ProgramDecisions> const& decisions) {
  std::string text;
  for (ProgramDecisions const& each : decisions) text += (text.empty() ? "" : "\n") + table(each);
  return text;
}

Json program_decisions_json(std::vector<ProgramDecisions> const& decisions) {
  Json all = Json::array();
  for (ProgramDecisions const& each : decisions) {
    Json collectives = Json::array();
    for (TunedCollective const& tuned : each.collectives) {
      Json tried = Json::array();
      for (TriedAlgorithm const& one : tuned.tried) {
        tried.push_back({{"algorithm", one.algorithm == "-" ? Json(nullptr) : Json(one.algorithm)},
                         {"time_s", one.time ? Json(one.time->value) : Json(nullptr)},
                         {"error", one.error.empty() ? Json(nullptr) : Json(printable(one.error))}});
      }
      collectives.push_back({{"collective", tuned.collective}, {"share", tuned.share}, {"tried", std::move(tried)}});
    }
    Json axes = Json::object();
    for (auto const& [pointer, value] : each.axes) axes[pointer] = value;
    all.push_back({{"scenario", each.scenario},
                   {"title", each.title},
                   {"version", each.version},
                   {"p", each.p},
                   {"swept", std::move(axes)},
                   {"as_is_s", each.as_is.value},
                   {"collectives", std::move(collectives)},
                   {"together_s", each.together ? Json(each.together->value) : Json(nullptr)},
                   {"fastest_s", each.fastest.value},
                   {"environment", environment_json(each.environment)}});
  }
  return all;
}

}  // namespace rondo
