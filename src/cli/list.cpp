#include <fmt/format.h>

#include "cli/commands.hpp"
#include "scenario/scenario.hpp"

namespace rondo::cli {

void add_list(CLI::App& app, int& exit_code) {
  app.add_subcommand("list", "collectives, algorithms, neighborhoods and topologies with their parameters")
      ->callback([&exit_code] {
        fmt::print("{}", scenario::describe());
        exit_code = fine;
      });
}

}  // namespace rondo::cli
