// MPI programs of users are compiled before any point runs, so that a compiler error is reported at once, and are
// then simulated. Theory predicts nothing about them. The checksum of a program's files binds measured times to
// the program.

#include "run/families/user_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <sstream>
#include <string_view>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/permissions.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "engine/programs/program_source.hpp"
#include "engine/programs/user_program.hpp"
#include "json/value.hpp"
#include "process/say.hpp"
#include "run/families/answers.hpp"

namespace rondo {
namespace {

using json::Json;

[[noreturn]] void refuse(std::string const& file, std::string const& text) {
  throw InputError(fmt::format("/collective/computing/times: {}: {}", file, text));
}

/// A span is its nanoseconds, or [nanoseconds, parts] if calls part it (engine/programs/computing.hpp).
ComputedSpan span_of(Json const& value) {
  if (value.is_number_unsigned()) return {value.get<std::int64_t>(), 1};
  return {value.at(0).get<std::int64_t>(), value.at(1).get<std::int64_t>()};
}

/// Whether the file has plausible times of every rank. A file that was edited by hand must not end the simulation.
bool usable(ComputedSpans const& spans, int ranks) {
  auto const positive = [](ComputedSpan const& each) { return each.nanoseconds >= 0 && each.parts > 0; };
  return spans.size() == static_cast<std::size_t>(ranks) &&
         std::ranges::all_of(spans, [&](auto const& of_rank) { return std::ranges::all_of(of_rank, positive); });
}

/// The times of a program as the file has them.
MeasuredProgram program_of(Json const& value) {
  MeasuredProgram program;
  program.program = value.at("program").get<std::string>();
  program.ranks = value.at("ranks").get<int>();
  program.arguments = value.at("arguments").get<std::vector<std::string>>();
  for (Json const& rank : value.at("times")) {
    auto& spans = program.spans.emplace_back();
    for (Json const& span : rank) spans.push_back(span_of(span));
  }
  return program;
}

}  // namespace

MeasuredProgram run_of(problem::UserProgram const& problem) {
  std::vector<std::string> files = problem.sources;
  if (!problem.binary.empty()) files.push_back(problem.binary);
  return {files_checksum(files), problem.ranks, filled_arguments(problem)};
}

std::vector<MeasuredProgram> measured_programs(std::string const& file) {
  std::vector<MeasuredProgram> programs;
  // Such a file has the spans of some ten million calls at most.
  Json const document = json::parse_json(read_file(file, json::largest_file), file);
  try {
    if (document.at("format") != "rondo-computing") refuse(file, "expected the format \"rondo-computing\"");
    for (Json const& each : document.at("programs")) {
      programs.push_back(program_of(each));
      if (!usable(programs.back().spans, programs.back().ranks)) refuse(file, "a program has wrong times");
    }
  } catch (Json::exception const&) {
    refuse(file, "expected a file that run --measure has written");
  }
  return programs;
}

ComputedSpans measured_spans(problem::UserProgram const& problem) {
  std::string const& file = problem.computing->times;
  MeasuredProgram const run = run_of(problem);
  if (!std::filesystem::exists(file)) refuse(file, "no such file; run --measure writes it");
  std::vector<MeasuredProgram> programs = measured_programs(file);
  auto const times = std::ranges::find_if(programs, [&](auto const& each) { return each.same_run(run); });
  if (times == programs.end()) {
    refuse(file, fmt::format("it has no times of {} ranks with the arguments \"{}\"; run --measure measures them",
                             run.ranks, fmt::join(run.arguments, " ")));
  }
  // The checksum of the sources has changed, so the times are those of another program.
  if (times->program != run.program) {
    refuse(file, fmt::format("it was measured with {}, the program is {} now; run --measure measures it anew",
                             times->program, run.program));
  }
  return std::move(times->spans);
}

std::string computing_text(std::vector<MeasuredProgram> const& programs) {
  std::string text = "{\"format\": \"rondo-computing\", \"programs\": [";
  char const* between = "\n";
  for (MeasuredProgram const& each : programs) {
    append(text, "{}  {{\"program\": \"{}\", \"ranks\": {}, \"arguments\": {}, \"times\": [", between, each.program,
           each.ranks, Json(each.arguments).dump());
    between = "\n    [";
    for (auto const& spans : each.spans) {
      text += between;
      for (std::size_t i = 0; i < spans.size(); ++i) {
        text += i == 0 ? "" : ", ";
        if (spans[i].parts == 1) append(text, "{}", spans[i].nanoseconds);
        if (spans[i].parts != 1) append(text, "[{}, {}]", spans[i].nanoseconds, spans[i].parts);
      }
      between = "],\n    [";
    }
    text += "]]}";
    between = ",\n";
  }
  return text + "\n]}\n";
}

namespace {

void refuse_missing(std::string const& file) {
  if (std::filesystem::is_regular_file(file)) return;
  throw InputError(fmt::format("{}: no such file{}", file, nearest_file(file)));
}

/// The program in memory. Equal sources and flags are compiled once for all points.
std::shared_ptr<ProgramImage const> image_of(problem::UserProgram const& problem) {
  if (!problem.sources.empty()) {
    return at_place(problem.sources.size() == 1 ? "/collective/source" : "/collective/sources", [&] {
      return compiled({problem.sources, problem.folder, problem.flags});
    });
  }
  return at_place("/collective/binary", [&] {
    expect_programs_allowed();
    refuse_missing(problem.binary);
    return at_place(problem.binary, [&] { return std::make_shared<ProgramImage const>(problem.binary); });
  });
}

/// Throws for an algorithm that SMPI does not have for the collective.
void expect_known(std::string const& collective, std::string const& algorithm) {
  std::vector<std::string> const choices = collective_algorithms(collective);
  if (std::find(choices.begin(), choices.end(), algorithm) != choices.end()) return;
  throw InputError(fmt::format("/collective/algorithms/{}: expected one of {}, got \"{}\"{}", collective,
                               listed(choices, ", "), excerpt(algorithm), did_you_mean(algorithm, choices)));
}

/// An argument in which the names in braces are replaced by their values.
std::string filled(std::string argument, problem::UserProgram const& problem) {
  std::pair<char const*, std::uint64_t> const values[] = {{"{block}", static_cast<std::uint64_t>(problem.block.value)},
                                                          {"{p}", static_cast<std::uint64_t>(problem.ranks)},
                                                          {"{seed}", problem.seed}};
  for (auto const& [name, value] : values) {
    std::string const word = name;
    std::string const number = std::to_string(value);
    for (std::size_t position = argument.find(word); position != std::string::npos;
         position = argument.find(word, position + number.size())) {
      argument.replace(position, word.size(), number);
    }
  }
  return argument;
}

std::string const& name_of(problem::UserProgram const& problem) {
  return problem.sources.empty() ? problem.binary : problem.sources.front();
}

/// Its computing is measured.
UserProgram program_of(problem::UserProgram const& problem) {
  UserProgram program;
  program.image = image_of(problem);
  program.name = name_of(problem);
  program.arguments = filled_arguments(problem);
  if (!problem.input.empty()) {
    at_place("/collective/stdin", [&] { refuse_missing(problem.input); });
    program.input = std::filesystem::absolute(problem.input).string();
  }
  program.environment = problem.environment;
  program.folder = problem.folder;
  program.selector = problem.selector;
  program.algorithms = problem.algorithms;
  program.buffered = problem.buffered;
  program.wtime = problem.wtime;
  program.stack = problem.stack;
  if (problem.computing)
    program.computing =
        Computing{problem.computing->takes_time, problem.computing->speed, problem.computing->flops, {}};
  return program;
}

/// Prints the output of the program line by line, in a form that is safe for a terminal.
void show_printed(std::string const& printed) {
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) say("{}\n", printable(line));
}

/// Prints a remark once, even if it concerns many points.
void remark(std::string const& text) {
  static std::mutex saying;
  static std::set<std::string> texts;
  std::lock_guard const lock(saying);
  if (texts.insert(text).second) say("{}\n", printable(text));
}

/// Repeats the messages of librondo_mpi on rank 0 about choices without effect.
void remark_on_choices(std::string const& printed) {
  constexpr std::string_view beginning = "rondo: ";
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(beginning)) remark(line);
  }
}

