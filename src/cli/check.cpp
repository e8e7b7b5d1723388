// `rondo check`: runs the points of scenarios, judges the claims of their "expect", and compares with a baseline. With
// --output the records are stored first and read back, so that an interrupted check can be resumed. With --results
// nothing is run but the moved machines of robust claims.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/run_jobs.hpp"
#include "cli/terminal.hpp"
#include "cli/time_limit.hpp"
#include "cli/usage.hpp"
#include "process/say.hpp"
#include "run/output/check_report.hpp"
#include "run/output/report_input.hpp"
#include "run/points/atomic_file.hpp"
#include "run/points/resume.hpp"
#include "run/points/robust.hpp"
#include "run/points/run_job.hpp"

namespace rondo::cli {
namespace {

/// The command line of `rondo check`. A name of a file is empty if the option is not given.
struct CheckArguments {
  std::vector<std::string> files;  ///< scenarios, or folders of them
  std::string format = "text";     ///< text, markdown or jsonl
  std::string color = "auto";      ///< auto, always or never
  std::string junit;               ///< the file for the verdicts as JUnit XML
  std::string baseline;            ///< a file of records, and maybe verdicts, to compare with
  bool all = false;                ///< whether every combination at which a claim fails is listed
  std::string results;             ///< a file of records to judge, so that no points are run
  RecordArguments keep;            ///< where records are stored, and which points are run
  PointArguments points;
};

/// The name of a verdict in the text output. The verdicts in capitals are those on which the command fails.
char const* status_name(Judgement::Status status) {
  switch (status) {
    case Judgement::Status::holds:
      return "holds";
    case Judgement::Status::fails:
      return "FAILS";
    case Judgement::Status::idle:
      return "IDLE";
    case Judgement::Status::refuted:
      return "refuted";
    case Judgement::Status::explained:
      return "explained";
    case Judgement::Status::unexplained:
      return "unexplained";
    case Judgement::Status::wrong:
      return "ERROR";
    case Judgement::Status::lacking:
      return "not judged";
    case Judgement::Status::unjudged:
      break;
  }
  return "UNJUDGED";
}

/// The exit code of one claim. `idle` fails like a claim that does not hold: it judged no point, so it shows nothing.
/// `unjudged` counts as a failed point, because a point that the claim reads has no result.
int exit_of(Judgement const& judgement) {
  switch (judgement.status) {
    case Judgement::Status::holds:
    case Judgement::Status::refuted:
    case Judgement::Status::explained:
    case Judgement::Status::unexplained:
    case Judgement::Status::lacking:
      return fine;
    case Judgement::Status::fails:
    case Judgement::Status::idle:
      return claim_fails;
    case Judgement::Status::wrong:
      return bad_input;
    case Judgement::Status::unjudged:
      break;
  }
  return failed_point;
}

/// Green: the claim is as stated. Red: somebody has to look at it. Yellow: it is known not to be as stated.
Colour colour_of(Judgement::Status status) {
  if (status == Judgement::Status::holds) return Colour::green;
  bool const is_warning = status == Judgement::Status::refuted || status == Judgement::Status::explained ||
                          status == Judgement::Status::unexplained || status == Judgement::Status::lacking;
  return is_warning ? Colour::yellow : Colour::red;
}

/// The name of a verdict, padded to the width of its column.
std::string shown(Judgement::Status status, bool in_colour) {
  std::string const word = fmt::format("{:8}", status_name(status));
  return in_colour ? coloured(word, colour_of(status)) : word;
}

/// Prints the verdict of a claim, how many of the combinations passed, and the places where it failed or else the
/// detail of the verdict.
void print_line(Job const& job, Judgement const& judgement, bool in_colour) {
  fmt::print("{}  {}: {} ({} of {})\n", shown(judgement.status, in_colour), printable(job.file),
             excerpt(judgement.claim, 200), judgement.passed, judgement.judged);
  // An error in the claim itself is reported like any other wrong input.
  if (judgement.status == Judgement::Status::wrong) return say("{}\n", printable(judgement.detail));
  if (!judgement.failures.empty()) {
    for (std::string const& failure : judgement.failures) fmt::print("          {}\n", printable(failure));
  } else if (!judgement.detail.empty()) {
    fmt::print("          {}\n", printable(judgement.detail));
  }
}

void print_text(Job const& job, std::vector<Judgement> const& judgements, bool in_colour) {
  for (Judgement const& judgement : judgements) print_line(job, judgement, in_colour);
}

/// Prints the verdicts as a Markdown table, for a comment on a merge request.
void print_markdown(Job const& job, std::vector<Judgement> const& judgements) {
  fmt::print("{}", claims_markdown(job, judgements));
  // These lines come after the table, so that the table stays short.
  for (Judgement const& judgement : judgements) {
    if (judgement.detail.empty()) continue;
    say("{}\n", printable(fmt::format("{}: {}: {}", job.file, judgement.claim, judgement.detail)));
  }
}

/// Prints the input of `rondo report`: the records of the points that were run, then the claims.
void print_jsonl(Job const& job, std::vector<PointResult> const& results, std::vector<Judgement> const& judgements) {
  for (PointResult const& result : results) {
    if (result.was_run) fmt::print("{}\n", json_row(result.record));
  }
  for (JudgedClaim const& claim : judged_claims(job, judgements))
    fmt::print("{}\n", printable_json(to_json(claim).dump()));
}

/// The points that failed. A failed point is never a success, even if no claim reads it. An invalid schedule fails its
/// point unless a claim reads .delivered or .violations of that point, which shows that it is expected.
std::vector<FailedPoint> failed_points(std::vector<PointResult> const& results,
                                       std::vector<Judgement> const& judgements) {
  std::set<int> expected;
  for (Judgement const& each : judgements) expected.insert(each.validity_read.begin(), each.validity_read.end());
  std::vector<FailedPoint> failed;
  for (PointResult const& result : results) {
    bool const invalid = result.record.violations.value_or(0) > 0 || !result.record.delivered.value_or(true);
    if (!result.record.error || (invalid && expected.contains(result.point.number))) continue;
    failed.push_back({result.point.number, *result.record.error, result.record.wall_s});
  }
  return failed;
}

/// The part of the points that is run. Without an output the results of a shard would be lost, so Slurm's
/// variables are ignored then.
Part part_of_check(CheckArguments const& arguments) {
  return arguments.keep.output.empty() && arguments.keep.points.empty() ? Part{} : part_of(arguments.keep);
}

/// Inserts the points that were not run between the others.
std::vector<PointResult> with_unrun_points(Job const& job, std::vector<PointResult> results) {
  std::vector<PointResult> all;
  auto next = results.begin();
  for (std::size_t i = 0; i < job.sweep.size(); ++i) {
    bool const was_run = next != results.end() && next->point.number == static_cast<int>(i + 1);
    all.push_back(was_run ? std::move(*next++) : PointResult{job.sweep[i], {}, {}, false});
  }
  return all;
}

/// Runs the points of a job without storing their records. Points outside of the chosen part are marked as not run.
std::vector<PointResult> fresh_results(Job const& job, CheckArguments const& arguments) {
  std::vector<PointResult> results;
  Part const part = part_of_check(arguments);
  std::vector<std::size_t> const points = in_part(all_points(job), part);
  Progress progress(job.file, {job.sweep.size(), points.size()}, part.title(), arguments.points.quiet);
  auto const update_interrupt_report = [&] {
    set_interrupt_report(
        {"", "\n" +
                 printable(fmt::format("interrupted in {}: {} of {} points done; --output FILE.jsonl keeps those "
                                       "of one scenario, and --resume then continues",
                                       job.file, results.size(), points.size())) +
                 "\n"});
  };
  update_interrupt_report();
  run_job(job, points, arguments.points.options(), arguments.points.jobs, [&](PointResult result) {
    progress.at(result.point);
    progress.done(result.record);
    results.push_back(std::move(result));
    update_interrupt_report();
  });
  progress.end();
  return with_unrun_points(job, std::move(results));
}

/// The sum of the real times of the points, whenever they were run.
double wall_time(std::vector<PointResult> const& results) {
  double seconds = 0;
  for (PointResult const& result : results) seconds += result.record.wall_s;
  return seconds;
}

/// Runs the points that the output does not contain yet. Returns the exit code.
int run_missing_points(Job const& job, CheckArguments const& arguments) {
  return run_jobs(
      {arguments.keep, arguments.points, part_of_check(arguments), *format_by_ending(arguments.keep.output), {}},
      {job});
}

/// The results that claims are judged on: of points that run now, or of records in a file.
std::vector<PointResult> results_of(Job const& job, CheckArguments const& arguments) {
  if (arguments.results.empty() && arguments.keep.output.empty()) return fresh_results(job, arguments);
  // The exit code is not needed: records say which points failed.
  if (arguments.results.empty()) run_missing_points(job, arguments);
  std::string const& file = arguments.results.empty() ? arguments.keep.output : arguments.results;
  return stored_results(file, job, arguments.points.options().proof);
}

/// Runs or reads the points of one scenario, judges its claims, and compares with the baseline.
Checked check_job(Job const& job, CheckArguments const& arguments, std::optional<ReportInput> const& baseline) {
  std::vector<PointResult> results = results_of(job, arguments);
  for (PointResult& each : results) each.problem = names_at(job, each.point);
  std::vector<Judgement> judgements =
      judge(job.claims, results, job.file, arguments.all ? Failures::all : Failures::first);
  judge_robustness(job, arguments.points.options(), arguments.points.jobs, judgements, [&](std::string const& text) {
    if (!arguments.points.quiet) say("{}\n", printable(text));
  });
  std::vector<FailedPoint> failed = failed_points(results, judgements);
  if (arguments.format == "jsonl") print_jsonl(job, results, judgements);
  Checked checked{job.file, std::move(judgements), std::move(failed), wall_time(results)};
  if (baseline) checked.since = compare_with_baseline(*baseline, job, results, checked.judgements);
  return checked;
}

/// Prints the verdicts of a job in the format of --format; check_job has printed JSON lines already. Returns the exit
/// code: the largest one of all claims and failed points, and of the comparison if the baseline was better.
int print(Job const& job, Checked const& checked, CheckArguments const& arguments) {
  bool const text = arguments.format == "text";
  if (arguments.format == "markdown" && !job.claims.empty()) print_markdown(job, checked.judgements);
  if (text) print_text(job, checked.judgements, colours_wanted(arguments.color));
  for (FailedPoint const& point : checked.failed_points) {
    std::string const line = fmt::format("FAILED    {}\n", printable(fmt::format("{}: {}", job.file, text_of(point))));
    // With Markdown and JSON lines, failed points go to standard error: standard output holds the format alone.
    text ? fmt::print("{}", line) : say("{}", line);
  }
  int exit_code = checked.failed_points.empty() ? fine : failed_point;
  if (checked.since) {
    if (arguments.format == "markdown") fmt::print("{}", baseline_markdown(*checked.since));
    if (text) fmt::print("{}", baseline_text(*checked.since));
    if (checked.since->is_worse()) exit_code = std::max<int>(exit_code, claim_fails);
  }
  for (Judgement const& judgement : checked.judgements) exit_code = std::max(exit_code, exit_of(judgement));
  return exit_code;
}

/// Names the machines among the files of a folder. They are skipped, because its scenarios run on them.
void report_skipped_machines(std::vector<std::string> const& machines) {
  if (machines.empty()) return;
  std::string const names = listed(machines, ", ");
  say("passed over, for {}: {}\n", machines.size() == 1 ? "it is a machine" : "they are machines", excerpt(names, 400));
}

/// Throws InputError if options concern an output that is not kept, or contradict each other.
void expect_consistent_options(CheckArguments const& arguments) {
  RecordArguments const& keep = arguments.keep;
  for (auto const& [option, is_there] :
       {std::pair("--resume", keep.resume), {"--shard", !keep.shard.empty()}, {"--force", keep.force}}) {
    if (is_there && keep.output.empty()) {
      throw InputError(fmt::format("{}: expected --output FILE too, which keeps the records", option));
    }
  }
  if (keep.output.empty()) return;
  std::optional<OutputFormat> const format = format_by_ending(keep.output);
  if (format != OutputFormat::csv && format != OutputFormat::jsonl) {
    throw InputError(fmt::format("--output: expected a name that ends in .csv or .jsonl, got {}", keep.output));
  }
  if (!part_of_check(arguments).is_all() && !arguments.junit.empty()) {
    throw InputError("--junit: expected no part of the points with --output, of which nothing is judged");
  }
}

/// Runs a part of the points and writes them to the output. No claim is judged.
int run_part(Job const& job, CheckArguments const& arguments) {
  int const exit_code = run_missing_points(job, arguments);
  say("{}\n", printable(fmt::format("{}: {} is in {}, and nothing is judged; rondo merge joins such files, and "
                                    "rondo check --results judges them",
                                    job.file, part_of_check(arguments).title(), arguments.keep.output)));
  return exit_code;
}

/// Loads all scenarios, which must not take longer than --timeout allows. Throws InputError for a scenario without
/// claims, unless there is a baseline to compare with.
std::vector<Job> jobs_with_claims(std::vector<std::string> const& files, CheckArguments const& arguments) {
  TimeLimit const limited = loading_limit(arguments.points.options().timeout);
  std::vector<Job> jobs;
  for (std::string const& file : files) {
    jobs.push_back(load_job(file, arguments.points.resolved()));
    if (jobs.back().claims.empty() && arguments.baseline.empty()) {
      throw InputError(
          fmt::format("{}: /expect: expected at least one claim to check, got none; rondo run runs it", file));
    }
  }
  return jobs;
}

/// Checks the options, loads all scenarios, and then runs them one by one. Every output is opened for a test before the
/// first point runs, so that a wrong name does not cost a long run.
int check(CheckArguments const& arguments) {
  expect_consistent_options(arguments);
  arguments.points.permit();
  auto const [files, machines] = scenario_files(arguments.files);
  report_skipped_machines(machines);
  if (!arguments.keep.output.empty() && files.size() > 1) {
    throw InputError(fmt::format("--output: expected one scenario, whose records it keeps, got {}", files.size()));
  }
  for (std::string const& file : files) note_input(file);
  if (!arguments.results.empty()) note_input(arguments.results);
  if (!arguments.junit.empty()) expect_writable(arguments.junit, true);
  std::optional<ReportInput> baseline;
  if (!arguments.baseline.empty()) {
    note_input(arguments.baseline);
    baseline = read_report_input({arguments.baseline});
  }
  std::vector<Job> jobs = jobs_with_claims(files, arguments);
  // The files that the scenarios name are known only now.
  if (!arguments.junit.empty()) expect_writable(arguments.junit, true);
  Part const part = part_of_check(arguments);
  expect_points(part, {jobs.begin(), jobs.end()});
  if (!part.is_all() && !arguments.keep.output.empty()) return run_part(jobs.front(), arguments);
  int exit_code = fine;
  std::vector<Checked> all;
  for (Job const& job : jobs) {
    if (!arguments.points.quiet) remark_on_input(job);
    all.push_back(check_job(job, arguments, baseline));
    exit_code = std::max(exit_code, print(job, all.back(), arguments));
  }
  if (!arguments.junit.empty()) write_atomically(arguments.junit, junit(all), true);
  return exit_code;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "run scenarios and judge each claim of their \"expect\"");
  command->add_option("FILE-or-DIR", arguments->files, "scenario files, or folders of them")->required();
  command
      ->add_option("--format", arguments->format,
                   "how verdicts are printed; jsonl: records and verdicts, for rondo report")
      ->check(one_of({"text", "markdown", "jsonl"}))
      ->capture_default_str();
  command
      ->add_option("--color", arguments->color, "whether verdicts have colours; auto: on a terminal, without NO_COLOR")
      ->check(one_of({"auto", "always", "never"}))
      ->capture_default_str();
  command->add_flag("--all", arguments->all,
                    "with text: list every combination at which a claim fails, not only the first");
  command->add_option("--junit", arguments->junit, "also write the verdicts to this file, as JUnit XML")
      ->type_name("FILE");
  add_record_options(*command, arguments->keep);
  /// `run` has the same options for records, but their help says something else there.
  CLI::Option* const output = command->get_option("--output");
  output->description("keep the records of the scenario's points in this new file, *.csv or *.jsonl");
  command->get_option("--resume")->description("continue the output file: run the points that it lacks, and judge all");
  command->get_option("--points")
      ->description("run these points of one FILE alone, as 1,4-6; claims that lack points are not judged");
  command->get_option("--shard")->description("run every n-th point, beginning with point i, and judge nothing");
  command
      ->add_option("--results", arguments->results,
                   "judge the records in this file, which run --output or merge wrote, and run only the moved machines "
                   "of robust "
                   "claims")
      ->type_name("FILE")
      ->excludes(output)
      ->excludes(command->get_option("--points"));
  command
      ->add_option("--baseline", arguments->baseline,
                   "compare with the records in this file, which run --output or check --format jsonl wrote; exit code "
                   "1 if a point is slower now")
      ->type_name("FILE");
  add_point_options(*command, arguments->points);
  command->callback([arguments, &exit_code] { exit_code = check(*arguments); });
}

}  // namespace rondo::cli
