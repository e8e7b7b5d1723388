#include "cli/search_words.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "process/say.hpp"
#include "scenario/words.hpp"

namespace rondo::cli {

void add_search_words(CLI::App& command, SearchWords& words, char const* segments_help) {
  command.add_option("--from", words.from, "the smallest block")->type_name("SIZE")->capture_default_str();
  command.add_option("--to", words.to, "the largest block")->type_name("SIZE")->capture_default_str();
  command
      .add_option("--per-doubling", words.per_doubling,
                  "sizes looked at in each doubling; ranges that lie between two of them may be missed")
      ->check(CLI::Range(1, 64))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--segments", words.segments, segments_help)
      ->type_name("SIZE,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->capture_default_str();
}

TuneOptions search_options(SearchWords const& words, PointWords const& points) {
  TuneOptions options;
  options.sizes.from = size_of("--from", words.from);
  options.sizes.to = size_of("--to", words.to);
  options.sizes.per_doubling = words.per_doubling;
  if (options.sizes.from > options.sizes.to) {
    throw InputError(fmt::format("--to: expected at least {}, as --from says, got {}", words.from, words.to));
  }
  options.engine = rondo::value_of<scenario::Engine>(points.engine);
  options.points = points.options();
  options.jobs = points.jobs;
  if (!points.quiet) options.say = [](std::string const& text) { say("{}\n", printable(text)); };
  return options;
}

}  // namespace rondo::cli
