// `rondo run`: runs every point of scenarios, or files of tasks of other programs on a machine, and prints a record for
// each. With --dry-run it lists the points, or generates their schedules, and simulates nothing.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/run_jobs.hpp"
#include "cli/terminal.hpp"
#include "cli/time_limit.hpp"
#include "cli/usage.hpp"
#include "process/say.hpp"
#include "run/families/user_program.hpp"
#include "run/points/measured_computing.hpp"
#include "run/points/shard.hpp"

namespace rondo::cli {
namespace {

/// The options as the user wrote them. A text is empty if its option is absent.
struct RunArguments {
  std::vector<std::string> files;
  PointArguments points;
  TaskWords tasks;                   ///< for files of tasks
  std::string format;                ///< if empty, the ending of the output's name decides
  std::vector<std::string> columns;  ///< empty: the usual ones
  bool pivot = false;
  RecordArguments keep;
  bool measure = false;  ///< whether the computing of programs is measured before the points run
  std::string dry_run;   ///< "list", "generate", or empty: run
};

/// Throws InputError for an option that is for files of tasks, because no file has any.
void refuse_task_words(TaskWords const& words) {
  auto const refuse = [](std::string const& stated, char const* expected) {
    if (!stated.empty()) throw InputError(expected);
  };
  refuse(words.machine,
         "--machine: expected a *.goal, *.bin, *.xml or *.0.et file, which it runs; a scenario names its "
         "own machine");
  refuse(words.promise, "--promise: expected a *.goal, *.bin, *.xml or *.0.et file, which keeps it");
  refuse(words.chunk, "--chunk: expected a *.xml file, whose chunks are that large");
}

/// Loads scenarios and files of tasks. Throws InputError if a file is named twice, because this would give two records
/// with the same names.
std::vector<Job> load(RunArguments const& arguments) {
  TimeLimit const limited = loading_limit(arguments.points.options().timeout);
  std::set<std::string> named;
  for (std::string const& file : arguments.files) {
    if (named.insert(file).second) continue;
    throw InputError(fmt::format("{}: expected each file once, it is named twice", file));
  }
  Overrides const overrides = arguments.points.resolved();
  Loading const loading = arguments.dry_run == "list" ? Loading::listed : Loading::whole;
  bool has_tasks = false;
  std::vector<Job> jobs;
  for (std::string const& file : arguments.files) {
    auto const format = task_format(file);
    has_tasks = has_tasks || format;
    jobs.push_back(format ? load_task_job(file, *format, arguments.tasks, overrides)
                          : load_job(file, overrides, loading));
  }
  if (!has_tasks) refuse_task_words(arguments.tasks);
  return jobs;
}

/// The format of records. --format states it, or else the ending of the output's name. Throws InputError for an ending
/// that states none.
OutputFormat format_of(RunArguments const& arguments) {
  static std::map<std::string, OutputFormat> const named{{"table", OutputFormat::table},
                                                         {"markdown", OutputFormat::markdown},
                                                         {"csv", OutputFormat::csv},
                                                         {"jsonl", OutputFormat::jsonl}};
  if (!arguments.format.empty()) return named.at(arguments.format);
  if (auto const format = format_by_ending(arguments.keep.output)) return *format;
  refuse_input(arguments.keep.output);
  throw InputError(
      fmt::format("--output: expected a name that ends in .csv, .jsonl, .md, .txt or without a dot, or --format too, "
                  "got \"{}\"",
                  excerpt(arguments.keep.output)));
}

/// How tables look. Records on standard output are as wide as the terminal; in a file, or without a terminal, they have
/// the usual width.
TableOptions table_options(RunArguments const& arguments) {
  TableOptions look;
  look.columns = arguments.columns;
  look.pivot = arguments.pivot;
  if (arguments.keep.output.empty()) look.width = terminal_width(STDOUT_FILENO).value_or(look.width);
  return look;
}

/// Throws InputError for --pivot with a format that is no table, or with several columns.
void expect_pivot(RunArguments const& arguments, OutputFormat format) {
  if (format != OutputFormat::table && format != OutputFormat::markdown) {
    throw InputError("--pivot: expected a table or Markdown; in the other formats each record is a line");
  }
  if (arguments.columns.size() > 1) {
    throw InputError(fmt::format("--pivot: expected one field in --columns, got {}", arguments.columns.size()));
  }
}

/// Refuses a choice of columns for JSON lines and for Markdown without --pivot, which contain all fields, and for CSV
/// that is continued, because its records would not be complete.
void expect_columns_with(RunArguments const& arguments, OutputFormat format) {
  if (format != OutputFormat::table && format != OutputFormat::csv && !arguments.pivot) {
    throw InputError("--columns: expected a table or CSV, which show some fields; the other formats hold all");
  }
  if (format == OutputFormat::csv && arguments.keep.resume) {
    throw InputError("--columns: expected no --resume, which continues CSV with all columns");
  }
}

/// Throws InputError for CSV, and unless every job is a user's program, because only programs have collective calls.
void expect_profile(std::vector<Job> const& jobs, OutputFormat format) {
  if (format == OutputFormat::csv)
    throw InputError("--profile: expected a table, Markdown or jsonl; CSV has no place for it");
  for (Job const& job : jobs) {
    // A file of tasks is a custom schedule, and its record names no collective.
    scenario::Json const collective = job.sweep[0].expanded.value("collective", scenario::Json::object());
    std::string const kind = collective.value("kind", "custom");
    if (kind == "program") continue;
    throw InputError(fmt::format(
        "{}: expected kind \"program\" with --profile, which looks at calls of MPI, got \"{}\"", job.file, kind));
  }
}

/// The jobs, and how their points are run and printed.
struct Prepared {
  std::vector<Job> jobs;
  RunOptions options;
};

/// Loads the files, and checks options and points before the first one runs. Throws InputError.
Prepared prepared(RunArguments const& arguments) {
  bool const lists = arguments.dry_run == "list" || arguments.dry_run == "generate";
  if (!lists && !arguments.dry_run.empty()) {
    throw InputError(
        fmt::format("--dry-run: expected nothing or \"generate\", got \"{}\"", excerpt(arguments.dry_run)));
  }
  expect_columns(arguments.columns, "--columns");
  arguments.points.permit(lists ? PointArguments::Start::nothing : PointArguments::Start::all);
  std::vector<Job> jobs = load(arguments);
  OutputFormat const format = format_of(arguments);
  if (arguments.pivot) expect_pivot(arguments, format);
  if (arguments.points.profile) expect_profile(jobs, format);
  if (!arguments.columns.empty()) expect_columns_with(arguments, format);
  Part part = part_of(arguments.keep);
  expect_points(part, jobs);
  return {std::move(jobs), {arguments.keep, arguments.points, std::move(part), format, table_options(arguments)}};
}

/// The ranks and tasks of a file of tasks; empty for a scenario.
std::string size_of_tasks(Job const& job) {
  auto const* const plan = job.read.front() ? std::get_if<TaskPlan>(job.read.front()->plan.get()) : nullptr;
  if (plan == nullptr) return "";
  TaskGraph const& graph = plan->tasks.graph.tasks;
  return fmt::format(" ranks={} tasks={}", graph.ranks(), graph.tasks.size());
}

/// --dry-run: lists the points. With "generate" it also makes the schedule of each point, and throws InputError if that
/// fails. Returns the exit code of the command.
int list(RunArguments const& arguments) {
  Prepared const ready = prepared(arguments);
  TimeLimit const limited = loading_limit(ready.options.points.options().timeout);
  for (Job const& job : ready.jobs) {
    std::vector<std::size_t> const points = in_part(all_points(job), ready.options.part);
    fmt::print("{}: {} point{}", printable(job.file), job.sweep.size(), job.sweep.size() == 1 ? "" : "s");
    fmt::print("{}\n", ready.options.part.is_all()
                           ? ""
                           : fmt::format(", {}, {} to do", ready.options.part.title(), points.size()));
    for (std::size_t const i : points) {
      scenario::Point const point = job.sweep[i];
      if (arguments.dry_run == "generate") try_point(job, i);
      std::string values = size_of_tasks(job);
      for (std::size_t k = 0; k < point.axes.size(); ++k)
        values += fmt::format(" {}={}", point.axes[k].first, point.shown(k));
      fmt::print("  {}{}\n", point.number, printable(values));
    }
  }
  return fine;
}

/// Measures the computing of the programs. The points replay the measured times. Throws InputError for a job without
/// programs, and MeasureFailure.
void measure(Prepared const& ready, bool quiet) {
  for (Job const& job : ready.jobs) {
    measure_computing(job, in_part(all_points(job), ready.options.part), ready.options.points.options(),
                      [&](std::string const& text) {
                        if (!quiet) say("{}\n", printable(text));
                      });
  }
}

/// Runs the points. Remarks come after the records, where a person sees them. Returns the exit code of the command.
int run(RunArguments const& arguments) try {
  Prepared const ready = prepared(arguments);
  if (arguments.measure) measure(ready, arguments.points.quiet);
  int const exit_code = run_jobs(ready.options, ready.jobs);
  if (!arguments.points.quiet) std::ranges::for_each(ready.jobs, remark_on_all);
  return exit_code;
} catch (MeasureFailure const& failure) {
  say("{}\n", printable(failure.what()));
  return failed_point;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "run every point of the scenarios and print their records");
  command
      ->add_option("FILE", arguments->files,
                   "scenario files, or schedules of other programs: GOAL (*.goal, *.bin), MSCCL XML (*.xml), Chakra "
                   "traces (*.0.et; the traces of the other ranks are read too)")
      ->required();
  command
      ->add_option("--machine", arguments->tasks.machine,
                   "the machine that runs *.goal, *.bin, *.xml and *.0.et: a file")
      ->type_name("FILE");
  command->add_option("--chunk", arguments->tasks.chunk, "the size of a chunk of *.xml, as 64KiB")->type_name("SIZE");
  command->add_option("--promise", arguments->tasks.promise, "the promise of *.goal, *.bin, *.xml and *.0.et: a file")
      ->type_name("FILE");
  command
      ->add_option("--format", arguments->format,
                   "how records are printed; by default the ending of --output FILE decides, or it is a table")
      ->check(one_of({"table", "markdown", "csv", "jsonl"}));
  command
      ->add_option("--columns", arguments->columns,
                   "the fields that a table or CSV shows; rondo list fields names them")
      ->type_name("FIELD,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--pivot", arguments->pivot,
                    "a table with sizes down and algorithms across. It shows time_s, or the field that --columns "
                    "names. A star marks the fastest.");
  command->add_flag("--profile", arguments->points.profile,
                    "for MPI programs: show calls, bytes and time of each collective on each communicator, as a table "
                    "or as `profile` in the records");
  command->add_flag("--measure", arguments->measure,
                    "for MPI programs: measure their computing first, and write it to the file that the scenario names "
                    "in /collective/computing/times");
  add_record_options(*command, arguments->keep);
  command->add_flag("--dry-run{list}", arguments->dry_run,
                    "list the points and run nothing; --dry-run=generate also generates their schedules");
  add_point_options(*command, arguments->points);
  command->callback(
      [arguments, &exit_code] { exit_code = arguments->dry_run.empty() ? run(*arguments) : list(*arguments); });
}

}  // namespace rondo::cli
