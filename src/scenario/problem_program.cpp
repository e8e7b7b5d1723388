#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenario/compiler_flags.hpp"
#include "scenario/load.hpp"
#include "scenario/named_file.hpp"
#include "scenario/read.hpp"

namespace rondo::scenario {
namespace {

std::string file_at(Place const& collective, char const* key) {
  if (!collective.has(key)) return "";
  Place const name = collective[key];
  // smpicc parts its words at backspaces.
  auto const is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (std::ranges::any_of(name.text(), is_control)) {
    throw name.error("expected the name of a file without control characters, got " + shown(name.value));
  }
  return named_file(name);
}

problem::UserProgram::Settings settings_at(Place const& collective, char const* key) {
  problem::UserProgram::Settings settings;
  if (!collective.has(key)) return settings;
  for (auto const& [name, value] : collective[key].value.items()) settings.emplace_back(name, value.get<std::string>());
  return settings;
}

std::vector<std::string> words_at(Place const& collective, char const* key) {
  return collective.has(key) ? collective[key].value.get<std::vector<std::string>>() : std::vector<std::string>();
}

std::string text_of(Json const& argument) {
  return argument.is_string() ? argument.get<std::string>() : argument.dump();
}

std::vector<std::string> arguments_of(Place const& collective) {
  std::vector<std::string> words;
  if (!collective.has("arguments")) return words;
  for (Json const& argument : collective["arguments"].value) words.push_back(text_of(argument));
  return words;
}

/// The source's compiler is known by the ending.
void expect_source(Place const& source) {
  std::string const name = source.text();
  for (char const* ending : {".c", ".cc", ".cpp", ".cxx"}) {
    if (name.ends_with(ending)) return;
  }
  throw source.error("expected a file *.c, *.cc, *.cpp or *.cxx, got " + shown(source.value));
}

void expect_one_program(Place const& collective) {
  if (collective.has("source") == collective.has("binary")) {
    throw collective.error(
        fmt::format("expected either \"source\" or \"binary\", got {}", collective.has("source") ? "both" : "none"));
  }
  if (collective.has("source")) return expect_source(collective["source"]);
  if (!collective.has("flags")) return;
  throw collective["flags"].error("expected \"source\" beside it, which is compiled with them, got \"binary\"");
}

/// A name with = in it would set another variable, and an empty name stands for no variable.
void expect_names(Place const& environment) {
  for (auto const& [name, value] : environment.value.items()) {
    if (!name.empty() && name.find('=') == std::string::npos) continue;
    throw environment.error(fmt::format("expected names of variables, got \"{}\"", excerpt(name)));
  }
}

/// Checks the variables that librondo_mpi reads, as it would read them: a variable with an empty value counts as unset.
void expect_values(Place const& environment) {
  auto const value_of = [&](char const* name) { return environment.has(name) ? environment[name].text() : ""; };
  std::string const algorithm = value_of("RONDO_NEIGHBOR_ALGORITHM");
  if (!algorithm.empty()) {
    if (!rondo::value_of<problem::NeighborAlgorithm>(algorithm)) {
      throw environment["RONDO_NEIGHBOR_ALGORITHM"].error(
          fmt::format("expected one of {}, got \"{}\"", fmt::join(all_words<problem::NeighborAlgorithm>(), ", "),
                      excerpt(algorithm)));
    }
  }
  if (!value_of("RONDO_NEIGHBOR_LATENCY").empty()) environment.unit("RONDO_NEIGHBOR_LATENCY", parse_seconds, Seconds());
  if (!value_of("RONDO_NEIGHBOR_BANDWIDTH").empty()) {
    environment.unit("RONDO_NEIGHBOR_BANDWIDTH", parse_bandwidth, BytesPerSecond());
  }
}

int ranks_at(Place const& collective, std::int64_t hosted) {
  if (collective.has("ranks")) return collective["ranks"].integer();
  if (hosted > 0) return static_cast<int>(hosted);
  throw collective.error("missing key \"ranks\" (the number of ranks), which a platform file does not say");
}

void expect_block(Place const& root, std::vector<std::string> const& arguments) {
  if (root.has("block")) return;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].find("{block}") == std::string::npos) continue;
    throw error_at(root.file, fmt::format("/collective/arguments/{}", i),
                   "expected /block beside it, which takes the place of {block}, got none");
  }
}

}  // namespace

problem::UserProgram read_program(Place const& collective, Setting const& setting) {
  Place const& root = setting.root;
  expect_one_program(collective);
  problem::UserProgram problem;
  problem.source = file_at(collective, "source");
  problem.binary = file_at(collective, "binary");
  problem.folder = folder_of(root.file);
  problem.arguments = arguments_of(collective);
  if (collective.has("flags")) expect_compiler_flags(collective["flags"]);
  problem.flags = words_at(collective, "flags");
  problem.environment = settings_at(collective, "environment");
  problem.algorithms = settings_at(collective, "algorithms");
  if (!setting.algorithm.empty()) problem.selector = setting.algorithm;
  problem.buffered = collective.unit("buffered", parse_bytes, problem.buffered);
  problem.printed = word_at(collective, "printed", problem.printed);
  problem.ranks = ranks_at(collective, ranks(setting.machine));
  problem.block = setting.block;
  problem.seed = setting.seed;
  if (collective.has("environment")) {
    expect_names(collective["environment"]);
    expect_values(collective["environment"]);
  }
  if (problem.buffered > Bytes(std::int64_t{1} << 30)) {
    throw collective["buffered"].error("expected a size of at most 1GiB, got " + shown(collective["buffered"].value));
  }
  expect_block(root, problem.arguments);
  return problem;
}

}  // namespace rondo::scenario
