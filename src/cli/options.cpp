// Options that several commands share, and the remarks about an input that several commands print.
//
// The options of a search and their conversion into the options of run/points/tune.hpp.

#include "cli/options.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/permissions.hpp"
#include "base/printable.hpp"
#include "base/units.hpp"
#include "cli/usage.hpp"
#include "process/say.hpp"
#include "run/output/records.hpp"
#include "run/points/atomic_file.hpp"
#include "scenario/enum_names.hpp"

namespace rondo::cli {

void PointArguments::permit(Start start) const {
  using Programs = Permissions::Programs;
  Programs const allowed = programs ? Programs::started : Programs::refused;
  rondo::permit({start == Start::nothing ? Programs::listed : allowed, folders, options().timeout});
}

PointOptions PointArguments::options() const {
  PointOptions options;
  options.profile = profile;
  if (!verify.empty()) options.proof = verify == "on" ? Proof::on : Proof::off;
  options.timeout = timeout_of(timeout);
  return options;
}

Overrides PointArguments::resolved() const {
  Overrides result = overrides;
  if (!engine.empty()) result.engine = engine;
  return result;
}

namespace {

/// For CLI11: empty if the path is a folder, otherwise the error.
std::string is_folder(std::string const& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored)
             ? ""
             : fmt::format("expected a folder, got \"{}\": no such folder", excerpt(path));
}

}  // namespace

void add_overrides(CLI::App& command, PointArguments& arguments) {
  command
      .add_option("--set", arguments.overrides.sets,
                  "change the scenario: a JSON pointer and a value, such as /block=64B")
      ->type_name("/POINTER=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command.add_option("--engine", arguments.engine, "simulate with this engine instead of the scenario's")
      ->type_name("native|smpi");
  command
      .add_flag("--allow-programs", arguments.programs,
                "compile and run the programs that scenarios name; they run with all your rights")
      ->envname("RONDO_ALLOW_PROGRAMS");
  command.add_option("--allow-path", arguments.folders, "scenarios may also name files below this folder")
      ->type_name("DIR")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->check(CLI::Validator(is_folder, ""));
}

void add_point_options(CLI::App& command, PointArguments& arguments) {
  add_overrides(command, arguments);
  command
      .add_option("--verify", arguments.verify,
                  "prove each schedule before it is simulated; by default up to 10^8 block moves")
      ->check(one_of({"on", "off"}));
  command
      .add_option("--timeout", arguments.timeout,
                  "the real time that a point may take, from its generation to its record, such as 60s. It also limits "
                  "the compiler of a program. No limit by default.")
      ->type_name("TIME");
  command.add_option("--jobs", arguments.jobs, "how many points are simulated at the same time")
      ->check(from_to(1, 1024))
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--quiet", arguments.quiet, "no progress on standard error");
}

void OutputFile::expect_writable() const {
  if (!path.empty()) rondo::expect_writable(path, force);
}

void OutputFile::write(std::string_view text) const {
  if (path.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(path, text, force);
  }
}

CLI::Option* add_output_options(CLI::App& command, OutputFile& output, std::string const& help) {
  CLI::Option* const option = command.add_option("--output", output.path, help)->type_name("FILE");
  command.add_flag("--force", output.force, "replace an existing output file");
  return option;
}

Seconds timeout_of(std::string const& text) {
  if (text.empty()) return Seconds(0);
  Seconds const timeout = at_place("--timeout", [&] { return parse_seconds(text); });
  if (timeout <= Seconds(0)) throw InputError("--timeout: expected a time greater than 0s, got " + text);
  return timeout;
}

Bytes size_of(char const* option, std::string const& text) {
  /// 1 TiB: sizes beyond it are typing errors, and sums of them over all ranks might overflow 64 bits.
  constexpr Bytes largest(std::int64_t{1} << 40);
  Bytes const size = at_place(option, [&] { return parse_bytes(text); });
  if (size < Bytes(1) || size > largest) {
    throw InputError(fmt::format("{}: expected a size from 1B to 1TiB, got {}", option, excerpt(text)));
  }
  return size;
}

std::vector<Bytes> sizes_of(char const* option, std::vector<std::string> const& texts) {
  std::vector<Bytes> sizes;
  for (std::string const& text : texts) sizes.push_back(size_of(option, text));
  return sizes;
}

void say_remarks(std::vector<std::string> const& remarks) {
  for (std::string const& remark : remarks) say("{}\n", printable(remark));
}

void remark_on_input(Job const& job) {
  say_remarks(job.remarks.inputs);
  say_remarks(job.remarks.machine);
  say_remarks(job.remarks.keys);
}

void remark_on_all(Job const& job) {
  say_remarks(job.remarks.distance);
  remark_on_input(job);
}

scenario::Scenario chosen_point(std::string const& file, std::size_t point, PointArguments const& arguments) {
  Job const job = load_job(file, arguments.resolved());
  remark_on_input(job);
  if (point < 1 || point > job.sweep.size()) {
    throw InputError(fmt::format("{}: --point: expected a number from 1 to {}, got {}", file, job.sweep.size(), point));
  }
  return point_at(job, point - 1)->scenario;
}

void add_search_options(CLI::App& command, SearchArguments& arguments, char const* segments_help) {
  command.add_option("--from", arguments.from, "the smallest block")->type_name("SIZE")->capture_default_str();
  command.add_option("--to", arguments.to, "the largest block")->type_name("SIZE")->capture_default_str();
  command
      .add_option("--per-doubling", arguments.per_doubling,
                  "how many sizes are tried in each doubling. Ranges between two of them may be missed.")
      ->check(from_to(1, 64))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--tolerance", arguments.tolerance,
                  "an algorithm keeps its range until another one is faster by more than this percentage of its time")
      ->type_name("PERCENT")
      ->capture_default_str();
  command.add_option("--segments", arguments.segments, segments_help)
      ->type_name("SIZE,...")
      ->delimiter(',')
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->capture_default_str();
  command
      .add_option("--records", arguments.records,
                  "keep each record in this file of JSON lines; records that it has already are not simulated again")
      ->type_name("FILE");
}

