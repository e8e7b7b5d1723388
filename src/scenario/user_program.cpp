// The kind `program`: an MPI program of the user, as source files or as a binary, with arguments and environment. The
// program is code that runs with the user's rights, so files and flags are checked here, and --allow-programs is
// checked where the program is started.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>

#include "base/file.hpp"
#include "base/included_files.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "scenario/kinds.hpp"
#include "scenario/load.hpp"
#include "scenario/permitted_input.hpp"

namespace rondo::scenario {
namespace {

using problem::UserProgram;

std::string file_at(Place const& name) {
  // smpicc splits its words at backspaces.
  auto const is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (std::ranges::any_of(name.text(), is_control)) {
    throw name.error("expected the name of a file without control characters, got " + shown(name.value));
  }
  return named_file(name);
}

/// The source files of "source" or "sources"; none if the program is a binary.
std::vector<std::string> sources_of(Place const& collective) {
  if (collective.has("source")) return {file_at(collective["source"])};
  std::vector<std::string> files;
  if (!collective.has("sources")) return files;
  for (int i = 0; i < static_cast<int>(collective["sources"].value.size()); ++i) {
    files.push_back(file_at(collective["sources"].item(i)));
  }
  return files;
}

UserProgram::Settings read_settings(Place const& object) {
  UserProgram::Settings settings;
  for (auto const& [name, value] : object.value.items()) settings.emplace_back(name, value.get<std::string>());
  return settings;
}

std::vector<std::string> read_flags(Place const& flags) {
  expect_compiler_flags(flags);
  return flags.value.get<std::vector<std::string>>();
}

/// The keys of /collective/computing, by which calculations of a program take simulated time.
Table<problem::Computing> computing_keys() {
  using C = problem::Computing;
  Form<double> const times_as_fast{{{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1e6}},
                                   [](Place const& place) { return place.value.get<double>(); }};
  Form<double> const operations{{{"type", "string"}, {"title", "a string with a unit such as \"10Gflops\""}},
                                [](Place const& place) { return place.unit(parse_flops).value; }};
  return {
      key("speed", &C::speed, times_as_fast, "how many times as fast as this machine the ranks compute; 1 by default"),
      key("flops", &C::flops, operations,
          "operations a second, for the operations that a program names by SMPI_SAMPLE_FLOPS; \"1Gflops\" by "
          "default"),
      key("times", &C::times, Form<std::string>{file_name(), file_at},
          "a file with measured times, so that every run takes the same time; run --measure writes it. Without it, "
          "each run measures.")};
}

/// What ranks compute takes time if the scenario says how fast they are, or names measured times.
problem::Computing read_computing(Place const& object) {
  problem::Computing computing;
  computing.takes_time = object.has("speed") || object.has("times");
  read_keys(computing_keys(), object, computing);
  return computing;
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

enum class Language : std::uint8_t { c, cpp, fortran };

/// The language by the ending of the name, by which the compiler knows it too.
Language language_of(Place const& source) {
  std::string const name = source.text();
  constexpr std::pair<char const*, Language> known[] = {
      {".c", Language::c},       {".cc", Language::cpp},      {".cpp", Language::cpp},   {".cxx", Language::cpp},
      {".f", Language::fortran}, {".f90", Language::fortran}, {".F", Language::fortran}, {".F90", Language::fortran}};
  for (auto const& [ending, language] : known) {
    if (name.ends_with(ending)) return language;
  }
  throw source.error("expected a file *.c, *.cc, *.cpp, *.cxx, *.f, *.f90, *.F or *.F90, got " + shown(source.value));
}

/// smpicc compiles all sources by one command, which takes one language.
void expect_one_language(Place const& sources) {
  Language const first = language_of(sources.item(0));
  for (int i = 1; i < static_cast<int>(sources.value.size()); ++i) {
    if (language_of(sources.item(i)) == first) continue;
    throw sources.item(i).error("expected a file of the language of the first one, got " +
                                shown(sources.item(i).value));
  }
}

/// Throws unless exactly one of source, sources and binary is stated.
void expect_one_program(Place const& collective) {
  std::vector<std::string> given;
  for (char const* key : {"source", "sources", "binary"}) {
    if (collective.has(key)) given.push_back(fmt::format("\"{}\"", key));
  }
  if (given.size() != 1) {
    throw collective.error(fmt::format("expected one of \"source\", \"sources\" and \"binary\", got {}",
                                       given.empty() ? "none" : listed(given, " and ")));
  }
  if (collective.has("source")) language_of(collective["source"]);
  if (collective.has("sources")) expect_one_language(collective["sources"]);
  if (!collective.has("binary") || !collective.has("flags")) return;
  throw collective["flags"].error("expected \"source\" beside it, which is compiled with them, got \"binary\"");
}

/// Refuses names of variables with =, which would set another variable, and empty names.
void expect_names(Place const& environment) {
  for (auto const& [name, value] : environment.value.items()) {
    if (!name.empty() && name.find('=') == std::string::npos) continue;
    throw environment.error(fmt::format("expected names of variables, got \"{}\"", excerpt(name)));
  }
}

/// Whether a variable is set. One with an empty value counts as unset.
bool is_set(Place const& environment, char const* name) {
  return environment.has(name) && !environment[name].text().empty();
}

/// Checks a variable of the environment that the MPI library reads. Without this check the program would run with the
/// default, and only a line on standard error would say so.
void expect_word(Place const& environment, char const* name, std::vector<std::string> const& words) {
  if (!is_set(environment, name)) return;
  std::string const value = environment[name].text();
  if (std::find(words.begin(), words.end(), value) != words.end()) return;
  throw environment[name].error(fmt::format("expected one of {}, got \"{}\"", listed(words, ", "), excerpt(value)));
}

/// Checks the variables that librondo_mpi reads, by the same rules.
void expect_values(Place const& environment) {
  expect_word(environment, "RONDO_NEIGHBOR_ALGORITHM", all_enum_names<problem::NeighborAlgorithm>());
  for (std::string const& kind : all_enum_names<problem::Kind>()) {
    problem::Kind const collective = *rondo::value_of<problem::Kind>(kind);
    if (!problem::classical_collective(collective)) continue;
    std::string name = "RONDO_" + kind + "_ALGORITHM";
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    expect_word(environment, name.c_str(), problem::algorithms(collective));
  }
  if (is_set(environment, "RONDO_NEIGHBOR_LATENCY")) {
    environment.unit("RONDO_NEIGHBOR_LATENCY", parse_seconds, Seconds());
  }
  if (is_set(environment, "RONDO_NEIGHBOR_BANDWIDTH")) {
    environment.unit("RONDO_NEIGHBOR_BANDWIDTH", parse_bandwidth, BytesPerSecond());
  }
}

UserProgram::Settings read_environment(Place const& environment) {
  expect_names(environment);
  expect_values(environment);
  return read_settings(environment);
}

int ranks_at(Place const& collective, std::int64_t hosted) {
  if (collective.has("ranks")) return collective["ranks"].integer();
  if (hosted > 0) return static_cast<int>(hosted);
  throw collective.error("missing key \"ranks\" (the number of ranks), which a platform file does not say");
}

/// An argument "{block}" stands for /block, which must exist then.
void expect_block(Place const& root, std::vector<std::string> const& arguments) {
  if (root.has("block")) return;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].find("{block}") == std::string::npos) continue;
    throw error_at(root.file, fmt::format("/collective/arguments/{}", i),
                   "expected /block beside it, which takes the place of {block}, got none");
  }
}

