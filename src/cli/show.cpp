#include "run/show.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace rondo::cli {
namespace {

struct ShowWords {
  std::string file;
  std::size_t point = 1;
  std::size_t places = 16;
  PointWords points;
};

int show_point(ShowWords const& words) {
  Shown const shown = show(chosen_point(words.file, words.point, words.points), words.file, words.places);
  fmt::print("{}", shown.text);
  return shown.valid ? fine : failed_point;
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<ShowWords>();
  CLI::App* command = app.add_subcommand("show", "print a schedule round by round, its counts and its proof");
  command->add_option("FILE", words->file, "a scenario file")->required();
  command->add_option("--point", words->point, "which point of the sweep")->capture_default_str();
  command->add_option("--places", words->places, "most places printed of a message")->capture_default_str();
  add_overrides(*command, words->points);
  command->callback([words, &exit_code] { exit_code = show_point(*words); });
}

}  // namespace rondo::cli
