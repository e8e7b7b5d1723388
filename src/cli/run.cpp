#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/loading_time.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "process/say.hpp"
#include "run/output/records.hpp"
#include "run/points/results_file.hpp"
#include "run/points/resume.hpp"
#include "run/points/shard.hpp"
#include "run/points/task_job.hpp"
#include "run/points/whole_file.hpp"

namespace rondo::cli {
namespace {

struct RunWords {
  std::vector<std::string> files;
  PointWords points;
  std::string machine;
  std::string chunk, promise;
  std::string format;  ///< empty: what the name of the output says, or a table
  std::vector<std::string> columns;
  std::string output;
  std::string shard;
  bool force = false;
  bool resume = false;
  std::string dry_run;  ///< "list", "generate", or empty: run
};

/// The points of the shard, or all.
std::vector<std::size_t> in_shard(std::vector<std::size_t> const& points, std::optional<Shard> const& shard) {
  return shard ? part_of(points, *shard) : points;
}

void list_points(Job const& job, std::optional<Shard> const& shard, bool generates) {
  std::vector<std::size_t> const points = in_shard(all_points(job), shard);
  fmt::print("{}: {} point{}", printable(job.file), job.sweep.size(), job.sweep.size() == 1 ? "" : "s");
  fmt::print("{}\n", shard ? fmt::format(", shard {}/{}, {} to do", shard->number, shard->of, points.size()) : "");
  for (std::size_t const i : points) {
    scenario::Point const point = job.sweep[i];
    if (generates) try_point(scenario::parse(point, job.file), job.file);
    std::string values;
    for (auto const& [pointer, value] : point.axes) values += fmt::format(" {}={}", pointer, value.dump());
    fmt::print("  {}{}\n", point.number, printable(values));
  }
}

std::string title_of(Job const& job) {
  auto const& expanded = job.sweep[0].expanded;
  return expanded.contains("title") ? expanded["title"].get<std::string>() : job.file;
}

/// What the files hold, in their order: scenarios, and tasks that a machine is to run.
using Work = std::variant<Job, TaskJob>;

TaskJob load_tasks_of(std::string const& file, TaskFormat format, RunWords const& words) {
  if (words.machine.empty())
    throw InputError(fmt::format("{}: expected --machine FILE, the machine that runs it", file));
  if (!words.points.overrides.sets.empty()) {
    throw InputError(fmt::format("{}: --set changes a scenario, and this file holds {}", file, title(format)));
  }
  TaskWords task_words{words.machine, words.points.resolved().engine, std::nullopt, words.promise};
  if (!words.chunk.empty()) {
    try {
      task_words.chunk = parse_bytes(words.chunk);
    } catch (InputError const& error) {
      throw InputError(fmt::format("--chunk: {}", error.what()));
    }
  }
  return load_task_job(file, format, task_words);
}

void refuse_twice(std::vector<std::string> files) {
  std::sort(files.begin(), files.end());
  auto const twice = std::adjacent_find(files.begin(), files.end());
  if (twice != files.end()) throw InputError(fmt::format("{}: expected each file once, it is named twice", *twice));
}

std::vector<Work> load(RunWords const& words) {
  refuse_twice(words.files);
  std::vector<Work> work;
  bool tasks = false;
  for (std::string const& file : words.files) {
    if (auto const format = task_format(file)) {
      tasks = true;
      work.emplace_back(load_tasks_of(file, *format, words));
    } else {
      Loading const loading = words.dry_run == "list" ? Loading::listed : Loading::whole;
      work.emplace_back(load_job(file, words.points.resolved(), loading));
    }
  }
  if (!tasks && !words.machine.empty()) {
    throw InputError(
        "--machine: expected a *.goal, *.bin, *.xml or *.0.et file, which it runs; a scenario names its own machine");
  }
  if (!tasks && !words.promise.empty()) {
    throw InputError("--promise: expected a *.goal, *.bin, *.xml or *.0.et file, which keeps it");
  }
  if (!tasks && !words.chunk.empty()) throw InputError("--chunk: expected a *.xml file, whose chunks are that large");
  return work;
}

void list_points(TaskJob const& job, std::optional<Shard> const& shard, bool /*generates*/) {
  if (in_shard({0}, shard).empty()) return;
  fmt::print("{}: 1 point\n  1 ranks={} tasks={}\n", printable(job.file), job.tasks.graph.tasks.ranks(),
             job.tasks.graph.tasks.tasks.size());
}

/// The points of the work as records name them.
void add_due(std::vector<DuePoint>& due, Job const& job) {
  std::ranges::move(due_points(job), std::back_inserter(due));
}
void add_due(std::vector<DuePoint>& due, TaskJob const& job) {
  due.push_back({job.file, 1, 1, record_key(job.expanded, scenario::to_string(job.engine), version())});
}

std::size_t points_of(Job const& job) { return job.sweep.size(); }
std::size_t points_of(TaskJob const&) { return 1; }

std::vector<DuePoint> all_due(std::vector<Work> const& work) {
  std::vector<DuePoint> due;
  for (Work const& each : work) std::visit([&](auto const& job) { add_due(due, job); }, each);
  return due;
}

std::optional<Shard> shard_of(RunWords const& words) {
  return words.shard.empty() ? slurm_shard() : parse_shard(words.shard);
}

/// How records are printed: as --format says, or the ending of the output's name.
Format format_of(RunWords const& words) {
  static std::map<std::string, Format> const named{
      {"table", Format::table}, {"markdown", Format::markdown}, {"csv", Format::csv}, {"jsonl", Format::jsonl}};
  static std::map<std::string, Format> const endings{
      {".md", Format::markdown}, {".csv", Format::csv}, {".jsonl", Format::jsonl}};
  if (!words.format.empty()) return named.at(words.format);
  auto const found = endings.find(std::filesystem::path(words.output).extension().string());
  return found == endings.end() ? Format::table : found->second;
}

/// What is left to do: what the shard leaves out, and what is recorded already, is not.
class Rest {
 public:
  Rest(RunWords const& words, std::vector<Work> const& work) : words_(words), work_(work), shard_(shard_of(words)) {
    Format const format = format_of(words);
    bool const can_be = !words.output.empty() && (format == Format::csv || format == Format::jsonl);
    if (words.resume && !can_be) {
      throw InputError("--resume: expected --output FILE and --format csv or jsonl, which can be continued");
    }
  }

