#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "run/points/whole_file.hpp"
#include "scenario/starter.hpp"

namespace rondo::cli {
namespace {

struct NewWords {
  std::string kind;
  std::string output;
};

void write(NewWords const& words) {
  std::string const text = scenario::starter(words.kind);
  if (words.output.empty()) {
    fmt::print("{}", text);
  } else {
    expect_writable(words.output, false);
    write_whole(words.output, text, false);
  }
}

}  // namespace

void add_new(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<NewWords>();
  CLI::App* command = app.add_subcommand("new", "write a first scenario of a kind of collective, with comments");
  command->add_option("KIND", words->kind, "the kind of collective; rondo list names them")->required();
  command->add_option("--output", words->output, "write to this new file, which appears whole")->type_name("FILE");
  command->callback([words, &exit_code] {
    write(*words);
    exit_code = fine;
  });
}

}  // namespace rondo::cli
