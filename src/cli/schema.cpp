#include <fmt/format.h>

#include "cli/commands.hpp"
#include "scenario/scenario.hpp"

namespace rondo::cli {

void add_schema(CLI::App& app, int& exit_code) {
  app.add_subcommand("schema", "the JSON schema of scenarios")->callback([&exit_code] {
    fmt::print("{}\n", scenario::schema().dump(2));
    exit_code = fine;
  });
}

}  // namespace rondo::cli
