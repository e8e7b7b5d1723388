// Runs the points that have no record yet, and writes their records, progress, and the report of an interruption.

#include "cli/run_jobs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "process/say.hpp"
#include "run/output/records.hpp"
#include "run/points/atomic_file.hpp"
#include "run/points/results_file.hpp"
#include "run/points/resume.hpp"
#include "run/points/run_job.hpp"

namespace rondo::cli {
namespace {

/// Returns the title of a job's scenario, or the name of its file.
std::string title_of(Job const& job) {
  auto const& expanded = job.sweep[0].expanded;
  return expanded.contains("title") ? expanded["title"].get<std::string>() : job.file;
}

/// Lists the points of all jobs, with the names of their records.
std::vector<PendingPoint> all_due(std::vector<Job> const& jobs) {
  std::vector<PendingPoint> due;
  for (Job const& job : jobs) std::ranges::move(due_points(job), std::back_inserter(due));
  return due;
}

/// The points that are still to be run: those of the shard that have no record yet.
class RemainingPoints {
 public:
  /// Throws InputError for --resume if the output cannot be continued.
  RemainingPoints(RunOptions const& options, std::vector<Job> const& jobs) : options_(options), jobs_(jobs) {
    bool const can_be =
        !options.keep.output.empty() && (options.format == OutputFormat::csv || options.format == OutputFormat::jsonl);
    if (options.keep.resume && !can_be) {
      throw InputError("--resume: expected --output FILE and --format csv or jsonl, which can be continued");
    }
    for (Job const& job : jobs) due_ += left_.emplace_back(in_part(all_points(job), options.part)).size();
  }

  /// Returns the new content of a file that is resumed: the records that are kept. Their points need not be run.
  /// Reports records that are dropped, and appends those without an error to a second file beside it. Throws InputError
  /// if the records belong to another state of the scenarios.
  std::string kept_content(ResultsFile const& file) {
    if (file.rows.empty()) return file.header;
    Resumption const now = resumption(file, all_due(jobs_), {WithError::run_again, options_.points.options().proof});
    expect_same_scenario(file, now);
    if (now.dropped() > 0) report_dropped_records(now, file.header);
    leave_out(now.by_point);
    in_order_ = now.ends_in_order();
    return now.text();
  }
  /// Returns the content of the file with its records in the order of the jobs, including those that failed this time.
  std::string sorted(ResultsFile const& file) const {
    return resumption(file, all_due(jobs_), {WithError::accepted, options_.points.options().proof}).text();
  }
  /// Tells whether all new records belong after the kept ones, so that the file needs no sorting.
  bool in_order() const { return in_order_; }

  /// Returns the points of a job that are to be run, as indices into its sweep.
  std::vector<std::size_t> const& of(std::size_t job) const { return left_[job]; }
  /// Returns how many points of the shard there are.
  std::size_t due() const { return due_; }
  /// Returns how many of them have a record already.
  std::size_t kept() const {
    std::size_t left = 0;
    for (std::vector<std::size_t> const& each : left_) left += each.size();
    return due_ - left;
  }

