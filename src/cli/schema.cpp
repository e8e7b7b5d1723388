// `rondo schema`: the JSON schema of a format, for editors and validators. The same schema checks scenarios at run
// time.

#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/usage.hpp"
#include "scenario/promise.hpp"
#include "scenario/scenario.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo::cli {
namespace {

scenario::Json schema_of(std::string const& what) {
  if (what == "schedule") return schedule_schema();
  return what == "promise" ? scenario::promise_schema() : scenario::schema_of_files();
}

/// The schema with the name by which editors and validators store it. The number in it is the version of the format.
scenario::Json named_schema(std::string const& what) {
  scenario::Json const schema = schema_of(what);
  scenario::Json named = scenario::Json::object();
  named["$schema"] = schema["$schema"];
  named["$id"] = fmt::format("urn:rondo:{}:1", what);
  for (auto const& [key, value] : schema.items()) named[key] = value;
  return named;
}

}  // namespace

void add_schema(CLI::App& app, int& exit_code) {
  auto what = std::make_shared<std::string>("scenario");
  CLI::App* command = app.add_subcommand("schema", "the JSON schema of scenarios, of schedules or of promises");
  command->add_option("FORMAT", *what, "scenario, schedule or promise")
      ->check(one_of({"scenario", "schedule", "promise"}))
      ->capture_default_str();
  command->callback([what, &exit_code] {
    fmt::print("{}\n", named_schema(*what).dump(2));
    exit_code = fine;
  });
}

}  // namespace rondo::cli