/// Remarks that a program is linked without librondo_mpi, so nothing reads its choices.
void remark_on_unread_choices(UserProgram const& program) {
  if (program.image->has_library()) return;
  for (auto const& [name, value] : program.environment) {
    if (!name.starts_with("RONDO_") || value.empty()) continue;
    remark(fmt::format("rondo: {}={} has no effect: {} is not linked with librondo_mpi", name, value, program.name));
  }
}

/// Simulates the program and copies its counts. Its output is shown if the scenario wants it.
Outcome<Observation> run(problem::UserProgram const& problem, UserProgram const& program, Platform const& machine,
                         EngineOptions const& options) {
  Outcome<UserProgramRun> const outcome = simulate_user_program(problem.ranks, program, machine, options);
  if (problem.printed == problem::Printed::shown) show_printed(outcome.printed);
  if (problem.printed != problem::Printed::shown) remark_on_choices(outcome.printed);
  remark_on_unread_choices(program);
  if (!outcome.result) return {std::nullopt, outcome.failure, outcome.error};
  Timing const& timing = outcome.result->timing;
  Observation observed{.whole = timing, .time = timing.makespan, .messages = timing.messages};
  // The times of regions that the program marks are not the times of ranks.
  if (timing.makespan == *std::ranges::max_element(timing.finish)) observed.finish = timing.finish;
  observed.volume_bytes = outcome.result->most_sent.value;
  observed.profile = outcome.result->profile;
  return {std::move(observed), {}, {}};
}

}  // namespace

