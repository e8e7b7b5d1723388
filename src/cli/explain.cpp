// `rondo explain`: describes a scenario or a machine in sentences, with the size and the duration that its run would
// have, or explains a term, a field, a key, a kind or an algorithm.

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/reference_pages.hpp"
#include "run/points/fields.hpp"
#include "run/points/preview.hpp"
#include "scenario/describe.hpp"
#include "scenario/scenario.hpp"

namespace rondo::cli {
namespace {

struct ExplainArguments {
  std::string what;
  PointArguments points;
};

/// A field of records in one line: its meaning, its type and unit, its name in claims, and when it is null.
std::string explained(Field const& field) {
  std::string text = fmt::format("{}: a field of records: {}", field.name, field.meaning);
  if (!field.unit.empty()) text += fmt::format("; {}, in {}", field.type, field.unit);
  if (!field.variable.empty()) text += fmt::format("; in claims ALGORITHM.{}", field.variable);
  if (!field.absent.empty()) text += fmt::format("; null {}", field.absent);
  return text + "\n";
}

/// All fields with this name, either their own or that in claims.
std::string explained_fields(std::string const& name) {
  std::string text;
  for (Field const& field : fields()) {
    if (field.name == name || field.variable == name) text += explained(field);
  }
  return text;
}

/// All meanings of a word: as a term, a field, a key, a kind and an algorithm.
std::string explained_in_all(std::string const& word) {
  std::string algorithm = explained_algorithm(word);
  if (algorithm.empty()) algorithm = scenario::explain_algorithm(word);
  return explained_term(word) + explained_fields(word) + scenario::explain_key(word) + scenario::explain_kind(word) +
         algorithm + explained_smpi_name(word);
}

/// Every name that has an explanation, for "did you mean".
std::vector<std::string> known_words() {
  std::vector<std::string> names = scenario::all_keys();
  for (std::string const& each : scenario::all_kinds()) names.push_back(each);
  for (Field const& field : fields()) names.push_back(field.name);
  for (std::string const& each : names_in_pages()) names.push_back(each);
  return names;
}

/// Whether it can only be the name of a file.
bool is_file_name(std::string const& what) {
  return what.ends_with(".json") || (what.find('/') != std::string::npos && what[0] != '/');
}

std::string explain(ExplainArguments const& arguments) {
  // A file wins over a name: a user who has a file of that name means it.
  if (::access(arguments.what.c_str(), F_OK) == 0) {
    if (scenario::holds_machine(arguments.what)) return describe(scenario::load_machine(arguments.what)) + "\n";
    Job const job = load_job(arguments.what, arguments.points.resolved(), Loading::listed);
    remark_on_all(job);
    return preview(job);
  }
  std::string const text = explained_in_all(arguments.what);
  if (!text.empty()) return text;
  if (is_file_name(arguments.what)) throw InputError(arguments.what + ": no such file");
  throw InputError(fmt::format(
      "rondo explain: expected a scenario or machine file, a field of a record, a key, kind or algorithm of "
      "scenarios, or a term, got \"{}\"{}",
      excerpt(arguments.what), did_you_mean(arguments.what, known_words())));
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = app.add_subcommand("explain", "describe a scenario or a machine in words, or explain a word");
  command
      ->add_option(
          "WHAT", arguments->what,
          "a scenario or machine file, a field of records such as bound.time_s, a key of scenarios such as hop_latency "
          "or "
          "/machine/latency, a collective, a topology, an algorithm, also one of SMPI, or a term such as one-ported")
      ->required();
  add_overrides(*command, arguments->points);
  command->callback([arguments, &exit_code] {
    arguments->points.permit(PointArguments::Start::nothing);
    fmt::print("{}", explain(*arguments));
    exit_code = fine;
  });
}

}  // namespace rondo::cli