namespace {

/// A percentage as a part of 1. Throws InputError with the name of the option.
double percent_of(char const* option, std::string const& text) {
  return at_place(option, [&] { return parse_percent(text); });
}

/// The report of an interrupted search: how far it came, and how to continue it.
std::string interrupt_text(std::size_t done, std::size_t of, std::string const& records) {
  std::string const count = fmt::format("\ninterrupted: {} of {} simulations ", done, of);
  if (records.empty()) return count + "done; --records FILE.jsonl keeps each, and the same command then continues\n";
  return count + printable(fmt::format("done, kept in {}; the same command continues", records)) + "\n";
}

/// Reports every few seconds how many of the due simulations are done, unless it has to be quiet.
std::function<void(std::size_t, std::size_t)> search_progress(std::string const& records, bool quiet) {
  using Clock = std::chrono::steady_clock;
  return [records, quiet, reported = Clock::now()](std::size_t done, std::size_t of) mutable {
    set_interrupt_report({"", interrupt_text(done, of, records)});
    if (quiet || Clock::now() - reported < std::chrono::seconds(5) || done == of) return;
    reported = Clock::now();
    say("{} of {} simulations\n", done, of);
  };
}

/// The observer of a search: it reports progress, and with --records it stores each result and finds stored ones.
SearchWatch search_watch(SearchArguments const& arguments, bool quiet) {
  SearchWatch watch;
  watch.progress = search_progress(arguments.records, quiet);
  if (arguments.records.empty()) return watch;
  auto const kept = std::make_shared<StoredRecords>(arguments.records);
  watch.known = [kept](std::string const& key, Proof proof) { return kept->find(key, proof); };
  watch.simulated = [kept](PointResult const& result) { kept->add(result); };
  return watch;
}

/// A number above 0 and below 1; unset if the option is absent.
std::optional<double> part_within(char const* option, std::string const& text) {
  if (text.empty()) return std::nullopt;
  double const part = percent_of(option, text);
  if (part == 0 || part == 1) {
    throw InputError(fmt::format("{}: expected a percentage above 0% and below 100%, got {}", option, text));
  }
  return part;
}

}  // namespace

TuneOptions search_options(SearchArguments const& arguments, PointArguments const& points) {
  TuneOptions options;
  options.sizes.from = size_of("--from", arguments.from);
  options.sizes.to = size_of("--to", arguments.to);
  options.sizes.per_doubling = arguments.per_doubling;
  options.sizes.tolerance = percent_of("--tolerance", arguments.tolerance);
  options.robust = part_within("--robust", arguments.robust);
  options.interval = part_within("--interval", arguments.interval);
  if (options.sizes.from > options.sizes.to) {
    throw InputError(fmt::format("--to: expected at least {}, as --from says, got {}", arguments.from, arguments.to));
  }
  options.engine = rondo::value_of<scenario::Engine>(points.engine);
  options.points = points.options();
  options.points.by = known_value<Statistic>(arguments.by);
  options.jobs = points.jobs;
  if (!points.quiet) options.say = [](std::string const& text) { say("{}\n", printable(text)); };
  options.watch = search_watch(arguments, points.quiet);
  return options;
}

}  // namespace rondo::cli
