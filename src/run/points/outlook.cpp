#include "run/points/outlook.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "base/printable.hpp"
#include "run/families/foretold.hpp"

namespace rondo {
namespace {

/// Messages that an engine carries in a second of real time (docs/performance.md), and what it keeps of each.
struct Rate {
  double messages_a_second;
  double bytes_a_message;
};
constexpr Rate native_rate{5e6, 24};
constexpr Rate native_rate_of_flows{5e5, 100};
constexpr Rate smpi_rate{3e5, 0};

Rate rate_of(scenario::Scenario const& point) {
  if (point.engine != scenario::Engine::native) return smpi_rate;
  return shares_bandwidth(point.machine) ? native_rate_of_flows : native_rate;
}

/// What is foretold of all points together.
struct Total {
  std::int64_t foretold = 0;  ///< points
  std::int64_t messages = 0, most = 0;
  double seconds = 0, bytes = 0;
  int ranks = 0;
  std::map<std::string, std::vector<std::string>> algorithms;  ///< by kind, in their order
  std::set<std::string> engines, machines;
};

/// "ring hosts=32"
std::string topology(scenario::Json const& expanded) {
  scenario::Json const& machine = expanded["machine"];
  if (!machine.is_object() || !machine.contains("topology")) return excerpt(machine.dump(), 100);
  std::string text = machine["topology"].value("kind", "");
  for (auto const& [key, value] : machine["topology"].items()) {
    if (key != "kind") text += fmt::format(" {}={}", key, excerpt(value.dump(), 40));
  }
  for (char const* key : {"routing", "failed_links"}) {
    if (machine.contains(key)) text += fmt::format(", {}={}", key, excerpt(machine[key].dump(), 40));
  }
  return text;
}

/// No rank sends more than a message on each port in a round where there are several, nor more messages than blocks.
std::optional<std::int64_t> messages_of(scenario::Scenario const& point) {
  auto const prediction = foretold(point);
  if (!prediction) return std::nullopt;
  Figures const& theory = prediction->theory;
  if (theory.messages) return theory.messages;
  std::int64_t const p = ranks(point.problem);
  if (theory.rounds && *theory.rounds > 1) return p * *theory.rounds * point.machine.ports;
  if (theory.volume_blocks) return static_cast<std::int64_t>(static_cast<double>(p) * *theory.volume_blocks);
  return std::nullopt;
}

void add(Total& total, scenario::Scenario const& point) {
  total.ranks = std::max(total.ranks, ranks(point.problem));
  std::vector<std::string>& algorithms = total.algorithms[word_of(kind(point.problem))];
  std::string const word = algorithm(point.problem);
  if (std::ranges::find(algorithms, word) == algorithms.end()) algorithms.push_back(word);
  total.engines.insert(scenario::to_string(point.engine));
  total.machines.insert(topology(point.expanded));
  auto const foreseen = messages_of(point);
  if (!foreseen) return;
  Rate const rate = rate_of(point);
  total.foretold += 1;
  total.messages += *foreseen;
  total.most = std::max(total.most, *foreseen);
  total.seconds += static_cast<double>(*foreseen) / rate.messages_a_second;
  total.bytes = std::max(total.bytes, static_cast<double>(*foreseen) * rate.bytes_a_message);
}

/// The swept pointers with their values, in their order.
std::string swept(Job const& job) {
  std::vector<std::pair<std::string, std::vector<std::string>>> axes;
  for (std::size_t i = 0; i < job.sweep.size(); ++i) {
    for (auto const& [pointer, value] : job.sweep[i].axes) {
      std::string const text = excerpt(value.is_string() ? value.get<std::string>() : value.dump(), 32);
      auto axis = std::ranges::find(axes, pointer, &decltype(axes)::value_type::first);
      if (axis == axes.end()) axis = axes.insert(axes.end(), {pointer, {}});
      if (std::ranges::find(axis->second, text) == axis->second.end()) axis->second.push_back(text);
    }
  }
  std::string lines;
  for (auto const& [pointer, values] : axes)
    lines += printable(fmt::format("  {}: {}", pointer, fmt::join(values, ", "))) + "\n";
  return lines;
}

std::string plural(std::int64_t count, std::string const& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string cost(Total const& total, std::size_t points) {
  if (total.foretold == 0) return "how many messages it sends, and how long that takes, is not known before it runs\n";
  std::string text = fmt::format("at most {} in all, {} at a point", plural(total.messages, "message"), total.most);
  auto const left = static_cast<std::int64_t>(points) - total.foretold;
  if (left > 0) text += fmt::format("; those of {} are not known before they run", plural(left, "point"));
  std::string const time = total.seconds < 1 ? "less than a second" : fmt::format("about {:.2g} s", total.seconds);
  text += fmt::format("\nsimulating them takes {} on one core", time);
  if (total.bytes > 1e8) text += fmt::format(", and {:.2g} GB", total.bytes / 1e9);
  return text + "\n";
}

}  // namespace

std::string outlook(Job const& job) {
  Total total;
  for (std::size_t i = 0; i < job.sweep.size(); ++i) add(total, scenario::parse(job.sweep[i], job.file));
  std::string text;
  for (auto const& [kind, algorithms] : total.algorithms) {
    text += printable(fmt::format("{} by {}", kind, fmt::join(algorithms, ", "))) + "\n";
  }
  for (std::string const& machine : total.machines) text += "on " + printable(machine) + "\n";
  text += fmt::format("{} of up to {} on engine {}\n", plural(static_cast<std::int64_t>(job.sweep.size()), "point"),
                      plural(total.ranks, "rank"), fmt::join(total.engines, " and "));
  text += swept(job) + cost(total, job.sweep.size());
  if (!job.claims.empty()) {
    text += fmt::format("{} judged by rondo check\n", plural(static_cast<std::int64_t>(job.claims.size()), "claim"));
  }
  return text;
}

}  // namespace rondo
