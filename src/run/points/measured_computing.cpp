#include "run/points/measured_computing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/inputs.hpp"
#include "run/families/computing_times.hpp"
#include "run/points/simulated.hpp"
#include "run/points/whole_file.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

void measure_computing(Job const& job, std::vector<std::size_t> const& points, PointOptions const& options,
                       std::function<void(std::string const&)> const& say) {
  std::map<std::string, std::vector<MeasuredProgram>> files;
  for (std::size_t const number : points) {
    scenario::Scenario const scenario = scenario::parse(job.sweep[number], job.file);
    auto const* const problem = std::get_if<problem::UserProgram>(&scenario.problem);
    if (problem == nullptr || !problem->computing || problem->computing->times.empty()) continue;
    auto& programs = files[problem->computing->times];
    MeasuredProgram const run = run_of(*problem);
    if (std::ranges::any_of(programs, [&](auto const& each) { return each.same_run(run); })) continue;
    say(fmt::format("{}: measuring {} ranks with the arguments \"{}\"", job.file, run.ranks,
                    fmt::join(run.arguments, " ")));
    programs.push_back(measure_computing(*problem, scenario.machine, engine_options(scenario, options, 0)));
  }
  if (files.empty()) {
    throw InputError(
        fmt::format("{}: /collective/computing: expected \"times\" with --measure, which writes that file", job.file));
  }
  for (auto const& [file, programs] : files) {
    permit_writing(file);
    write_whole(file, computing_text(programs), true);
    note_input(file);
  }
}

}  // namespace rondo