/// Notes headers and other files that the compiler will read; the compiler is not run for this. Files that a scenario
/// may not name count as part of the system.
void note_included(UserProgram const& problem, std::string const& scenario) {
  auto const counts = [&](std::string const& path) { return is_permitted(path, scenario); };
  for (std::string const& path : included_files({problem.sources, problem.folder, problem.flags}, counts)) {
    note_input(path);
  }
}

/// SMPI's collectives of which a program may choose the algorithm, and what is said of each.
Json algorithms_form() {
  Json form = {{"type", "object"},
               {"title", R"(an object such as {"allreduce": "rdb"})"},
               {"description", ""},
               {"additionalProperties", false}};
  for (std::string const name : {"Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Barrier", "Bcast",
                                 "Gather", "Reduce", "Reduce_scatter", "Scatter"}) {
    std::string const examples = name == "Allgather" ? ": ring, rdb, bruck and others" : "";
    std::string key = name;
    key[0] = static_cast<char>(std::tolower(key[0]));
    form["properties"][key] = {{"type", "string"}, {"description", "the algorithm of MPI_" + name + examples}};
  }
  return form;
}

/// All keys of the kind.
Table<UserProgram> program_keys() {
  using P = UserProgram;
  return {
      key<P>("source", file_name(),
             "a C, C++ or Fortran file (.c, .cc, .cpp, .cxx, .f, .f90, .F, .F90), relative to the scenario's folder, "
             "in which it is compiled; give one of source, sources and binary"),
      key<P>("sources",
             {{"type", "array"}, {"minItems", 1}, {"title", "a list of names of files"}, {"items", file_name()}},
             "several files of one language that form one program; give one of source, sources and binary"),
      key("binary", &P::binary, Form<std::string>{file_name(), file_at},
          "a program that smpicc or smpicxx has built; give one of source, sources and binary"),
      key<P>("checksum", checksum(),
             "the checksum of the file, or of all files one after the other, without what a source includes. Files "
             "with another checksum are refused. Records contain it."),
      key<P>("arguments",
             {{"type", "array"},
              {"title", "a list of words"},
              {"items", {{"type", {"string", "integer"}}, {"title", "a string or an integer"}}}},
             "the arguments of the program, which runs in the scenario's folder. {block}, {p} and {seed} are replaced "
             "by these numbers. Claims know integers as argument_0, argument_1, ..."),
      key("stdin", &P::input, Form<std::string>{file_name(), file_at},
          "the standard input of rank 0; without it, and on all other ranks, the standard input is empty"),
      key("flags", &P::flags,
          Form<std::vector<std::string>>{
              {{"type", "array"}, {"title", "a list of words"}, {"items", {{"type", "string"}, {"title", "a string"}}}},
              read_flags},
          "options for the compiler after -O2, such as -DN=100, each in one word. Options that name a program or a "
          "file are refused."),
      key<P>("ranks", integer(1, 16777216).schema, "the number of ranks; all that the machine carries by default"),
      key("environment", &P::environment,
          Form<P::Settings>{{{"type", "object"},
                             {"title", "an object of names with strings"},
                             {"additionalProperties", {{"type", "string"}, {"title", "a string"}}}},
                            read_environment},
          "environment variables, such as those that select algorithms of librondo_mpi. No other RONDO_* is passed to "
          "the program."),
      key("algorithms", &P::algorithms, Form<P::Settings>{algorithms_form(), read_settings},
          "SMPI's algorithms of single collectives, by SimGrid's names"),
      key("buffered", &P::buffered, any_size("64KiB"),
          "the size up to which a standard send does not wait for its receiver; \"0B\": every send waits"),
      key("wtime", &P::wtime, time("10ns"),
          "the time that a call of MPI_Wtime takes, so that loops on the clock end; {} by default, as in SimGrid; "
          "\"0s\": no time"),
      key("computing", &P::computing,
          Form<problem::Computing>{object_schema("an object such as {\"speed\": 2}", texts_of(computing_keys())),
                                   read_computing},
          "the time that computing takes. With speed or times, what ranks compute between calls of "
          "MPI takes time, as the CPU's clock measures it; none by default"),
      key("stack", &P::stack, any_size("8MiB"),
          "the stack of each rank, \"64KiB\" to \"1GiB\"; {} by default; unused parts take no memory"),
      key("printed", &P::printed, word<problem::Printed>(),
          "the output of the program is dropped (by default), or its end is shown on standard error"),
  };
}

