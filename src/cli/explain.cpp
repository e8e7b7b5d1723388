#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/points/fields.hpp"
#include "run/points/outlook.hpp"
#include "scenario/describe.hpp"

namespace rondo::cli {
namespace {

struct ExplainWords {
  std::string what;
  PointWords points;
};

std::string explained(Field const& field) {
  std::string text = fmt::format("{}: a field of records: {}", field.name, field.meaning);
  if (!field.unit.empty()) text += fmt::format("; {}, in {}", field.type, field.unit);
  if (!field.variable.empty()) text += fmt::format("; in claims .{}", field.variable);
  if (!field.absent.empty()) text += fmt::format("; null {}", field.absent);
  return text + "\n";
}

/// Every field that is called so, by its own name or in claims.
std::string explained_fields(std::string const& name) {
  std::string text;
  for (Field const& field : fields()) {
    if (field.name == name || field.variable == name) text += explained(field);
  }
  return text;
}

std::string explain(ExplainWords const& words) {
  if (::access(words.what.c_str(), F_OK) == 0) {
    return outlook(load_job(words.what, words.points.resolved(), Loading::listed));
  }
  std::string const text = explained_fields(words.what) + scenario::explain_key(words.what);
  if (!text.empty()) return text;
  std::vector<std::string> names = scenario::all_keys();
  for (Field const& field : fields()) names.push_back(field.name);
  throw InputError(
      fmt::format("rondo explain: expected a scenario file, a field of a record or a key of scenarios, got \"{}\"{}",
                  excerpt(words.what), did_you_mean(words.what, names)));
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<ExplainWords>();
  CLI::App* command = app.add_subcommand("explain", "say what a scenario will do, or what a field or a key means");
  command
      ->add_option("WHAT", words->what,
                   "a scenario file, a field of records such as bound.time_s, a key of scenarios such as hop_latency")
      ->required();
  add_overrides(*command, words->points);
  command->callback([words, &exit_code] {
    words->points.permit(PointWords::Start::nothing);
    fmt::print("{}", explain(*words));
    exit_code = fine;
  });
}

}  // namespace rondo::cli
