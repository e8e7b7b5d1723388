#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <variant>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/goal.hpp"
#include "run/output.hpp"

namespace rondo::cli {
namespace {

struct RunWords {
  std::vector<std::string> files;
  PointWords points;
  std::string machine;
  std::string format = "table";
  std::string output;
  bool force = false;
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

/// Runs all points; `done` gets each result, after its file and how many points that has.
template <typename Done>
void run_all(Job const& job, PointOptions const& options, Output& output, Done done) {
  output.begin(title_of(job));
  run_job(job, options, [&](PointResult const& result) { done(job.file, job.sweep.size(), result); });
}

template <typename Done>
void run_all(GoalJob const& job, PointOptions const& options, Output& output, Done done) {
  output.begin(job.file);
  done(job.file, 1, run_goal(job, options));
}

int run(RunWords const& words) {
  static std::map<std::string, Format> const formats{
      {"table", Format::table}, {"csv", Format::csv}, {"jsonl", Format::jsonl}};
  PointOptions const options = words.points.options();
  std::vector<Work> const work = load(words);
  if (words.dry_run) {
    for (Work const& each : work) std::visit([](auto const& job) { list_points(job); }, each);
    return fine;
  }
  std::optional<std::string> const path = words.output.empty() ? std::nullopt : std::optional(words.output);
  auto const output = make_output(formats.at(words.format), path, words.force);
  int exit_code = fine;
  auto const done = [&](std::string const& file, std::size_t points, PointResult const& result) {
    output->add(result);
    report_progress(words.points, file, points, result);
    if (result.record.error) exit_code = failed_point;
  };
  for (Work const& each : work) {
    std::visit([&](auto const& job) { run_all(job, options, *output, done); }, each);
    output->end();
  }
  return exit_code;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<RunWords>();
  CLI::App* command = app.add_subcommand("run", "run every point of the scenarios and print their records");
  command->add_option("FILE", words->files, "scenario files, or schedules as GOAL text, *.goal")->required();
  command->add_option("--machine", words->machine, "a file that holds the machine which runs *.goal")
      ->type_name("FILE");
  command->add_option("--format", words->format, "how records are printed")
      ->check(CLI::IsMember({"table", "csv", "jsonl"}))
      ->capture_default_str();
  command->add_option("--output", words->output, "write the records to this new file")->type_name("FILE");
  command->add_flag("--force", words->force, "start an existing output file anew");
  command->add_flag("--dry-run", words->dry_run, "list the points and generate their schedules, simulate nothing");
  add_point_words(*command, words->points);
  command->callback([words, &exit_code] { exit_code = run(*words); });
}

}  // namespace rondo::cli
