// Tunes a program by its environment: librondo_mpi reads a variable for each collective, so the same binary runs with
// every algorithm.

#include "run/points/tune_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "run/families/answers.hpp"
#include "run/points/compare.hpp"
#include "run/points/run_job.hpp"
#include "run/points/simulations.hpp"
#include "scenario/scenario.hpp"

namespace rondo {
namespace {

using scenario::Json;
using Settings = ProgramDecisions::Settings;

constexpr char const* own = "-";

/// The collective of which MPI_Iallgatherv is a form, "allgather"; empty if no algorithm can be chosen for it.
std::string collective_of(std::string const& call) {
  std::string word = call.substr(std::string("MPI_").size());
  if (word.starts_with('I')) word.erase(0, 1);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  if (word == "reduce_scatter_block") word = "reduce_scatter";
  if (word.ends_with('v')) word.pop_back();
  auto const kind = rondo::value_of<problem::Kind>(word);
  return kind && problem::classical_collective(*kind) ? word : "";
}

std::string variable_of(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
  return "RONDO_" + word + "_ALGORITHM";
}

/// The decision for one problem of a job.
class ProgramTuning {
 public:
  ProgramTuning(Job const& job, scenario::Point const& point, TuneOptions const& options)
      : file_(job.file), document_(point.expanded), options_(options) {
    scenario::Scenario const parsed = scenario::parse(point, file_);
    expect_library(std::get<problem::UserProgram>(parsed.problem), file_);
    result_.scenario = file_;
    result_.title = parsed.title;
    result_.version = version();
    result_.p = ranks(parsed.problem);
    for (auto const& axis : point.axes) {
      if (axis.first != "/algorithm" && axis.first != "/block") result_.axes.push_back(axis);
    }
  }

  /// Runs the program as it is, tries each algorithm of each collective that it calls, and then combines the best ones.
  ProgramDecisions decide() {
    options_.say(fmt::format("{}: the program as it is", file_));
    Record const first = records_of({{}}, true).front();
    if (first.error || !first.time_s) throw TuneFailure(fmt::format("{}: {}", file_, first.error.value_or("no time")));
    result_.as_is = result_.fastest = time_of(first);
    for (auto const& [collective, share] : called(first)) try_all(collective, share);
    expect_known();
    combine();
    return std::move(result_);
  }

 private:
  /// The collectives that the program calls, with their shares of its time, the largest first.
  std::vector<std::pair<std::string, double>> called(Record const& record) const {
    std::map<std::string, double> shares;
    for (Json const& each : (*record.profile)["collectives"]) {
      std::string const collective = collective_of(each["call"].get<std::string>());
      // Groups that call it side by side have only a part of the ranks each.
      double const part = each["ranks"].get<double>() / result_.p;
      if (!collective.empty()) shares[collective] += each["share"].get<double>() * part;
    }
    std::vector<std::pair<std::string, double>> sorted(shares.begin(), shares.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](auto const& a, auto const& b) { return a.second > b.second; });
    return sorted;
  }

  /// Runs the program once with each of these settings, in addition to the environment in the scenario.
  std::vector<Record> records_of(std::vector<Settings> const& all, bool profile = false) const {
    Json document = document_;
    Json environments = Json::array();
    for (Settings const& settings : all) {
      Json environment = document_["collective"].value("environment", Json::object());
      for (auto const& [name, value] : settings) environment[name] = value;
      environments.push_back(std::move(environment));
    }
    document["sweep"] = Json::object();
    document["sweep"]["/collective/environment"] = std::move(environments);
    Job const job{file_, scenario::Sweep(std::move(document), file_), {}};
    PointOptions points = options_.points;
    points.profile = profile;
    std::vector<Record> records(all.size());
    int const jobs = std::min(options_.jobs, static_cast<int>(all.size()));
    std::size_t done = 0;
    run_job(job, all_points(job), points, jobs, [&](PointResult result) {
      records[static_cast<std::size_t>(result.record.point - 1)] = std::move(result.record);
      if (options_.watch.progress) options_.watch.progress(++done, all.size());
    });
    return records;
  }

