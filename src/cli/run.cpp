#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/output.hpp"

namespace rondo::cli {
namespace {

struct RunWords {
  std::vector<std::string> files;
  PointWords points;
  std::string format = "table";
  std::string output;
  bool force = false;
  bool dry_run = false;
};

int list_points(std::vector<Job> const& jobs) {
  for (Job const& job : jobs) {
    fmt::print("{}: {} point{}\n", job.file, job.sweep.size(), job.sweep.size() == 1 ? "" : "s");
    for (std::size_t i = 0; i < job.sweep.size(); ++i) {
      scenario::Point const point = job.sweep[i];
      try_point(scenario::parse(point, job.file), job.file);
      std::string values;
      for (auto const& [pointer, value] : point.axes) values += fmt::format(" {}={}", pointer, value.dump());
      fmt::print("  {}{}\n", point.number, values);
    }
  }
  return fine;
}

std::string title_of(Job const& job) {
  auto const& expanded = job.sweep[0].expanded;
  return expanded.contains("title") ? expanded["title"].get<std::string>() : job.file;
}

int run(RunWords const& words) {
  static std::map<std::string, Format> const formats{
      {"table", Format::table}, {"csv", Format::csv}, {"jsonl", Format::jsonl}};
  PointOptions const options = words.points.options();
  std::vector<Job> jobs;
  for (std::string const& file : words.files) jobs.push_back(load_job(file, words.points.resolved()));
  if (words.dry_run) return list_points(jobs);
  std::optional<std::string> const path = words.output.empty() ? std::nullopt : std::optional(words.output);
  auto const output = make_output(formats.at(words.format), path, words.force);
  int exit_code = fine;
  for (Job const& job : jobs) {
    output->begin(title_of(job));
    run_job(job, options, [&](PointResult const& result) {
      output->add(result);
      report_progress(words.points, job, result);
      if (result.record.error) exit_code = failed_point;
    });
    output->end();
  }
  return exit_code;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<RunWords>();
  CLI::App* command = app.add_subcommand("run", "run every point of the scenarios and print their records");
  command->add_option("FILE", words->files, "scenario files")->required();
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
