#include "layers/include_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>

namespace rondo::layers {
namespace {

using Names = std::set<std::string>;

/// A layer may include itself and these.
std::map<std::string, Names> const allowed = {
    {"base", {}},
    {"json", {"base"}},
    {"process", {"base"}},
    {"topology", {"base"}},
    {"decomposition", {"base", "topology"}},
    {"problem", {"base", "topology", "decomposition"}},
    {"schedule", {"base", "json", "topology"}},
    {"foreign", {"base", "schedule"}},
    {"generate", {"base", "topology", "decomposition", "problem", "schedule"}},
    {"theory", {"base", "topology", "problem"}},
    {"optimum", {"base", "topology", "schedule"}},
    {"platform", {"base", "topology"}},
    {"mpi", {"base", "topology", "problem", "schedule", "generate"}},
    {"mpi_library", {"base", "json", "topology", "problem", "schedule", "generate", "mpi"}},
    {"engine", {"base", "process", "topology", "problem", "schedule", "platform", "mpi"}},
    {"scenario", {"base", "json", "topology", "decomposition", "problem", "platform"}},
    {"run",
     {"base", "json", "process", "topology", "problem", "schedule", "generate", "theory", "optimum", "platform",
      "foreign", "engine", "scenario"}},
    {"fit", {"base"}},
    {"cli", {"base", "json", "process", "schedule", "scenario", "run", "fit"}},
    {"python", {"base", "json", "engine", "run", "scenario", "schedule"}},
};

/// The wings of a large layer. A file in a wing may include its own wing, what lies in the layer's folder itself, and
/// these other wings; what lies in the layer's folder itself includes no wing. The wings of a layer have an order.
std::map<std::string, std::map<std::string, Names>> const wings = {
    {"engine", {{"native", {}}, {"smpi", {}}, {"programs", {"smpi"}}, {"on_demand", {"programs"}}}},
    {"mpi", {{"runtime", {}}, {"exchange", {"runtime"}}, {"setup", {"runtime"}}}},
    {"mpi_library",
     {{"calls", {}},
      {"classical", {"calls"}},
      {"isomorphic", {"calls"}},
      {"graph", {"calls", "isomorphic"}},
      {"intergroup", {"calls", "classical", "graph"}},
      {"interface", {"calls", "classical", "isomorphic", "graph", "intergroup"}},
      {"real_mpi", {"calls", "classical", "graph"}},
      {"smpi_shim", {"calls", "classical", "graph", "intergroup"}}}},
    {"run",
     {{"formats", {}},
      {"families", {"formats"}},
      {"points", {"formats", "families"}},
      {"output", {"families", "points"}},
      {"rules", {"points", "output"}}}},
};

/// Libraries by the beginning of their headers' names; a library that is not here may not be used at all.
std::map<std::string, Names> const libraries = {
    {"simgrid/", {"engine", "mpi", "mpi_library"}},
    {"smpi/", {"engine", "mpi", "mpi_library"}},
    {"xbt/", {"engine", "mpi", "mpi_library"}},
    {"mpi.h", {"engine", "mpi", "mpi_library"}},
    {"sanitizer/", {"engine"}},  // the compiler's own, which does nothing where it is not built in
    {"rondo/", {"mpi", "mpi_library"}},
    {"gsl/", {"fit"}},
    {"cadical.hpp", {"optimum"}},
    {"lemon/", {"optimum"}},
    {"glpk.h", {"optimum"}},
    {"nlohmann/", {"json", "schedule", "scenario", "run", "cli", "fit"}},
    {"valijson/", {"scenario"}},
    {"expat.h", {"platform", "foreign"}},
    {"CLI/", {"cli"}},
    {"fmt/",
     {"base", "json", "process", "topology", "problem", "schedule", "foreign", "generate", "theory", "optimum",
      "platform", "mpi", "mpi_library", "engine", "scenario", "run", "fit", "cli", "python"}},
};

/// Clocks, devices, files and threads, which a pure layer has no business with.
Names const impure = {"chrono", "ctime", "random", "iostream", "fstream", "filesystem",
                      "thread", "mutex", "future", "atomic",   "cstdio"};
Names const pure_layers = {"topology", "decomposition", "problem", "schedule",
                           "foreign",  "generate",      "theory",  "platform"};

/// The system's randomness is the coin of proofs. Nothing else draws from it, so that all else is the same in every
/// run.
std::string const coin = "base/coin.hpp";
Names const users_of_the_coin = {"base/coin.cpp", "schedule/verify_weights.cpp"};

struct Include {
  std::string file;  ///< relative to src, its first folder is the layer
  int line;
  std::string header;
  std::string layer() const { return file.substr(0, file.find('/')); }
};

void read_includes(std::filesystem::path const& path, std::string const& file, std::vector<Include>& result) {
  static std::regex const directive(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
  std::ifstream in(path);
  std::string text;
  std::smatch match;
  for (int line = 1; std::getline(in, text); ++line) {
    if (std::regex_match(text, match, directive)) result.push_back({file, line, match[1]});
  }
}

std::vector<Include> all_includes(std::filesystem::path const& src) {
  std::vector<Include> result;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(src)) {
    auto const extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp" && extension != ".h") continue;
    read_includes(entry.path(), std::filesystem::relative(entry.path(), src).generic_string(), result);
  }
  std::ranges::sort(result, {}, [](Include const& include) { return std::pair(include.file, include.line); });
  return result;
}

bool is_layer_header(std::string const& header) { return allowed.contains(header.substr(0, header.find('/'))); }

/// "native" of engine/native/run.hpp; empty for a file in the layer's folder itself.
std::string wing_of(std::string const& file) {
  auto const first = file.find('/');
  auto const second = file.find('/', first + 1);
  return second == std::string::npos ? "" : file.substr(first + 1, second - first - 1);
}

bool may_include_layer(std::string const& layer, std::string const& header) {
  auto const other = header.substr(0, header.find('/'));
  return other == layer || allowed.at(layer).contains(other);
}

/// Within one layer that has wings.
bool may_include_wing(std::string const& file, std::string const& header) {
  auto const layer = wings.find(file.substr(0, file.find('/')));
  if (layer == wings.end() || !header.starts_with(layer->first + "/")) return true;
  auto const own = wing_of(file);
  auto const other = wing_of(header);
  if (other.empty() || other == own) return true;
  auto const rule = layer->second.find(own);
  return rule != layer->second.end() && rule->second.contains(other);
}

/// The standard library's headers have neither folder nor ending; those of C and POSIX end in ".h".
bool is_system_header(std::string const& header) {
  bool const of_posix = header.starts_with("sys/") || header.starts_with("arpa/");
  bool const in_folder = header.find('/') != std::string::npos && !of_posix;
  return header.find('.') == std::string::npos || (header.ends_with(".h") && !in_folder);
}

/// What the include breaks, or nothing.
std::optional<std::string> judge(Include const& include) {
  auto const layer = include.layer();
  if (!allowed.contains(layer)) return fmt::format("{} is no layer", layer);
  if (include.header == include.file) return "a file may not include itself";
  if (include.header == coin && !users_of_the_coin.contains(include.file)) {
    return fmt::format("{} may not include {}", include.file, include.header);
  }
  auto const refusal = fmt::format("{} may not include {}", layer, include.header);
  auto const granted = [&](bool yes) { return yes ? std::nullopt : std::optional(refusal); };
  for (auto const& [prefix, users] : libraries) {
    if (include.header.starts_with(prefix)) return granted(users.contains(layer));
  }
  if (is_layer_header(include.header)) {
    return granted(may_include_layer(layer, include.header) && may_include_wing(include.file, include.header));
  }
  if (!is_system_header(include.header)) return refusal;
  return granted(!pure_layers.contains(layer) || (!impure.contains(include.header) && !include.header.ends_with(".h")));
}

}  // namespace

std::vector<std::string> breaches(std::filesystem::path const& src) {
  std::vector<std::string> result;
  for (auto const& include : all_includes(src)) {
    if (auto const breach = judge(include))
      result.push_back(fmt::format("{}:{}: {}", include.file, include.line, *breach));
  }
  return result;
}

std::vector<std::string> link_breaches(std::filesystem::path const& cmake_lists) {
  static std::regex const row(R"(^rondo_layer\((\w+)((?: [\w:]+)*)\)$)");
  static std::regex const library(R"(rondo_(\w+))");
  std::vector<std::string> result;
  std::ifstream in(cmake_lists);
  std::string text;
  std::smatch match;
  while (std::getline(in, text)) {
    if (!std::regex_match(text, match, row)) continue;
    std::string const layer = match[1];
    std::string const linked = match[2];
    for (std::sregex_iterator other(linked.begin(), linked.end(), library); other != std::sregex_iterator(); ++other) {
      auto const name = (*other)[1].str();
      if (!allowed.at(layer).contains(name)) result.push_back(fmt::format("{} may not link {}", layer, name));
    }
  }
  return result;
}

std::vector<std::string> wing_circle(std::string const& layer) {
  auto left = wings.at(layer);
  // A wing that includes none of the wings that are left can come next. The wings that remain in the end are part of a
  // circle of includes, or above one.
  auto const comes_next = [&](auto const& wing) {
    return std::ranges::none_of(wing.second, [&](std::string const& other) { return left.contains(other); });
  };
  for (auto next = left.begin(); next != left.end();) {
    next = std::ranges::find_if(left, comes_next);
    if (next == left.end()) break;
    left.erase(next);
    next = left.begin();
  }
  std::vector<std::string> result;
  for (auto const& [wing, others] : left) result.push_back(wing);
  return result;
}

std::vector<std::string> unneeded_wings(std::filesystem::path const& src, std::string const& layer) {
  std::set<std::pair<std::string, std::string>> needed;
  for (auto const& include : all_includes(src)) {
    if (include.layer() != layer || !include.header.starts_with(layer + "/")) continue;
    needed.emplace(wing_of(include.file), wing_of(include.header));
  }
  std::vector<std::string> result;
  for (auto const& [wing, others] : wings.at(layer)) {
    for (std::string const& other : others) {
      if (!needed.contains({wing, other})) result.push_back(fmt::format("{} includes {}", wing, other));
    }
  }
  return result;
}

std::vector<std::string> includers(std::filesystem::path const& src, std::string const& prefix) {
  std::set<std::string> files;
  for (auto const& include : all_includes(src)) {
    if (include.header.starts_with(prefix)) files.insert(include.file);
  }
  return {files.begin(), files.end()};
}

namespace {

using Inclusions = std::map<std::string, Names>;

/// Which other layers each layer includes.
Inclusions inclusions(std::filesystem::path const& src) {
  Inclusions result;
  for (auto const& include : all_includes(src)) {
    auto const other = include.header.substr(0, include.header.find('/'));
    if (is_layer_header(include.header) && other != include.layer()) result[include.layer()].insert(other);
  }
  return result;
}

}  // namespace

std::vector<std::string> unneeded_layers(std::filesystem::path const& src) {
  Inclusions const needed = inclusions(src);
  std::vector<std::string> result;
  for (auto const& [layer, others] : allowed) {
    for (std::string const& other : others) {
      if (!needed.contains(layer) || !needed.at(layer).contains(other)) {
        result.push_back(fmt::format("{} includes {}", layer, other));
      }
    }
  }
  return result;
}

namespace {

/// Whether inclusions lead from `layer` to `other`.
bool leads(Inclusions const& all, std::string const& layer, std::string const& other) {
  auto const own = all.find(layer);
  if (own == all.end()) return false;
  return own->second.contains(other) ||
         std::ranges::any_of(own->second, [&](auto const& between) { return leads(all, between, other); });
}

Names matches(std::filesystem::path const& file, std::regex const& pattern) {
  Names result;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    for (std::sregex_iterator match(line.begin(), line.end(), pattern); match != std::sregex_iterator(); ++match) {
      result.insert((*match)[1]);
    }
  }
  return result;
}

std::string listed(Names const& names) { return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ", ")); }

}  // namespace

