#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/claims_table.hpp"

namespace rondo::cli {
namespace {

struct CheckWords {
  std::vector<std::string> files;
  std::string format = "text";
  PointWords points;
};

char const* word_of(Judgement::Status status) {
  switch (status) {
    case Judgement::Status::holds:
      return "holds";
    case Judgement::Status::fails:
      return "FAILS";
    case Judgement::Status::idle:
      return "IDLE";
    case Judgement::Status::unjudged:
      break;
  }
  return "UNJUDGED";
}

int exit_of(Judgement const& judgement) {
  switch (judgement.status) {
    case Judgement::Status::holds:
      return fine;
    case Judgement::Status::fails:
    case Judgement::Status::idle:
      return claim_fails;
    case Judgement::Status::unjudged:
      break;
  }
  return failed_point;
}

void print_line(Job const& job, Judgement const& judgement) {
  fmt::print("{:8}  {}: {} ({} of {})\n", word_of(judgement.status), job.file, excerpt(judgement.claim, 200),
             judgement.passed, judgement.judged);
  if (!judgement.detail.empty()) fmt::print("          {}\n", judgement.detail);
}

void print_text(Job const& job, std::vector<Judgement> const& judgements) {
  for (Judgement const& judgement : judgements) print_line(job, judgement);
}

void print_markdown(Job const& job, std::vector<Judgement> const& judgements) {
  fmt::print("{}", claims_markdown(job, judgements));
  // Not part of the table, so that it stays short.
  for (Judgement const& judgement : judgements) {
    if (!judgement.detail.empty()) fmt::print(stderr, "{}: {}: {}\n", job.file, judgement.claim, judgement.detail);
  }
}

/// A point that failed is never a success, even if no claim reads it; an invalid schedule is one only if no claim
/// expects that by reading .delivered or .violations of that point.
int exit_of_points(Job const& job, std::vector<PointResult> const& results, std::set<int> const& validity_read,
                   std::FILE* out) {
  int exit_code = fine;
  for (PointResult const& result : results) {
    bool const invalid = result.record.violations.value_or(0) > 0 || !result.record.delivered.value_or(true);
    if (!result.record.error || (invalid && validity_read.contains(result.point.number))) continue;
    fmt::print(out, "FAILED    {}: point {}: {}\n", job.file, result.point.number, *result.record.error);
    exit_code = failed_point;
  }
  return exit_code;
}

int check_job(Job const& job, CheckWords const& words) {
  std::vector<PointResult> results;
  run_job(job, words.points.options(), [&](PointResult result) {
    report_progress(words.points, job.file, job.sweep.size(), result);
    results.push_back(std::move(result));
  });
  std::vector<Judgement> const judgements = judge(job.claims, results, job.file);
  bool const markdown = words.format == "markdown";
  markdown ? print_markdown(job, judgements) : print_text(job, judgements);
  int exit_code = fine;
  std::set<int> validity_read;
  for (Judgement const& judgement : judgements) {
    exit_code = std::max(exit_code, exit_of(judgement));
    validity_read.insert(judgement.validity_read.begin(), judgement.validity_read.end());
  }
  return std::max(exit_code, exit_of_points(job, results, validity_read, markdown ? stderr : stdout));
}

int check(CheckWords const& words) {
  std::vector<Job> jobs;
  for (std::string const& file : scenario_files(words.files)) {
    jobs.push_back(load_job(file, words.points.resolved()));
    if (jobs.back().claims.empty()) {
      throw InputError(fmt::format("{}: /expect: expected at least one claim to check, got none", file));
    }
  }
  int exit_code = fine;
  for (Job const& job : jobs) exit_code = std::max(exit_code, check_job(job, words));
  return exit_code;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<CheckWords>();
  CLI::App* command = app.add_subcommand("check", "run scenarios and judge each claim of their \"expect\"");
  command->add_option("FILE-or-DIR", words->files, "scenario files, or folders of them")->required();
  command->add_option("--format", words->format, "how judgements are printed")
      ->check(CLI::IsMember({"text", "markdown"}))
      ->capture_default_str();
  add_point_words(*command, words->points);
  command->callback([words, &exit_code] { exit_code = check(*words); });
}

}  // namespace rondo::cli