  /// What the file is from here on; what it loses is said, and what may be of use stays beside it.
  std::string taken_over(ResultsFile const& file) {
    if (file.rows.empty()) return file.header;
    Resumption const now = resumption(file, all_due(work_), {WithError::run_again, words_.points.options().proof});
    if (now.left() > 0) say_left_out(now, file.header);
    is_done_ = now.is_done;
    in_order_ = now.ends_in_order();
    return now.text;
  }
  /// The file in the order of the work, with what failed this time.
  std::string sorted(ResultsFile const& file) const {
    return resumption(file, all_due(work_), {WithError::accepted, words_.points.options().proof}).text;
  }
  /// Whether new records belong between those that were taken over.
  bool in_order() const { return in_order_; }

  /// The points of the next of the work.
  template <typename AnyJob>
  std::vector<std::size_t> of(AnyJob const& job) {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < points_of(job); ++i) rest.push_back(i);
    rest = in_shard(rest, shard_);
    std::size_t const first = std::exchange(passed_, passed_ + points_of(job));
    std::erase_if(rest, [&](std::size_t point) { return first + point < is_done_.size() && is_done_[first + point]; });
    return rest;
  }

  std::string note() const { return shard_ ? fmt::format("shard {}/{}", shard_->number, shard_->of) : ""; }

 private:
  void say_left_out(Resumption const& now, std::string const& header) const {
    std::string where;
    if (!now.left_out.empty()) {
      std::string const beside = words_.output + ".left-out";
      bool const is_there = ::access(beside.c_str(), F_OK) == 0;
      write_whole(beside, (is_there ? content_of(beside) : header) + now.left_out, true);
      where = fmt::format("; what did not fail is in {}", beside);
    }
    say("{}\n", printable(fmt::format("{}: {}{}", words_.output, what_is_left_out(now), where)));
  }

