// Runs programs alone on this machine to measure their calculations, and writes the times to the files that scenarios
// name.

#include "run/points/measured_computing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "run/families/user_program.hpp"
#include "run/points/atomic_file.hpp"
#include "run/points/simulate.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

namespace {

bool has_run(std::vector<MeasuredProgram> const& programs, MeasuredProgram const& run) {
  return std::ranges::any_of(programs, [&](auto const& each) { return each.same_run(run); });
}

/// The programs that the file has now; none if there is no file.
std::vector<MeasuredProgram> present(Job const& job, std::string const& file) {
  if (!std::filesystem::exists(file)) return {};
  return at_place(job.file, [&] { return measured_programs(file); });
}

/// Replaces the runs that were measured anew.
void write(Job const& job, std::string const& file, std::vector<MeasuredProgram> measured) {
  for (MeasuredProgram& each : present(job, file)) {
    if (!has_run(measured, each)) measured.push_back(std::move(each));
  }
  permit_writing(file);
  write_atomically(file, computing_text(measured), true);
  note_input(file);
}

}  // namespace

/// Measures each program once for each combination of ranks and arguments, although many points may share it.
void measure_computing(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options,
                       std::function<void(std::string const&)> const& say) {
  if (points.empty()) return;
  std::map<std::string, std::vector<MeasuredProgram>> files;
  bool has_program = false;
  for (std::size_t const number : points) {
    std::shared_ptr<ReadPoint const> const point = point_at(job, number);
    auto const* const problem = std::get_if<problem::UserProgram>(&point->scenario.problem);
    has_program |= problem != nullptr;
    if (problem == nullptr || !problem->computing || problem->computing->times.empty()) continue;
    std::string const& file = problem->computing->times;
    if (!files.contains(file)) present(job, file);  // before the long work, whether it may be written
    auto& programs = files[file];
    MeasuredProgram const run = run_of(*problem);
    if (has_run(programs, run)) continue;
    say(fmt::format("{}: measuring {} ranks with the arguments \"{}\"", job.file, run.ranks,
                    fmt::join(run.arguments, " ")));
    programs.push_back(
        measure_computing(*problem, point->scenario.machine, engine_options(point->scenario, options, 0)));
  }
  if (!has_program) {
    throw InputError(
        fmt::format("{}: expected kind \"program\" with --measure, which measures its computing", job.file));
  }
  if (files.empty()) {
    throw InputError(
        fmt::format("{}: /collective/computing: expected \"times\" with --measure, which writes that file", job.file));
  }
  for (auto& [file, programs] : files) write(job, file, std::move(programs));
}

}  // namespace rondo