Problem read_program(problem::Kind /*kind*/, Place const& collective, Setting const& setting,
                     Table<UserProgram> const& keys) {
  Place const& root = setting.root;
  expect_one_program(collective);
  UserProgram problem;
  problem.sources = sources_of(collective);
  problem.folder = folder_of(root.file);
  problem.arguments = arguments_of(collective);
  if (!setting.algorithm.empty()) problem.selector = setting.algorithm;
  problem.ranks = ranks_at(collective, ranks(setting.machine));
  problem.block = setting.block;
  problem.seed = setting.seed;
  read_keys(keys, collective, problem);
  if (problem.stack < Bytes(std::int64_t{64} << 10) || problem.stack > Bytes(std::int64_t{1} << 30)) {
    throw collective["stack"].error("expected a size from 64KiB to 1GiB, got " + shown(collective["stack"].value));
  }
  if (problem.buffered > Bytes(std::int64_t{1} << 30)) {
    throw collective["buffered"].error("expected a size of at most 1GiB, got " + shown(collective["buffered"].value));
  }
  expect_block(root, problem.arguments);
  note_included(problem, root.file);
  return problem;
}

}  // namespace

std::vector<CollectiveKind> program_kinds() {
  return {kind_of_keys(problem::Kind::program,
                       "an MPI program, as source or built by smpicc, on SMPI with librondo_mpi; each rank has its own "
                       "variables, every message is counted, and computing takes no time unless computing says so",
                       program_keys(), read_program)};
}

}  // namespace rondo::scenario