  RunWords const& words_;
  std::vector<Work> const& work_;
  std::optional<Shard> shard_;
  std::vector<bool> is_done_;
  bool in_order_ = true;
  std::size_t passed_ = 0;
};

/// The lines of a terminal, or of 100 characters where none is.
TableLook look_of(RunWords const& words) {
  TableLook look;
  look.columns = words.columns;
  struct winsize size = {};
  if (words.output.empty() && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    look.width = size.ws_col;
  return look;
}

class Runner {
 public:
  Runner(RunWords const& words, Format format, std::vector<Work> const& work)
      : words_(words), options_(words.points.options()), rest_(words, work) {
    std::optional<std::string> const path = words.output.empty() ? std::nullopt : std::optional(words.output);
    Existing const existing = words.resume ? Existing::resumed : words.force ? Existing::replaced : Existing::refused;
    output_ = make_output(format, path, existing, look_of(words));
    if (words.resume) output_->rewrite([&](ResultsFile const& file) { return rest_.taken_over(file); });
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

  void run(TaskJob const& job) {
    bool const is_left = !rest_.of(job).empty();
    Progress progress(job.file, {1, is_left ? 1u : 0u}, rest_.note(), words_.points.quiet);
    output_->begin(job.file);
    if (is_left) add(run_task_job(job, options_));
    progress.end();
    output_->end();
  }

  /// Behind the last of the work: its exit code.
  int finish() {
    if (!rest_.in_order()) output_->rewrite([&](ResultsFile const& file) { return rest_.sorted(file); });
    return exit_code_;
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
  if (!words.dry_run.empty() && words.dry_run != "list" && words.dry_run != "generate") {
    throw InputError(fmt::format("--dry-run: expected nothing or \"generate\", got \"{}\"", excerpt(words.dry_run)));
  }
  expect_columns(words.columns, "--columns");
  words.points.permit(words.dry_run.empty() ? PointWords::Start::all : PointWords::Start::nothing);
  std::vector<Work> const work = [&] {
    LoadingTime const limited(words.points.options().timeout);
    return load(words);
  }();
  if (!words.dry_run.empty()) {
    LoadingTime const limited(words.points.options().timeout);
    bool const generates = words.dry_run == "generate";
    for (Work const& each : work) {
      std::visit([&](auto const& job) { list_points(job, shard_of(words), generates); }, each);
    }
    return fine;
  }
  Runner runner(words, format_of(words), work);
  for (Work const& each : work) std::visit([&](auto const& job) { runner.run(job); }, each);
  return runner.finish();
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<RunWords>();
  CLI::App* command = app.add_subcommand("run", "run every point of the scenarios and print their records");
  command
      ->add_option("FILE", words->files,
                   "scenario files, or schedules of others: GOAL (*.goal, *.bin), MSCCL XML (*.xml), Chakra traces "
                   "(*.0.et, which "
                   "stands for those of all ranks)")
      ->required();
  command
      ->add_option("--machine", words->machine,
                   "a file that holds the machine which runs *.goal, *.bin, *.xml and *.0.et")
      ->type_name("FILE");
  command->add_option("--chunk", words->chunk, "the size of a chunk of *.xml, as 64KiB")->type_name("SIZE");
  command->add_option("--promise", words->promise, "a file with what *.goal, *.bin, *.xml and *.0.et promise")
      ->type_name("FILE");
  command
      ->add_option("--format", words->format,
                   "how records are printed; by default as FILE of --output ends, or a table")
      ->check(CLI::IsMember({"table", "markdown", "csv", "jsonl"}));
  command->add_option("--columns", words->columns, "the fields that a table shows; rondo list fields names them")
      ->type_name("FIELD,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--output", words->output, "write the records to this new file")->type_name("FILE");
  auto* const force = command->add_flag("--force", words->force, "start an existing output file anew");
  command->add_flag("--resume", words->resume, "continue an output file: points that it holds are not run again")
      ->excludes(force);
  command->add_option("--shard", words->shard, "run every n-th point, from the i-th on; in a Slurm job array its task")
      ->type_name("i/n");
  command->add_flag("--dry-run{list}", words->dry_run,
                    "list the points and make nothing of them; --dry-run=generate generates their schedules");
  add_point_words(*command, words->points);
  command->callback([words, &exit_code] { exit_code = run(*words); });
}

}  // namespace rondo::cli
