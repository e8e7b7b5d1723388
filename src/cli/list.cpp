#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "run/points/fields.hpp"
#include "scenario/describe.hpp"
#include "scenario/scenario.hpp"

namespace rondo::cli {
namespace {

std::string page(std::string const& what) {
  if (what.empty()) return scenario::describe();
  return what == "fields" ? fields_page() : scenario::describe(what);
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto what = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("list", "collectives, algorithms, neighborhoods and topologies with their parameters");
  command->add_option(
      "WHAT", *what,
      "one kind of them, the machine, or fields: what the fields of a record say, and what claims call them");
  command->callback([what, &exit_code] {
    fmt::print("{}", page(*what));
    exit_code = fine;
  });
}

}  // namespace rondo::cli
