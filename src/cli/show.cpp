#include "run/output/show.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "base/inputs.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/time_limit.hpp"
#include "cli/usage.hpp"
#include "process/say.hpp"
#include "run/output/show_page.hpp"
#include "run/points/whole_file.hpp"

namespace rondo::cli {
namespace {

struct ShowWords {
  std::string file;
  std::size_t point = 1;
  ShownPart part;
  std::string format = "text";
  std::string output;
  bool force = false;
  PointWords points;
};

int show_point(ShowWords const& words) {
  words.points.permit();
  if (words.format != "text" && (words.part.rank || words.part.round)) {
    throw InputError(fmt::format("--rank and --round: expected --format text, got {}", words.format));
  }
  TimeLimit const limited = point_limit(words.points.options().timeout, words.file);
  note_input(words.file);
  if (!words.output.empty()) expect_writable(words.output, words.force);
  scenario::Scenario const point = chosen_point(words.file, words.point, words.points);
  Shown const shown = words.format == "html" ? show_page(point, words.file) : show(point, words.file, words.part);
  if (words.output.empty()) {
    fmt::print("{}", shown.text);
  } else {
    write_whole(words.output, shown.text, words.force);
  }
  if (!shown.complaint.empty()) say("{}\n", printable(shown.complaint));
  return shown.valid ? fine : failed_point;
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<ShowWords>();
  CLI::App* command = app.add_subcommand("show", "print a schedule round by round, its counts and its proof");
  command->add_option("FILE", words->file, "a scenario file")->required();
  command->add_option("--point", words->point, "the number of the point in the sweep")->capture_default_str();
  command->add_option("--rank", words->part.rank, "print only this rank, with the ranks that do the same")
      ->check(from_to(0, 16777215));
  command->add_option("--round", words->part.round, "print only this round; 0: the copies before the first round")
      ->check(from_to(0, 2147483647));
  command->add_option("--places", words->part.most_places, "how many places of a message are printed at most")
      ->capture_default_str();
  command
      ->add_option("--format", words->format,
                   "text, or html: a page that animates the blocks and shows the simulated run")
      ->check(one_of({"text", "html"}))
      ->capture_default_str();
  command->add_option("--output", words->output, "write to this new file, which appears only when it is complete")
      ->type_name("FILE");
  command->add_flag("--force", words->force, "replace an existing output file");
  command
      ->add_option("--timeout", words->points.timeout,
                   "the real time that the command may take, such as 60s; no limit by default")
      ->type_name("TIME");
  add_overrides(*command, words->points);
  command->callback([words, &exit_code] { exit_code = show_point(*words); });
}

}  // namespace rondo::cli
