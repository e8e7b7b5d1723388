// `rondo new`: writes a first scenario of a kind, with comments that explain its keys. Kinds that need another file (a
// program, a schedule, an edge list) get an example of it.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "process/say.hpp"
#include "run/points/atomic_file.hpp"
#include "scenario/starter.hpp"

namespace rondo::cli {
namespace {

struct NewArguments {
  std::string kind;
  std::string machine = "fully_connected";
  std::string output;
  bool force = false;
};

/// Writes the file that the new scenario names, beside the scenario. An existing file belongs to the user and stays as
/// it is.
void write_named(NewArguments const& arguments) {
  auto const file = scenario::starter_file(arguments.kind);
  if (!file) return;
  std::string const path = (std::filesystem::path(arguments.output).parent_path() / file->first).string();
  if (std::filesystem::exists(path)) {
    say("{}: is there already, and is what the scenario names\n", printable(path));
    return;
  }
  write_atomically(path, file->second, false);
  say("{}: an example, which the scenario names\n", printable(path));
}

void write(NewArguments const& arguments) {
  std::string const text = scenario::starter(arguments.kind, arguments.machine);
  if (arguments.output.empty()) {
    fmt::print("{}", text);
  } else {
    expect_writable(arguments.output, arguments.force);
    write_atomically(arguments.output, text, arguments.force);
    write_named(arguments);
  }
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
  command->add_option("--output", arguments->output, "write to this new file, which appears only when it is complete")
      ->type_name("FILE");
  command->add_flag("--force", arguments->force, "replace an existing output file");
  command->callback([arguments, &exit_code] {
    write(*arguments);
    exit_code = fine;
  });
}

}  // namespace rondo::cli