 private:
  /// Removes the points that have a record. `done` numbers the points of all jobs in sequence.
  void leave_out(std::map<std::size_t, std::string> const& done) {
    std::size_t first = 0;
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      std::erase_if(left_[job], [&](std::size_t point) { return done.contains(first + point); });
      first += jobs_[job].sweep.size();
    }
  }
  /// Throws InputError if no record of the file belongs to a point of the scenarios as they are now. To run all points
  /// again would be a new start. Files with records of other scenarios, or of tasks, are accepted: a file of tasks that
  /// has changed is simply run again. Records of tasks name no collective.
  void expect_same_scenario(ResultsFile const& file, Resumption const& now) const {
    bool const is_of_these = std::ranges::all_of(file.rows, [&](ResultRow const& row) {
      bool const of_tasks = row.facts && row.facts->collective.empty();
      return !of_tasks && std::ranges::any_of(jobs_, [&](Job const& job) { return job.file == row.scenario; });
    });
    if (!is_of_these || now.no_point < file.rows.size()) return;
    throw InputError(
        fmt::format("{}: none of its {} records is of a point of {} as it is now; --force starts anew, and another "
                    "--output keeps both",
                    file.path, file.rows.size(), file.rows.front().scenario));
  }
  /// Says how many records are dropped and why. Those without an error are appended to OUTPUT.left-out.
  void report_dropped_records(Resumption const& now, std::string const& header) const {
    std::string const& output = options_.keep.output;
    std::string where;
    if (!now.dropped_rows.empty()) {
      std::string const beside = output + ".left-out";
      bool const is_there = ::access(beside.c_str(), F_OK) == 0;
      write_atomically(beside, (is_there ? content_of(beside) : header) + now.dropped_rows, true);
      where = fmt::format("; what did not fail is in {}", beside);
    }
    say("{}\n", printable(fmt::format("{}: {}{}", output, what_is_left_out(now), where)));
  }

  RunOptions const& options_;
  std::vector<Job> const& jobs_;
  std::vector<std::vector<std::size_t>> left_;  ///< by job: the points that are to be run
  std::size_t due_ = 0;                         ///< the points of the shard, with or without a record
  bool in_order_ = true;
};

/// Lists the pointers of all sweeps, each once.
std::vector<std::string> swept_by(std::vector<Job> const& jobs) {
  std::vector<std::string> swept;
  for (Job const& job : jobs) {
    for (std::string const& pointer : job.sweep.pointers()) {
      if (std::ranges::find(swept, pointer) == swept.end()) swept.push_back(pointer);
    }
  }
  return swept;
}

/// Prepares the report of an interrupted run: how many points are done, the table of the results so far, and how to
/// continue the run. The table is not made again after each point, because that would be slow for long tables. Making
/// it takes at most about a twentieth of the time.
class RunInterruptReport {
 public:
  RunInterruptReport(std::string output, bool is_table, RemainingPoints const& rest)
      : output_(std::move(output)), is_table_(is_table), due_(rest.due()), kept_(rest.kept()) {
    set_interrupt_report({"", error_text()});
  }

  /// Notes that a point has its record.
  void add_point(RecordWriter const& output) {
    ++kept_;
    if (!is_table_) return set_interrupt_report({"", error_text()});
    auto const begin = Clock::now();
    if (begin < next_) return;
    set_interrupt_report({output.unfinished_table(), error_text()});
    next_ = Clock::now() + 20 * (Clock::now() - begin);
  }
  /// Notes that the table has been written.
  void written() const {
    if (is_table_) set_interrupt_report({"", error_text()});
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string error_text() const {
    std::string const count = fmt::format("\ninterrupted: {} of {} points ", kept_, due_);
    if (is_table_) return count + "done; --output FILE.jsonl keeps each, and --resume then continues\n";
    if (output_.empty()) return count + "written\n";
    return count + printable(fmt::format("kept in {}; the same command with --resume continues", output_)) + "\n";
  }

  std::string output_;  ///< the name of the file; empty: standard output
  bool is_table_;
  std::size_t due_;           ///< all points of the run
  std::size_t kept_;          ///< those with a record
  Clock::time_point next_{};  ///< when the table may be made again
};

/// Runs jobs one after the other. Records are written in the order of the points, although several processes may run
/// them.
class Runner {
 public:
  Runner(RunOptions const& options, std::vector<Job> const& jobs)
      : options_(options), point_options_(options.points.options()), rest_(options, jobs) {
    RecordArguments const& keep = options.keep;
    std::optional<std::string> const path = keep.output.empty() ? std::nullopt : std::optional(keep.output);
    ExistingFile const existing = keep.resume  ? ExistingFile::resumed
                                  : keep.force ? ExistingFile::replaced
                                               : ExistingFile::refused;
    output_ = make_record_writer(options.format, path, existing, options.look, swept_by(jobs));
    if (keep.resume) output_->rewrite([&](ResultsFile const& file) { return rest_.kept_content(file); });
    bool const is_table = options.format == OutputFormat::table || options.format == OutputFormat::markdown;
    interrupt_report_.emplace(keep.output, is_table, rest_);
  }

