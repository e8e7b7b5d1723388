#include "cli/run_work.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "process/last_words.hpp"
#include "process/say.hpp"
#include "run/output/records.hpp"
#include "run/points/results_file.hpp"
#include "run/points/resume.hpp"
#include "run/points/whole_file.hpp"

namespace rondo::cli {
namespace {

std::string title_of(Job const& job) {
  auto const& expanded = job.sweep[0].expanded;
  return expanded.contains("title") ? expanded["title"].get<std::string>() : job.file;
}

/// The points of the work as records name them.
void add_due(std::vector<DuePoint>& due, Job const& job) {
  std::ranges::move(due_points(job), std::back_inserter(due));
}
void add_due(std::vector<DuePoint>& due, TaskJob const& job) { due.push_back(due_point(described(job))); }

std::size_t points_of(Job const& job) { return job.sweep.size(); }
std::size_t points_of(TaskJob const&) { return 1; }

std::vector<DuePoint> all_due(std::vector<Work> const& work) {
  std::vector<DuePoint> due;
  for (Work const& each : work) std::visit([&](auto const& job) { add_due(due, job); }, each);
  return due;
}

/// What is left to do: what the shard leaves out, and what is recorded already, is not.
class Rest {
 public:
  Rest(RunOptions const& words, std::vector<Work> const& work)
      : words_(words), work_(work), part_(part_of(words.keep)) {
    expect_points(part_, work);
    bool const can_be = !words.keep.output.empty() && (words.format == Format::csv || words.format == Format::jsonl);
    if (words.keep.resume && !can_be) {
      throw InputError("--resume: expected --output FILE and --format csv or jsonl, which can be continued");
    }
  }

  /// What the file is from here on; what it loses is said, and what may be of use stays beside it.
  std::string taken_over(ResultsFile const& file) {
    if (file.rows.empty()) return file.header;
    Resumption const now = resumption(file, all_due(work_), {WithError::run_again, words_.points.options().proof});
    expect_same_scenario(file, now);
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
    rest = in_part(rest, part_);
    std::size_t const first = std::exchange(passed_, passed_ + points_of(job));
    std::erase_if(rest, [&](std::size_t point) { return first + point < is_done_.size() && is_done_[first + point]; });
    return rest;
  }

  /// The points to be there in the end, and those of them that are not yet.
  struct Counts {
    std::size_t due = 0, left = 0;
  };
  Counts counts() const {
    Counts counts;
    std::size_t first = 0;
    for (Work const& each : work_) {
      std::size_t const all = std::visit([](auto const& job) { return points_of(job); }, each);
      std::vector<std::size_t> points(all);
      std::iota(points.begin(), points.end(), std::size_t{0});
      for (std::size_t const point : in_part(points, part_)) {
        ++counts.due;
        if (first + point >= is_done_.size() || !is_done_[first + point]) ++counts.left;
      }
      first += all;
    }
    return counts;
  }

  std::string note() const { return part_.title(); }

 private:
  /// Throws InputError where all records are of another state of the scenarios: to run all points again is a new start.
  void expect_same_scenario(ResultsFile const& file, Resumption const& now) const {
    bool const is_of_these = std::ranges::all_of(file.rows, [&](ResultRow const& row) {
      return std::ranges::any_of(work_, [&](Work const& each) {
        Job const* const job = std::get_if<Job>(&each);  // tasks in a file that has changed are run again
        return job != nullptr && job->file == row.scenario;
      });
    });
    if (!is_of_these || now.no_point < file.rows.size()) return;
    throw InputError(
        fmt::format("{}: none of its {} records is of a point of {} as it is now; --force starts anew, and another "
                    "--output keeps both",
                    file.path, file.rows.size(), file.rows.front().scenario));
  }
  void say_left_out(Resumption const& now, std::string const& header) const {
    std::string where;
    if (!now.left_out.empty()) {
      std::string const beside = words_.keep.output + ".left-out";
      bool const is_there = ::access(beside.c_str(), F_OK) == 0;
      write_whole(beside, (is_there ? content_of(beside) : header) + now.left_out, true);
      where = fmt::format("; what did not fail is in {}", beside);
    }
    say("{}\n", printable(fmt::format("{}: {}{}", words_.keep.output, what_is_left_out(now), where)));
  }

  RunOptions const& words_;
  std::vector<Work> const& work_;
  Part part_;
  std::vector<bool> is_done_;
  bool in_order_ = true;
  std::size_t passed_ = 0;
};

/// The pointers of all sweeps, each once.
std::vector<std::string> swept_by(std::vector<Work> const& work) {
  std::vector<std::string> swept;
  for (Work const& each : work) {
    auto const* job = std::get_if<Job>(&each);
    if (!job) continue;
    for (std::string const& pointer : job->sweep.pointers()) {
      if (std::ranges::find(swept, pointer) == swept.end()) swept.push_back(pointer);
    }
  }
  return swept;
}

/// Keeps what an interrupted run says: how far it came, and how it goes on. What a table has so far is part of it; it
/// is made anew as often as takes a twentieth of the time.
class Farewell {
 public:
  Farewell(RunOptions const& words, bool is_table, Rest::Counts counts)
      : output_(words.keep.output), is_table_(is_table), due_(counts.due), kept_(counts.due - counts.left) {
    set_last_words({"", said()});
  }

