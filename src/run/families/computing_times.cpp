// Reads and writes files of measured calculations (computing_times.hpp). The checksum of a program's files binds times
// to the program.

#include "run/families/computing_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/append.hpp"
#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "json/parse.hpp"

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

}  // namespace rondo
