#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "process/say.hpp"
#include "run/points/whole_file.hpp"
#include "scenario/starter.hpp"

namespace rondo::cli {
namespace {

struct NewWords {
  std::string kind;
  std::string machine = "fully_connected";
  std::string output;
  bool force = false;
};

/// Writes the file that the new scenario names, beside the scenario. An existing file belongs to the user and stays as
/// it is.
void write_named(NewWords const& words) {
  auto const file = scenario::starter_file(words.kind);
  if (!file) return;
  std::string const path = (std::filesystem::path(words.output).parent_path() / file->first).string();
  if (std::filesystem::exists(path)) {
    say("{}: is there already, and is what the scenario names\n", printable(path));
    return;
  }
  write_whole(path, file->second, false);
  say("{}: an example, which the scenario names\n", printable(path));
}

void write(NewWords const& words) {
  std::string const text = scenario::starter(words.kind, words.machine);
  if (words.output.empty()) {
    fmt::print("{}", text);
  } else {
    expect_writable(words.output, words.force);
    write_whole(words.output, text, words.force);
    write_named(words);
  }
}

}  // namespace

void add_new(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<NewWords>();
  CLI::App* command = app.add_subcommand("new", "write a first scenario of a kind of collective, with comments");
  command->add_option("KIND", words->kind, "the kind of collective; rondo list names the kinds");
  command->add_option("--machine", words->machine, "the topology, which gets 16 hosts; rondo list names the topologies")
      ->type_name("TOPOLOGY")
      ->capture_default_str();
  command->add_option("--output", words->output, "write to this new file, which appears only when it is complete")
      ->type_name("FILE");
  command->add_flag("--force", words->force, "replace an existing output file");
  command->callback([words, &exit_code] {
    write(*words);
    exit_code = fine;
  });
}

}  // namespace rondo::cli
