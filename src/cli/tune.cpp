#include "run/points/tune.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/loading_time.hpp"
#include "cli/options.hpp"
#include "process/say.hpp"
#include "run/output/decisions.hpp"
#include "run/points/whole_file.hpp"
#include "scenario/words.hpp"

namespace rondo::cli {
namespace {

struct TuneWords {
  std::string file;
  std::string from = "1B", to = "1MiB";
  std::vector<std::string> algorithms;
  int per_doubling = 2;
  std::string format = "table";
  std::string output;
  bool force = false;
  PointWords points;
};

Bytes size_of(char const* option, std::string const& text) {
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

TuneOptions options_of(TuneWords const& words) {
  TuneOptions options;
  options.algorithms = words.algorithms;
  options.sizes.from = size_of("--from", words.from);
  options.sizes.to = size_of("--to", words.to);
  options.sizes.per_doubling = words.per_doubling;
  if (options.sizes.from > options.sizes.to) {
    throw InputError(fmt::format("--to: expected at least {}, as --from says, got {}", words.from, words.to));
  }
  options.engine = rondo::value_of<scenario::Engine>(words.points.engine);
  options.points = words.points.options();
  options.jobs = words.points.jobs;
  if (!words.points.quiet) options.say = [](std::string const& text) { say("{}\n", printable(text)); };
  return options;
}

int tune(TuneWords const& words) {
  words.points.permit();
  TuneOptions const options = options_of(words);
  if (!words.output.empty()) expect_writable(words.output, words.force);
  // The engine of the search is chosen there, and need not carry what the scenario says.
  Job const job = [&] {
    LoadingTime const limited(options.points.timeout);
    return load_job(words.file, words.points.overrides);
  }();
  try {
    std::vector<Decisions> const decisions = rondo::tune(job, options);
    std::string const text = words.format == "json" ? decisions_json(decisions) : decisions_table(decisions);
    if (words.output.empty()) {
      fmt::print("{}", text);
    } else {
      write_whole(words.output, text, words.force);
    }
    for (Decisions const& each : decisions) {
      if (!each.confirmed()) return claim_fails;
    }
    return fine;
  } catch (TuneFailure const& failure) {
    say("{}\n", printable(failure.what()));
    return failed_point;
  }
}

}  // namespace

void add_tune(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<TuneWords>();
  CLI::App* command =
      app.add_subcommand("tune", "find the best algorithm for each range of block sizes, cut-offs to the byte");
  command->add_option("FILE", words->file, "a scenario file: its machine and its problem")->required();
  command->add_option("--from", words->from, "the smallest block")->type_name("SIZE")->capture_default_str();
  command->add_option("--to", words->to, "the largest block")->type_name("SIZE")->capture_default_str();
  command->add_option("--algorithms", words->algorithms, "choose among these; by default all that apply to the problem")
      ->type_name("A,B,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  command
      ->add_option("--per-doubling", words->per_doubling,
                   "sizes looked at in each doubling; ranges that lie between two of them may be missed")
      ->check(CLI::Range(1, 64))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--format", words->format, "how decisions are printed")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command->add_option("--output", words->output, "write them to this new file, which appears whole")->type_name("FILE");
  command->add_flag("--force", words->force, "replace an existing output file");
  add_point_words(*command, words->points);
  command->get_option("--engine")
      ->description("search with this engine alone; by default native, each cut-off confirmed by smpi")
      ->check(CLI::IsMember(all_words<scenario::Engine>()));
  command->callback([words, &exit_code] { exit_code = tune(*words); });
}

}  // namespace rondo::cli
