// Loads a scenario as a job, and checks all its points before the first one runs. So an error in the last point of a
// sweep is reported at once and not after hours.

#include "run/points/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "engine/engine.hpp"
#include "json/value.hpp"
#include "run/families/plan.hpp"
#include "scenario/custom.hpp"
#include "scenario/effects.hpp"
#include "scenario/load.hpp"

namespace rondo {
namespace {

/// Every *.json below the folder, in the order of their paths.
std::vector<std::string> json_files(std::string const& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (auto const& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  if (files.empty()) {
    throw InputError(fmt::format("{}: expected a folder with scenarios, found no *.json in it", folder));
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Throws InputError if a platform file has too few hosts for the ranks. Only SimGrid knows their number, so it loads
/// the file and simulates ranks that do nothing.
void expect_file_carries(scenario::Scenario const& parsed, std::string const& file) {
  int const p = ranks(parsed.problem);
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

}  // namespace

ScenarioFiles scenario_files(std::vector<std::string> const& files_or_folders) {
  ScenarioFiles found;
  for (std::string const& each : files_or_folders) {
    if (!std::filesystem::is_directory(each)) {
      found.scenarios.push_back(each);
      continue;
    }
    std::size_t const before = found.scenarios.size();
    for (std::string& file : json_files(each)) {
      (scenario::holds_machine(file) ? found.machines : found.scenarios).push_back(std::move(file));
    }
    if (found.scenarios.size() == before) {
      throw InputError(fmt::format("{}: expected a folder with scenarios, found machines alone", each));
    }
  }
  return found;
}

std::vector<scenario::Scenario> with_all_algorithms(scenario::Point point, std::string const& file) {
  scenario::Json const& collective = point.expanded["collective"];
  auto const kind = known_value<problem::Kind>(collective["kind"].get<std::string>());
  std::vector<scenario::Scenario> all;
  for (std::string const& algorithm : scenario::algorithm_names(kind, collective)) {
    point.expanded["algorithm"] = algorithm;
    try {
      all.push_back(scenario::parse(point, file));
    } catch (InputError const&) {
      // The search leaves this algorithm out.
    }
  }
  return all;
}

namespace {

/// Notes the keys of a point. In a search a key has an effect if it has one with any algorithm. The other algorithms
/// are parsed only if a key has no effect with the first one.
void note_keys(scenario::StatedKeys& keys, scenario::Point const& point, scenario::Scenario const& parsed,
               bool searched, std::string const& file) {
  if (!searched || !scenario::has_idle_key(point, parsed)) return keys.note(point, std::span(&parsed, 1));
  std::vector<scenario::Scenario> all = with_all_algorithms(point, file);
  all.push_back(parsed);
  keys.note(point, all);
}

/// Estimates the memory of a stored point: the characters of its scenario plus the numbers in its offsets. Unset for a
/// point that is not stored: its files may change until it runs, or it is a workload, which has many problems.
std::optional<std::size_t> weight(scenario::Scenario const& point) {
  if (!point.inputs.empty() || std::holds_alternative<problem::Workload>(point.problem)) return std::nullopt;
  std::size_t const text = point.expanded.dump().size();
  auto const* const isomorphic = std::get_if<problem::Isomorphic>(&point.problem);
  if (isomorphic == nullptr) return text;
  return text + at(isomorphic->neighborhood.size()) * at(isomorphic->torus.dimensions());
}

ReadPoint read_point(scenario::Point const& point, std::string const& file) {
  return is_of_tasks(point.expanded, file) ? read_tasks(point.expanded, file) : ReadPoint{scenario::parse(point, file)};
}

/// Checks the points of a job as far as possible before they run. Notes remarks, parsed points and names in the job.
class JobCheck {
 public:
  JobCheck(Job& job, scenario::StatedKeys& keys, bool searched, Loading loading)
      : job_(job), keys_(keys), searched_(searched), loading_(loading) {}

  /// Checks all points, and then the names in claims. With Loading::listed the points are only parsed. Throws
  /// InputError with the place.
  void at_all() {
    for (std::size_t i = 0; i < job_.sweep.size(); ++i) {
      scenario::Point point = job_.sweep[i];
      ReadPoint read = read_point(point, job_.file);
      scenario::Scenario const& parsed = read.scenario;
      if (read.plan) point.expanded = parsed.expanded;  // with the keys in the machine's file
      note_keys(keys_, point, parsed, searched_, job_.file);
      note_remarks(job_.remarks, parsed, job_.file);
      if (i == 0) job_.remarks.distance = remark_on_distance(parsed, job_.file);
      if (loading_ == Loading::whole) expect_runnable(std::move(point), parsed);
      keep(std::move(read));
    }
    job_.remarks.keys = keys_.remarks();
    // A search judges no claim, and it runs other algorithms than those that claims name.
    if (loading_ == Loading::listed || searched_) return;
    check_claims(job_.claims, results_, job_.file);
    for (PointResult& each : results_) job_.names.push_back(std::move(each.problem));
  }

 private:
  /// Checks the platform file, and the program or the graph and the sizes. If there are claims, problem_names makes the
  /// graph and evaluates the sizes, so their errors are found there.
  void expect_runnable(scenario::Point point, scenario::Scenario const& parsed) {
    auto const* platform = std::get_if<PlatformFile>(&parsed.machine.topology);
    if (platform && loaded_.emplace(platform->path, ranks(parsed.problem)).second) {
      expect_file_carries(parsed, job_.file);
    }
    bool const is_program = std::holds_alternative<problem::UserProgram>(parsed.problem);
    if (job_.claims.empty() || is_program) validate(parsed, job_.file);
    if (job_.claims.empty()) return;
    Record record;
    record.algorithm = algorithm(parsed.problem);
    results_.push_back({std::move(point), std::move(record), problem_names(parsed, job_.file)});
  }

  /// Stores the point for its run, as long as all stored points take at most 4 MiB, or if its plan is made already.
  void keep(ReadPoint read) {
    constexpr std::size_t most = std::size_t{4} << 20;
    std::optional<std::size_t> const own = read.plan ? 0 : weight(read.scenario);
    bool const fits = own && stored_weight_ + *own <= most;
    if (fits) stored_weight_ += *own;
    job_.read.push_back(fits ? std::make_shared<ReadPoint const>(std::move(read)) : nullptr);
  }

  Job& job_;
  scenario::StatedKeys& keys_;
  bool searched_;
  Loading loading_;
  std::set<std::pair<std::string, int>> loaded_;  ///< the checked platform files, each with its number of ranks
  std::vector<PointResult> results_;              ///< the points for the check of claims, not run; empty without claims
  std::size_t stored_weight_ = 0;                 ///< the weight of the stored points
};

/// Finds the values of a pointer in a sweep, which may be an object of axes or a list of such objects; null if it is
/// not swept.
scenario::Json swept_values(scenario::Json const& sweep, char const* pointer) {
  auto const has = [&](scenario::Json const& axes) { return axes.is_object() && axes.contains(pointer); };
  if (has(sweep)) return sweep[pointer];
  if (!sweep.is_array()) return {};
  auto const axes = std::find_if(sweep.begin(), sweep.end(), has);
  return axes == sweep.end() ? scenario::Json() : (*axes)[pointer];
}

/// Lists the algorithms that all these kinds of collectives have; empty if one of the kinds is unknown.
std::vector<std::string> common_algorithms(scenario::Json const& kinds, scenario::Json const& collective) {
  std::vector<std::string> common;
  for (scenario::Json const& each : kinds) {
    auto const kind = each.is_string() ? value_of<problem::Kind>(each.get<std::string>()) : std::nullopt;
    if (!kind) return {};
    std::vector<std::string> const known = scenario::algorithm_names(*kind, collective);
    if (&each == &kinds[0]) common = known;
    std::erase_if(common, [&](std::string const& word) { return std::ranges::find(known, word) == known.end(); });
  }
  return common;
}

/// Completes a document for a search: adds an algorithm and a block if neither the document nor its sweep has them.
/// Does nothing without a kind of collective.
void fill_searched(scenario::Json& document) {
  scenario::Json const sweep = document.value("sweep", scenario::Json());
  scenario::Json const collective = document.value("collective", scenario::Json());
  if (!collective.is_object() || !collective.contains("kind")) return;
  scenario::Json kinds = swept_values(sweep, "/collective/kind");
  if (!kinds.is_array()) kinds = scenario::Json::array({collective["kind"]});
  if (kinds.empty()) return;
  std::vector<std::string> const algorithms = common_algorithms(kinds, collective);
  if (!algorithms.empty() && !document.contains("algorithm") && swept_values(sweep, "/algorithm").is_null())
    document["algorithm"] = algorithms.front();
  if (!document.contains("block") && swept_values(sweep, "/block").is_null())
    document["block"] = kinds[0] == "barrier" ? "0B" : "1B";
}

/// Notes which parts of a file's scenario come from elsewhere: from a machine's own file, or from the command line.
scenario::Provenance provenance(scenario::Document const& document, Overrides const& overrides) {
  scenario::Provenance from{.named_machine = document.names_machine};
  from.changed = !overrides.sets.empty() || overrides.engine;
  for (std::string const& set : overrides.sets) from.set.push_back(set.substr(0, set.find('=')));
  return from;
}

/// Applies the changes of the command line, reads the claims, expands the sweep, and checks all points.
Job job_of(scenario::Document loaded, std::string const& file, Overrides const& overrides, Loading loading) {
  scenario::StatedKeys keys(file, provenance(loaded, overrides));
  scenario::Json document = std::move(loaded.json);
  for (std::string const& set : overrides.sets) scenario::apply_set(document, set);
  if (overrides.engine) scenario::apply_set(document, "/engine=" + *overrides.engine);
  if (overrides.searched) fill_searched(document);
  std::vector<scenario::Claim> claims = scenario::claims(document, file);
  Job job{file, scenario::Sweep(std::move(document), file), std::move(claims)};
  JobCheck(job, keys, overrides.searched, loading).at_all();
  return job;
}

}  // namespace

Job load_job(std::string const& file, Overrides const& overrides, Loading loading) {
  return job_of(scenario::load_document(file), file, overrides, loading);
}

Job load_task_job(std::string const& file, TaskFormat format, TaskWords const& words, Overrides const& overrides) {
  scenario::Document document = document_of_tasks(file, format, words);
  if (overrides.sets.empty()) return job_of(std::move(document), file, overrides, Loading::whole);
  throw InputError(fmt::format("{}: --set changes a scenario, and this file holds {}", file, title(format)));
}

Job load_job_text(std::string_view text, std::string const& name, Overrides const& overrides) {
  return job_of(scenario::load_text(text, name), name, overrides, Loading::whole);
}

std::shared_ptr<ReadPoint const> point_at(Job const& job, std::size_t i) {
  if (i < job.read.size() && job.read[i]) return job.read[i];
  return std::make_shared<ReadPoint const>(ReadPoint{scenario::parse_again(job.sweep[i], job.file)});
}

/// Drops the parsed points and the names, which belong to the old points.
Job with_points_changed(Job job, std::function<void(scenario::Json&)> change) {
  job.sweep.change_points(std::move(change));
  job.read.clear();
  job.names.clear();
  return job;
}

std::vector<std::size_t> all_points(Job const& job) {
  std::vector<std::size_t> points(job.sweep.size());
  std::iota(points.begin(), points.end(), 0);
  return points;
}

Names names_at(Job const& job, scenario::Point const& point) {
  auto const i = static_cast<std::size_t>(point.number - 1);
  return job.names.empty() ? problem_names(point_at(job, i)->scenario, job.file) : job.names[i];
}

void try_point(Job const& job, std::size_t i) {
  std::shared_ptr<ReadPoint const> const point = point_at(job, i);
  // A user program has no schedule, and would have to be compiled.
  if (point->plan || std::holds_alternative<problem::UserProgram>(point->scenario.problem)) return;
  plan_of(point->scenario, job.file);
}

}  // namespace rondo
