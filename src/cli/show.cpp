// `rondo show`: prints the schedule of a point round by round, with its counts and its proof, or writes an HTML page
// that animates it.

#include "run/output/show.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/time_limit.hpp"
#include "cli/usage.hpp"
#include "process/say.hpp"
#include "run/output/show_page.hpp"

namespace rondo::cli {
namespace {

struct ShowArguments {
  std::string file;
  std::size_t point = 1;
  ShownPart part;
  std::string format = "text";
  OutputFile output;
  PointArguments point_options;
};

int show_point(ShowArguments const& arguments) {
  arguments.point_options.permit();
  if (arguments.format != "text" && (arguments.part.rank || arguments.part.round)) {
    throw InputError(fmt::format("--rank and --round: expected --format text, got {}", arguments.format));
  }
  TimeLimit const limited = point_limit(arguments.point_options.options().timeout, arguments.file);
  note_input(arguments.file);
  arguments.output.expect_writable();
  scenario::Scenario const point = chosen_point(arguments.file, arguments.point, arguments.point_options);
  Shown const shown =
      arguments.format == "html" ? show_page(point, arguments.file) : show(point, arguments.file, arguments.part);
  arguments.output.write(shown.text);
  if (!shown.complaint.empty()) say("{}\n", printable(shown.complaint));
  return shown.valid ? fine : failed_point;
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command = app.add_subcommand("show", "print a schedule round by round, its counts and its proof");
  command->add_option("FILE", arguments->file, "a scenario file")->required();
  command->add_option("--point", arguments->point, "the number of the point in the sweep")->capture_default_str();
  command
      ->add_option("--rank", arguments->part.rank, "print only the program of this rank, and the ranks that share it")
      ->check(from_to<std::int64_t>(0, Torus::most_ranks - 1));
  command->add_option("--round", arguments->part.round, "print only this round; 0: the copies before the first round")
      ->check(from_to(0, std::numeric_limits<int>::max()));
  command->add_option("--places", arguments->part.most_places, "how many places of a message are printed at most")
      ->capture_default_str();
  command
      ->add_option("--format", arguments->format,
                   "text, or html: a page that animates the blocks and shows the simulated run")
      ->check(one_of({"text", "html"}))
      ->capture_default_str();
  add_output_options(*command, arguments->output);
  command
      ->add_option("--timeout", arguments->point_options.timeout,
                   "the real time that the command may take, such as 60s; no limit by default")
      ->type_name("TIME");
  add_overrides(*command, arguments->point_options);
  command->callback([arguments, &exit_code] { exit_code = show_point(*arguments); });
}

}  // namespace rondo::cli
