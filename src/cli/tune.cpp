// `rondo tune`: finds the best algorithm for each range of block sizes, as a table, as JSON, or as the rules file of an
// MPI library or NCCL. Programs without a block size get the best setting of their environment.

#include "run/points/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/run_jobs.hpp"
#include "cli/time_limit.hpp"
#include "cli/usage.hpp"
#include "process/say.hpp"
#include "run/output/decisions.hpp"
#include "run/output/program_decisions.hpp"
#include "run/rules/decide.hpp"
#include "run/rules/selection.hpp"
#include "scenario/enum_names.hpp"

namespace rondo::cli {
namespace {

struct TuneArguments {
  std::vector<std::string> files;
  std::vector<std::string> algorithms;
  SearchArguments search;
  std::string format = "table";
  OutputFile output;
  std::string shard, part;
  PointArguments points;
};

/// The format of librondo_mpi's file; the others are those of other libraries.
constexpr char const* selection_format = "rondo";

/// The problems that --shard or --points choose.
Part part_of(TuneArguments const& arguments) {
  Part part;
  if (!arguments.shard.empty()) part.shard = parse_shard(arguments.shard);
  if (!arguments.part.empty()) part.numbers = parse_points(arguments.part);
  if (!part.is_all() && (arguments.format == selection_format || rondo::value_of<RulesFormat>(arguments.format))) {
    throw InputError(fmt::format("{}: expected --format table or json, which show a part of the problems, got {}",
                                 arguments.shard.empty() ? "--points" : "--shard", arguments.format));
  }
  return part;
}

/// Throws unless the output is a table: --robust and --interval say more about its ranges, and no other output has a
/// place for that.
void expect_tables(TuneArguments const& arguments, std::string const& program = {}) {
  for (auto const& [option, value] :
       {std::pair("--robust", arguments.search.robust), {"--interval", arguments.search.interval}}) {
    if (value.empty()) continue;
    if (!program.empty()) {
      throw InputError(fmt::format("{}: expected no {} for a program without {{block}}, which has no ranges, got {}",
                                   program, option, value));
    }
    if (arguments.format == "table" || arguments.format == "json") continue;
    throw InputError(fmt::format("{}: expected --format table or json beside it, got {}", option, arguments.format));
  }
}

TuneOptions options_of(TuneArguments const& arguments) {
  expect_tables(arguments);
  TuneOptions options = search_options(arguments.search, arguments.points);
  options.algorithms = arguments.algorithms;
  options.part = part_of(arguments);
  options.segments = sizes_of("--segments", arguments.search.segments);  // refused also where nothing has any
  return options;
}

/// The remarks in a rules file about its origin.
std::vector<std::string> notes(std::vector<Job> const& jobs, TuneArguments const& arguments) {
  std::vector<std::string> lines = {fmt::format("written by rondo {}: tune --format {} {}", version(), arguments.format,
                                                listed(arguments.files, " ")),
                                    fmt::format("blocks from {} to {}", arguments.search.from, arguments.search.to)};
  for (Job const& job : jobs) std::ranges::copy(job.remarks.machine, std::back_inserter(lines));
  return lines;
}

/// The text of a rules file for another library, which can choose among its own algorithms only.
std::string rules(std::vector<Job> const& jobs, RulesFormat format, TuneArguments const& arguments,
                  TuneOptions const& options) {
  if (!arguments.algorithms.empty()) {
    throw InputError(fmt::format(
        "expected no --algorithms with --format {}, whose file chooses among the library's own", arguments.format));
  }
  DecideOptions const decide{format, options, sizes_of("--segments", arguments.search.segments)};
  std::vector<std::string> lines = notes(jobs, arguments);
  for (std::string& line : lines) line = printable(line);
  return rules_text(decide_rules(jobs, decide), lines);
}

/// JSON has a list of programs only if there are any.
std::string table(std::vector<Decisions> const& decisions, std::vector<ProgramDecisions> const& programs,
                  std::string const& format) {
  if (format == "json" && programs.empty()) return decisions_json(decisions);
  if (format == "json") {
    auto all = nlohmann::ordered_json::parse(decisions_json(decisions));
    all["programs"] = program_decisions_json(programs);
    return printable_json(all.dump(2)) + "\n";
  }
  std::string const blocks = decisions.empty() ? "" : decisions_table(decisions);
  return blocks + (blocks.empty() || programs.empty() ? "" : "\n") + program_decisions_table(programs);
}

/// Loads the scenarios, searches, writes the output. Exit code 1 if SMPI does not confirm a cut-off.
int tune(TuneArguments const& arguments) {
  arguments.points.permit();
  for (std::string const& file : arguments.files) note_input(file);
  TuneOptions const options = options_of(arguments);
  arguments.output.expect_writable();
  // The search chooses its own engine; the engine that the scenario names need not be able to run the scenario.
  std::vector<Job> const jobs = [&] {
    TimeLimit const limited = loading_limit(options.points.timeout);
    Overrides overrides = arguments.points.overrides;
    overrides.searched = true;
    std::vector<Job> all;
    for (std::string const& file : arguments.files) all.push_back(load_job(file, overrides));
    return all;
  }();
  if (!options.part.numbers.empty()) expect_points(options.part, {jobs.begin(), jobs.end()});
  try {
    std::vector<Decisions> decisions;
    std::vector<ProgramDecisions> programs;
    std::string text;
    if (arguments.format == selection_format) {
      // Selection files name schedules relative to their own folder.
      text = selection_text(jobs, options, std::filesystem::path(arguments.output.path).parent_path().string());
    } else if (auto const format = rondo::value_of<RulesFormat>(arguments.format)) {
      text = rules(jobs, *format, arguments, options);
    } else {
      for (Job const& job : jobs) {
        if (is_fixed_program(job.sweep[0], job.file)) {
          expect_tables(arguments, job.file);
          for (ProgramDecisions& each : tune_programs(job, options)) programs.push_back(std::move(each));
          continue;
        }
        for (Decisions& each : rondo::tune(job, options)) decisions.push_back(std::move(each));
      }
      text = table(decisions, programs, arguments.format);
    }
    arguments.output.write(text);
    for (Job const& job : jobs) {
      if (arguments.points.quiet) continue;
      remark_on_all(job);
    }
    bool const confirmed =
        std::all_of(decisions.begin(), decisions.end(), [](auto const& each) { return each.confirmed(); });
    return confirmed ? fine : claim_fails;
  } catch (TuneFailure const& failure) {
    say("{}\n", printable(failure.what()));
    return failed_point;
  }
}

}  // namespace

void add_tune(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<TuneArguments>();
  CLI::App* command = app.add_subcommand("tune", "find the best algorithm for each range of block sizes");
  command->add_option("FILE", arguments->files, "scenario files, of which machine and collective are used")->required();
  command
      ->add_option("--algorithms", arguments->algorithms,
                   "choose among these; by default among all algorithms of the collective")
      ->type_name("A,B,...")
      ->delimiter(',')
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  add_search_options(*command, arguments->search,
                     "sizes of segments that are tried: for compositions and, with a library's format, for its "
                     "algorithms with segments");
  command
      ->add_option("--by", arguments->search.by,
                   "the statistic of all \"replications\" of a point by which algorithms are compared: the mean, the "
                   "median, the 95th percentile or the worst time")
      ->check(one_of(all_enum_names<Statistic>()))
      ->capture_default_str();
  command
      ->add_option("--robust", arguments->search.robust,
                   "say whether the winner of each range stays within the tolerance of the fastest algorithm if times "
                   "and bandwidths of the machine change by this percentage")
      ->type_name("PERCENT");
  command
      ->add_option("--interval", arguments->search.interval,
                   "say at which sizes the two fastest algorithms cannot be told apart, if times may be off by this "
                   "percentage")
      ->type_name("PERCENT");
  command
      ->add_option("--format", arguments->format,
                   "how decisions are printed: a table, JSON, the selection file of librondo_mpi (rondo), or a rules "
                   "file for Open MPI (ompi, ompi-json), MPICH or NCCL, which contains only their own algorithms")
      ->check(one_of({"table", "json", "rondo", "ompi", "ompi-json", "mpich", "nccl"}))
      ->capture_default_str();
  add_output_options(*command, arguments->output);
  auto* const shard =
      command
          ->add_option("--shard", arguments->shard, "decide every n-th problem of each FILE, beginning with problem i")
          ->type_name("i/n");
  command
      ->add_option("--points", arguments->part, "decide only the problems of these points of one FILE, such as 1,4-6")
      ->type_name("LIST")
      ->excludes(shard);
  add_point_options(*command, arguments->points);
  command->get_option("--engine")
      ->description("search with this engine alone; by default native searches and smpi confirms each cut-off")
      ->check(one_of(all_enum_names<scenario::Engine>()));
  command->callback([arguments, &exit_code] { exit_code = tune(*arguments); });
}

}  // namespace rondo::cli
