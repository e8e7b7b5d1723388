#include "run/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "run/plan.hpp"

namespace rondo {
namespace {

/// Only SimGrid knows how many hosts a platform file has, so it loads the file for as many ranks that do nothing.
void expect_file_carries(scenario::Scenario const& parsed, std::string const& file) {
  int const p = scenario::ranks(parsed.problem);
  Schedule idle;
  idle.ranks = p;
  idle.programs.push_back(ProgramBuilder(Layout{}).finish());
  IsomorphicAlltoall const nothing{Torus({p}), Neighborhood(1, {})};
  try {
    simulate_smpi(idle, nothing, parsed.machine, {});
  } catch (InputError const& error) {
    throw InputError(fmt::format("{}: /machine/topology: {}", file, error.what()));
  }
}

std::vector<PointResult> points_without_results(Job const& job) {
  std::set<std::pair<std::string, int>> loaded;
  std::vector<PointResult> results;
  for (std::size_t i = 0; i < job.sweep.size(); ++i) {
    scenario::Point point = job.sweep[i];
    scenario::Scenario const parsed = scenario::parse(point, job.file);
    auto const* platform = std::get_if<PlatformFile>(&parsed.machine.topology);
    if (platform && loaded.emplace(platform->path, scenario::ranks(parsed.problem)).second) {
      expect_file_carries(parsed, job.file);
    }
    expect_block_sizes(parsed, job.file);
    Record record;
    record.algorithm = scenario::algorithm(parsed.problem);
    Names problem = job.claims.empty() ? Names{} : problem_names(parsed, job.file);
    results.push_back({std::move(point), std::move(record), std::move(problem)});
  }
  return results;
}

}  // namespace

Job load_job(std::string const& file, Overrides const& overrides) {
  scenario::Json document = scenario::load(file);
  for (std::string const& set : overrides.sets) scenario::apply_set(document, set);
  if (overrides.engine) scenario::apply_set(document, "/engine=" + *overrides.engine);
  std::vector<scenario::Claim> claims = scenario::claims(document, file);
  Job job{file, scenario::Sweep(std::move(document), file), std::move(claims)};
  check_claims(job.claims, points_without_results(job), file);
  return job;
}

void run_job(Job const& job, PointOptions const& options, std::function<void(PointResult)> const& on_result) {
  for (std::size_t i = 0; i < job.sweep.size(); ++i) {
    scenario::Point point = job.sweep[i];
    scenario::Scenario const parsed = scenario::parse(point, job.file);
    Record record = run_point(parsed, job.file, point.number, options);
    on_result({std::move(point), std::move(record), problem_names(parsed, job.file)});
  }
}

std::vector<std::string> scenario_files(std::vector<std::string> const& files_or_folders) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (std::string const& each : files_or_folders) {
    if (!fs::is_directory(each)) {
      files.push_back(each);
      continue;
    }
    auto const first = static_cast<std::ptrdiff_t>(files.size());
    for (auto const& entry : fs::recursive_directory_iterator(each)) {
      if (entry.is_regular_file() && entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
    if (first == static_cast<std::ptrdiff_t>(files.size())) {
      throw InputError(fmt::format("{}: expected a folder with scenarios, found no *.json in it", each));
    }
    std::sort(files.begin() + first, files.end());
  }
  return files;
}

void try_point(scenario::Scenario const& scenario, std::string const& file) { plan_of(scenario, file); }

}  // namespace rondo