std::set<std::string> to_draw(std::filesystem::path const& src) {
  Names result;
  auto const all = inclusions(src);
  for (auto const& [layer, others] : all) {
    for (auto const& other : others) {
      bool const follows = std::ranges::any_of(others, [&](auto const& between) { return leads(all, between, other); });
      if (!follows) result.insert(layer + " " + other);
    }
  }
  for (auto const& include : all_includes(src)) {
    if (auto const wing = wing_of(include.file); !wing.empty()) result.insert(include.layer() + "/" + wing);
  }
  return result;
}

std::set<std::string> drawn(std::filesystem::path const& svg) {
  return matches(svg, std::regex(R"re(data-(?:edge|wing)="([^"]+)")re"));
}

std::vector<std::string> misprints(std::filesystem::path const& document) {
  static std::regex const row(R"(^\| (\w+) \| .* \| ([\w, -]+) \|$)");
  std::map<std::string, std::string> printed;
  std::ifstream in(document);
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (std::regex_match(line, match, row) && allowed.contains(match[1])) printed[match[1]] = match[2];
  }
  std::vector<std::string> result;
  for (auto const& [layer, others] : allowed) {
    if (printed[layer] != listed(others)) {
      result.push_back(fmt::format("{}: expected \"{}\", got \"{}\"", layer, listed(others), printed[layer]));
    }
  }
  return result;
}

}  // namespace rondo::layers
