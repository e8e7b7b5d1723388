// The options of a search and their conversion into the options of run/points/tune.hpp.

#include "cli/search_arguments.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "base/percent.hpp"
#include "base/printable.hpp"
#include "cli/usage.hpp"
#include "process/interrupt_report.hpp"
#include "process/say.hpp"
#include "run/output/stored_records.hpp"
#include "scenario/enum_names.hpp"

namespace rondo::cli {

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
  try {
    return parse_percent(text);
  } catch (InputError const& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
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