void expect_program(problem::UserProgram const& problem) {
  if (permissions().programs != Permissions::Programs::listed) image_of(problem);
  for (auto const& [collective, algorithm] : problem.algorithms) expect_known(collective, algorithm);
}

/// Throws InputError if the program needs librondo_mpi and was linked without it.
void expect_library(problem::UserProgram const& problem, std::string const& file) {
  if (image_of(problem)->has_library()) return;
  throw InputError(fmt::format(
      "{}: /collective/{}: expected a program that is linked with librondo_mpi, whose algorithms are tried, got one "
      "without; rondo-cc and its like link it",
      file,
      problem.sources.empty()       ? "binary"
      : problem.sources.size() == 1 ? "source"
                                    : "sources"));
}

std::vector<std::string> filled_arguments(problem::UserProgram const& problem) {
  std::vector<std::string> arguments;
  for (std::string const& argument : problem.arguments) arguments.push_back(filled(argument, problem));
  return arguments;
}

/// Runs the program with measured calculations. Throws MeasureFailure if the run fails.
MeasuredProgram measure_computing(problem::UserProgram const& problem, Platform const& machine,
                                  EngineOptions const& options) {
  MeasuredProgram measured = run_of(problem);
  Outcome<UserProgramRun> outcome = simulate_user_program(problem.ranks, program_of(problem), machine, options);
  if (!outcome.result) throw MeasureFailure(fmt::format("{}: cannot be measured: {}", name_of(problem), outcome.error));
  measured.spans = std::move(outcome.result->computed);
  return measured;
}

Plan plan_for(problem::UserProgram const& problem, theory::MachineCost const& cost) {
  UserProgram program = program_of(problem);
  if (problem.computing && !problem.computing->times.empty()) program.computing->measured = measured_spans(problem);
  return ProgramPlan{theory::predict(problem, cost), [=](Platform const& machine, EngineOptions const& options) {
                       return run(problem, program, machine, options);
                     }};
}

}  // namespace rondo