  /// Runs these points of a job.
  void run(Job const& job, std::vector<std::size_t> const& points) {
    Progress progress(job.file, {job.sweep.size(), points.size()}, options_.part.title(), options_.points.quiet);
    output_->begin(title_of(job));
    std::size_t next = 0;
    // Progress names the point whose result comes next.
    auto const announce = [&] {
      if (next < points.size()) progress.at(job.sweep[points[next++]]);
    };
    announce();
    run_job(job, points, point_options_, options_.points.jobs, [&](PointResult const& result) {
      output_->add(result);
      interrupt_report_->add_point(*output_);
      if (result.record.error) exit_code_ = failed_point;
      announce();
      progress.done(result.record);
    });
    progress.end();
    output_->end();
    interrupt_report_->written();
  }

  /// Runs the rest of the jobs. Returns the exit code.
  int run(std::vector<Job> const& jobs) {
    for (std::size_t i = 0; i < jobs.size(); ++i) run(jobs[i], rest_.of(i));
    if (!rest_.in_order()) output_->rewrite([&](ResultsFile const& file) { return rest_.sorted(file); });
    output_->finish();
    return exit_code_;
  }

 private:
  RunOptions const& options_;
  PointOptions point_options_;
  RemainingPoints rest_;
  std::unique_ptr<RecordWriter> output_;
  std::optional<RunInterruptReport> interrupt_report_;  ///< made once the kept records are known
  int exit_code_ = fine;
};

}  // namespace

Part part_of(RecordArguments const& arguments) {
  if (!arguments.points.empty()) return {.numbers = parse_points(arguments.points)};
  return {.shard = arguments.shard.empty() ? slurm_shard() : parse_shard(arguments.shard)};
}

void expect_points(Part const& part, std::vector<Job> const& jobs) {
  if (part.numbers.empty()) return;
  if (jobs.size() != 1)
    throw InputError(fmt::format("--points: expected one FILE, whose points these are, got {}", jobs.size()));
  Job const& job = jobs.front();
  if (part.numbers.back() <= job.sweep.size()) return;
  throw InputError(fmt::format("{}: --points: expected numbers from 1 to {}, got {}", job.file, job.sweep.size(),
                               part.numbers.back()));
}

std::optional<OutputFormat> format_by_ending(std::string const& output) {
  static std::map<std::string, OutputFormat> const endings{{"", OutputFormat::table},
                                                           {".txt", OutputFormat::table},
                                                           {".md", OutputFormat::markdown},
                                                           {".csv", OutputFormat::csv},
                                                           {".jsonl", OutputFormat::jsonl}};
  auto const found = endings.find(std::filesystem::path(output).extension().string());
  return found == endings.end() ? std::nullopt : std::optional(found->second);
}

void add_record_options(CLI::App& command, RecordArguments& arguments) {
  command.add_option("--output", arguments.output, "write the records to this new file")->type_name("FILE");
  auto* const force = command.add_flag("--force", arguments.force, "overwrite an existing output file");
  command.add_flag("--resume", arguments.resume, "continue an output file: run only the points that it lacks")
      ->excludes(force);
  auto* const shard =
      command
          .add_option("--shard", arguments.shard,
                      "run every n-th point, beginning with point i. In a Slurm job array the task is i by default.")
          ->type_name("i/n");
  command
      .add_option("--points", arguments.points,
                  "run only these points of one FILE, such as 1,4-6; --dry-run shows their numbers")
      ->type_name("LIST")
      ->excludes(shard);
}

int run_jobs(RunOptions const& options, std::vector<Job> const& jobs) { return Runner(options, jobs).run(jobs); }

}  // namespace rondo::cli
