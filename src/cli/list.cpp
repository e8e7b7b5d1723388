#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "run/points/fields.hpp"
#include "scenario/scenario.hpp"

namespace rondo::cli {

void add_list(CLI::App& app, int& exit_code) {
  auto what = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("list", "collectives, algorithms, neighborhoods and topologies with their parameters");
  command->add_option("WHAT", *what, "fields: what the fields of a record say, and what claims call them")
      ->check(CLI::IsMember({"fields"}));
  command->callback([what, &exit_code] {
    fmt::print("{}", what->empty() ? scenario::describe() : fields_page());
    exit_code = fine;
  });
}

}  // namespace rondo::cli
