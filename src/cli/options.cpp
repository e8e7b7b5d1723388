// Options that several commands share, and the remarks about an input that several commands print.

#include "cli/options.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/permissions.hpp"
#include "base/printable.hpp"
#include "cli/usage.hpp"
#include "process/say.hpp"

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
  if (timeout.empty()) return options;
  try {
    options.timeout = parse_seconds(timeout);
  } catch (InputError const& error) {
    throw InputError(fmt::format("--timeout: {}", error.what()));
  }
  if (options.timeout <= Seconds(0)) throw InputError("--timeout: expected a time greater than 0s, got " + timeout);
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

Bytes size_of(char const* option, std::string const& text) {
  /// 1 TiB: sizes beyond it are typing errors, and sums of them over all ranks might overflow 64 bits.
  constexpr Bytes largest(std::int64_t{1} << 40);
  Bytes size;
  try {
    size = parse_bytes(text);
  } catch (InputError const& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
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
  say_remarks(job.input_remarks);
  say_remarks(job.machine_remarks);
  say_remarks(job.key_remarks);
}

void remark_on_all(Job const& job) {
  if (!job.distance_remark.empty()) say_remarks({job.distance_remark});
  remark_on_input(job);
}

scenario::Scenario chosen_point(std::string const& file, std::size_t point, PointArguments const& arguments) {
  Job const job = load_job(file, arguments.resolved());
  remark_on_input(job);
  if (point < 1 || point > job.sweep.size()) {
    throw InputError(fmt::format("{}: --point: expected a number from 1 to {}, got {}", file, job.sweep.size(), point));
  }
  return *scenario_at(job, point - 1);
}

}  // namespace rondo::cli