  Seconds time_of(Record const& record) const { return Seconds(*time_by(record, options_.points.by)); }

  /// Runs the program with each algorithm of one collective.
  void try_all(std::string const& collective, double share) {
    std::vector<std::string> words = problem::algorithms(known_value<problem::Kind>(collective));
    known_.insert(known_.end(), words.begin(), words.end());
    if (!options_.algorithms.empty()) {
      std::erase_if(words, [&](std::string const& word) {
        return std::find(options_.algorithms.begin(), options_.algorithms.end(), word) == options_.algorithms.end();
      });
    }
    words.insert(words.begin(), own);
    options_.say(fmt::format("{}: {} with {} algorithms", file_, collective, words.size()));
    std::vector<Settings> settings;
    for (std::string const& word : words) settings.push_back({{variable_of(collective), word == own ? "" : word}});
    std::vector<Record> const records = records_of(settings);
    TunedCollective tuned{collective, share, {}};
    for (std::size_t i = 0; i < words.size(); ++i) {
      TriedAlgorithm tried{words[i], {}};
      if (records[i].error) tried.error = *records[i].error;
      if (!records[i].error && records[i].time_s) tried.time = time_of(records[i]);
      tuned.tried.push_back(std::move(tried));
    }
    std::stable_sort(tuned.tried.begin(), tuned.tried.end(), [](TriedAlgorithm const& a, TriedAlgorithm const& b) {
      return a.time.has_value() && (!b.time || faster(*a.time, *b.time));
    });
    result_.collectives.push_back(std::move(tuned));
  }

  static bool faster(Seconds a, Seconds b) { return a < b && !as_fast(b, a, time_tolerance); }

  /// Throws if --algorithms names an algorithm that no called collective has.
  void expect_known() const {
    for (std::string const& word : options_.algorithms) {
      if (std::find(known_.begin(), known_.end(), word) != known_.end()) continue;
      throw InputError(
          fmt::format("--algorithms: expected some of those of the collectives that {} calls ({}), got \"{}\"{}", file_,
                      names().empty() ? "none" : listed(names(), ", "), excerpt(word), did_you_mean(word, known_)));
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (TunedCollective const& each : result_.collectives) all.push_back(each.collective);
    return all;
  }

  void take(Settings const& environment, Seconds time) {
    if (!faster(time, result_.fastest)) return;
    result_.environment = environment;
    result_.fastest = time;
  }

  /// Finds the fastest setting among the best algorithms of the collectives that make the program faster: each one
  /// alone, and all of them together in one more run.
  void combine() {
    Settings all;
    for (TunedCollective const& each : result_.collectives) {
      TriedAlgorithm const& best = each.tried.front();
      if (!best.time || !faster(*best.time, result_.as_is)) continue;
      all.emplace_back(variable_of(each.collective), best.algorithm == own ? "" : best.algorithm);
      take({all.back()}, *best.time);
    }
    if (all.size() < 2) return;
    options_.say(fmt::format("{}: the best together", file_));
    Record const record = records_of({all}).front();
    if (record.error || !record.time_s) return;
    result_.together = time_of(record);
    take(all, *result_.together);
  }

  std::string file_;
  Json document_;
  TuneOptions const& options_;
  std::vector<std::string> known_;
  ProgramDecisions result_ = {};
};

}  // namespace

/// Whether the point is a program whose arguments do not contain the block size: there is nothing to range over.
bool is_fixed_program(scenario::Point const& point, std::string const& file) {
  scenario::Scenario const parsed = scenario::parse(point, file);
  auto const* const program = std::get_if<problem::UserProgram>(&parsed.problem);
  return program != nullptr && std::none_of(program->arguments.begin(), program->arguments.end(),
                                            [](auto const& each) { return each.find("{block}") != std::string::npos; });
}

std::vector<ProgramDecisions> tune_programs(Job const& job, TuneOptions const& options) {
  std::vector<ProgramDecisions> all;
  for (scenario::Point const& point : problems_in(job, options.part)) {
    all.push_back(ProgramTuning(job, point, options).decide());
  }
  return all;
}

}  // namespace rondo
