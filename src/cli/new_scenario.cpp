// `rondo new`: writes a first scenario of a kind, with comments that explain its keys. Kinds that need another file (a
// program, a schedule, an edge list) get an example of it.

#include <filesystem>
#include <memory>
#include <string>

#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "process/say.hpp"
#include "run/points/atomic_file.hpp"
#include "scenario/starter.hpp"

namespace rondo::cli {
namespace {

struct NewArguments {
  std::string kind;
  std::string machine = "fully_connected";
  OutputFile output;
};

/// Writes the file that the new scenario names, beside the scenario. An existing file belongs to the user and stays as
/// it is.
void write_named(NewArguments const& arguments) {
  auto const file = scenario::starter_file(arguments.kind);
  if (!file) return;
  std::string const path = (std::filesystem::path(arguments.output.path).parent_path() / file->first).string();
  if (std::filesystem::exists(path)) {
    say("{}: is there already, and is what the scenario names\n", printable(path));
    return;
  }
  write_atomically(path, file->second, false);
  say("{}: an example, which the scenario names\n", printable(path));
}

void write(NewArguments const& arguments) {
  std::string const text = scenario::starter(arguments.kind, arguments.machine);
  arguments.output.expect_writable();
  arguments.output.write(text);
  if (!arguments.output.path.empty()) write_named(arguments);
}

}  // namespace

void add_new(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<NewArguments>();
  CLI::App* command = app.add_subcommand("new", "write a first scenario of a kind of collective, with comments");
  command->add_option("KIND", arguments->kind, "the kind of collective; rondo list names the kinds");
  command
      ->add_option("--machine", arguments->machine,
                   "the topology, which gets 16 hosts; rondo list names the topologies")
      ->type_name("TOPOLOGY")
      ->capture_default_str();
  add_output_options(*command, arguments->output);
  command->callback([arguments, &exit_code] {
    write(*arguments);
    exit_code = fine;
  });
}

}  // namespace rondo::cli