  void another(Output const& output) {
    ++kept_;
    if (!is_table_) return set_last_words({"", said()});
    auto const begin = Clock::now();
    if (begin < next_) return;
    set_last_words({output.so_far(), said()});
    next_ = Clock::now() + 20 * (Clock::now() - begin);
  }
  /// The table has been written.
  void written() const {
    if (is_table_) set_last_words({"", said()});
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string said() const {
    std::string const count = fmt::format("\ninterrupted: {} of {} points ", kept_, due_);
    if (is_table_) return count + "done; --output FILE.jsonl keeps each, and --resume then continues\n";
    if (output_.empty()) return count + "written\n";
    return count + printable(fmt::format("kept in {}; the same command with --resume continues", output_)) + "\n";
  }

  std::string output_;
  bool is_table_;
  std::size_t due_, kept_;
  Clock::time_point next_{};
};

class Runner {
 public:
  Runner(RunOptions const& words, std::vector<Work> const& work)
      : words_(words), options_(words.points.options()), rest_(words, work) {
    KeepWords const& keep = words.keep;
    std::optional<std::string> const path = keep.output.empty() ? std::nullopt : std::optional(keep.output);
    Existing const existing = keep.resume ? Existing::resumed : keep.force ? Existing::replaced : Existing::refused;
    output_ = make_output(words.format, path, existing, words.look, swept_by(work));
    if (keep.resume) output_->rewrite([&](ResultsFile const& file) { return rest_.taken_over(file); });
    bool const is_table = words.format == Format::table || words.format == Format::markdown;
    farewell_.emplace(words, is_table, rest_.counts());
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
      progress.done(result.record);
    });
    progress.end();
    output_->end();
    farewell_->written();
  }

  void run(TaskJob const& job) {
    bool const is_left = !rest_.of(job).empty();
    Progress progress(job.file, {1, is_left ? 1u : 0u}, rest_.note(), words_.points.quiet);
    output_->begin(job.file);
    if (is_left) {
      PointResult const result = run_task_job(job, options_);
      add(result);
      progress.done(result.record);
    }
    progress.end();
    output_->end();
    farewell_->written();
  }

  /// Behind the last of the work: its exit code.
  int finish() {
    if (!rest_.in_order()) output_->rewrite([&](ResultsFile const& file) { return rest_.sorted(file); });
    output_->finish();
    return exit_code_;
  }

 private:
  void add(PointResult const& result) {
    output_->add(result);
    farewell_->another(*output_);
    if (result.record.error) exit_code_ = failed_point;
  }

  RunOptions const& words_;
  PointOptions options_;
  Rest rest_;
  std::unique_ptr<Output> output_;
  std::optional<Farewell> farewell_;
  int exit_code_ = fine;
};

}  // namespace

Part part_of(KeepWords const& words) {
  if (!words.points.empty()) return {.numbers = parse_points(words.points)};
  return {.shard = words.shard.empty() ? slurm_shard() : parse_shard(words.shard)};
}

void expect_points(Part const& part, std::vector<Work> const& work) {
  if (part.numbers.empty()) return;
  if (work.size() != 1)
    throw InputError(fmt::format("--points: expected one FILE, whose points these are, got {}", work.size()));
  std::size_t const all = std::visit([](auto const& job) { return points_of(job); }, work.front());
  std::string const file = std::visit([](auto const& job) { return job.file; }, work.front());
  if (part.numbers.back() <= all) return;
  throw InputError(fmt::format("{}: --points: expected numbers from 1 to {}, got {}", file, all, part.numbers.back()));
}

std::optional<Format> format_by_ending(std::string const& output) {
  static std::map<std::string, Format> const endings{{"", Format::table},
                                                     {".txt", Format::table},
                                                     {".md", Format::markdown},
                                                     {".csv", Format::csv},
                                                     {".jsonl", Format::jsonl}};
  auto const found = endings.find(std::filesystem::path(output).extension().string());
  return found == endings.end() ? std::nullopt : std::optional(found->second);
}

void add_keep_words(CLI::App& command, KeepWords& words) {
  command.add_option("--output", words.output, "write the records to this new file")->type_name("FILE");
  auto* const force = command.add_flag("--force", words.force, "overwrite an existing output file");
  command.add_flag("--resume", words.resume, "continue an output file: run only the points that it lacks")
      ->excludes(force);
  auto* const shard =
      command
          .add_option("--shard", words.shard,
                      "run every n-th point, beginning with point i. In a Slurm job array the task is i by default.")
          ->type_name("i/n");
  command
      .add_option("--points", words.points,
                  "run only these points of one FILE, such as 1,4-6; --dry-run shows their numbers")
      ->type_name("LIST")
      ->excludes(shard);
}

int run_work(RunOptions const& options, std::vector<Work> const& work) {
  Runner runner(options, work);
  for (Work const& each : work) std::visit([&](auto const& job) { runner.run(job); }, each);
  return runner.finish();
}

}  // namespace rondo::cli
