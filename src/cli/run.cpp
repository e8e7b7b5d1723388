#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>
#include <variant>

#include "base/error.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "run/goal.hpp"
#include "run/output.hpp"
#include "run/results_file.hpp"
#include "run/shard.hpp"

namespace rondo::cli {
namespace {

struct RunWords {
  std::vector<std::string> files;
  PointWords points;
  std::string machine;
  std::string format = "table";
  std::string output;
  std::string shard;
  bool force = false;
  bool resume = false;
  bool dry_run = false;
};

void list_points(Job const& job) {
  fmt::print("{}: {} point{}\n", job.file, job.sweep.size(), job.sweep.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < job.sweep.size(); ++i) {
    scenario::Point const point = job.sweep[i];
    try_point(scenario::parse(point, job.file), job.file);
    std::string values;
    for (auto const& [pointer, value] : point.axes) values += fmt::format(" {}={}", pointer, value.dump());
    fmt::print("  {}{}\n", point.number, values);
  }
}

std::string title_of(Job const& job) {
  auto const& expanded = job.sweep[0].expanded;
  return expanded.contains("title") ? expanded["title"].get<std::string>() : job.file;
}

/// What the files hold, in their order: scenarios, and GOAL text that a machine is to run.
using Work = std::variant<Job, GoalJob>;

GoalJob load_goal_job(std::string const& file, RunWords const& words) {
  if (words.machine.empty())
    throw InputError(fmt::format("{}: expected --machine FILE, the machine that runs it", file));
  if (!words.points.overrides.sets.empty()) {
    throw InputError(fmt::format("{}: --set changes a scenario, and this file holds GOAL text", file));
  }
  return load_goal(file, words.machine, words.points.resolved().engine);
}

std::vector<Work> load(RunWords const& words) {
  std::vector<Work> work;
  bool goals = false;
  for (std::string const& file : words.files) {
    goals = goals || is_goal(file);
    if (is_goal(file)) {
      work.emplace_back(load_goal_job(file, words));
    } else {
      work.emplace_back(load_job(file, words.points.resolved()));
    }
  }
  if (!goals && !words.machine.empty()) {
    throw InputError("--machine: expected a *.goal file, which it runs; a scenario names its own machine");
  }
  return work;
}

void list_points(GoalJob const& job) {
  fmt::print("{}: 1 point\n  1 ranks={} tasks={}\n", job.file, job.graph.ranks(), job.graph.tasks.size());
}

std::string key_of(Job const& job, std::size_t point) {
  scenario::Scenario const parsed = scenario::parse(job.sweep[point], job.file);
  return record_key(parsed.expanded, scenario::to_string(parsed.engine), version());
}

/// What is left to do: what the shard leaves out, and what is recorded already, is not.
class Rest {
 public:
  Rest(RunWords const& words, Format format) {
    shard_ = words.shard.empty() ? slurm_shard() : parse_shard(words.shard);
    if (!words.resume) return;
    if (words.output.empty() || (format != Format::csv && format != Format::jsonl)) {
      throw InputError("--resume: expected --output FILE and --format csv or jsonl, which can be continued");
    }
    if (::access(words.output.c_str(), F_OK) != 0) return;
    ResultsFile const file = read_results(words.output);
    if (file.whole > 0 && file.header.empty() != (format == Format::jsonl)) {
      throw InputError(fmt::format("{}: expected {}, as --format says, got {}", words.output, words.format,
                                   file.header.empty() ? "jsonl" : "csv"));
    }
    for (ResultRow const& row : file.rows) {
      Recorded& same = recorded_[row.key];
      ++same.records;
      same.failed = same.failed || row.failed;
    }
  }

  std::vector<std::size_t> of(Job const& job) {
    std::vector<std::size_t> rest;
    for (std::size_t const point : part(all_points(job))) {
      if (!take(recorded_.empty() ? "" : key_of(job, point))) rest.push_back(point);
    }
    return rest;
  }

  bool of(GoalJob const& job) {
    if (part({0}).empty()) return false;
    return !take(record_key(job.expanded, scenario::to_string(job.engine), version()));
  }

  /// How many of the points that were taken as recorded have an error there: they are no success of this run.
  int failed() const { return failed_; }

  std::string note() const { return shard_ ? fmt::format("shard {}/{}", shard_->number, shard_->of) : ""; }

 private:
  std::vector<std::size_t> part(std::vector<std::size_t> const& points) const {
    return shard_ ? part_of(points, *shard_) : points;
  }

  /// Each record stands for one point.
  bool take(std::string const& key) {
    auto const found = recorded_.find(key);
    if (found == recorded_.end() || found->second.records == 0) return false;
    --found->second.records;
    if (found->second.failed) ++failed_;
    return true;
  }

  struct Recorded {
    int records = 0;
    bool failed = false;
  };
  std::optional<Shard> shard_;
  std::map<std::string, Recorded> recorded_;
  int failed_ = 0;
};

class Runner {
 public:
  Runner(RunWords const& words, Format format) : words_(words), options_(words.points.options()), rest_(words, format) {
    std::optional<std::string> const path = words.output.empty() ? std::nullopt : std::optional(words.output);
    Existing const existing = words.resume ? Existing::continued : words.force ? Existing::replaced : Existing::refused;
    output_ = make_output(format, path, existing);
  }

  void run(Job const& job) {
    std::vector<std::size_t> const points = rest_.of(job);
    Progress progress(job.file, {job.sweep.size(), points.size()}, rest_.note(), words_.points.quiet);
    output_->begin(title_of(job));
    std::size_t next = 0;
    auto const announce = [&] {
      if (next < points.size()) progress.at(job.sweep[points[next++]]);
    };
    announce();
    run_job(job, points, options_, words_.points.jobs, [&](PointResult const& result) {
      add(result);
      announce();
      progress.done();
    });
    progress.end();
    output_->end();
  }

  void run(GoalJob const& job) {
    bool const is_left = rest_.of(job);
    Progress progress(job.file, {1, is_left ? 1u : 0u}, rest_.note(), words_.points.quiet);
    output_->begin(job.file);
    if (is_left) add(run_goal(job, options_));
    progress.end();
    output_->end();
  }

  int exit_code() const {
    if (rest_.failed() == 0) return exit_code_;
    fmt::print(stderr, "{}: {} of the points recorded there failed and were not run again; --force starts it anew\n",
               words_.output, rest_.failed());
    return failed_point;
  }

 private:
  void add(PointResult const& result) {
    output_->add(result);
    if (result.record.error) exit_code_ = failed_point;
  }

  RunWords const& words_;
  PointOptions options_;
  Rest rest_;
  std::unique_ptr<Output> output_;
  int exit_code_ = fine;
};

int run(RunWords const& words) {
  static std::map<std::string, Format> const formats{
      {"table", Format::table}, {"markdown", Format::markdown}, {"csv", Format::csv}, {"jsonl", Format::jsonl}};
  std::vector<Work> const work = load(words);
  if (words.dry_run) {
    for (Work const& each : work) std::visit([](auto const& job) { list_points(job); }, each);
    return fine;
  }
  Runner runner(words, formats.at(words.format));
  for (Work const& each : work) std::visit([&](auto const& job) { runner.run(job); }, each);
  return runner.exit_code();
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<RunWords>();
  CLI::App* command = app.add_subcommand("run", "run every point of the scenarios and print their records");
  command->add_option("FILE", words->files, "scenario files, or schedules as GOAL text, *.goal")->required();
  command->add_option("--machine", words->machine, "a file that holds the machine which runs *.goal")
      ->type_name("FILE");
  command->add_option("--format", words->format, "how records are printed")
      ->check(CLI::IsMember({"table", "markdown", "csv", "jsonl"}))
      ->capture_default_str();
  command->add_option("--output", words->output, "write the records to this new file")->type_name("FILE");
  auto* const force = command->add_flag("--force", words->force, "start an existing output file anew");
  command->add_flag("--resume", words->resume, "continue an output file: points that it holds are not run again")
      ->excludes(force);
  command->add_option("--shard", words->shard, "run every n-th point, from the i-th on; in a Slurm job array its task")
      ->type_name("i/n");
  command->add_flag("--dry-run", words->dry_run, "list the points and generate their schedules, simulate nothing");
  add_point_words(*command, words->points);
  command->callback([words, &exit_code] { exit_code = run(*words); });
}

}  // namespace rondo::cli
