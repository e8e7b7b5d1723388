// Names, types, defaults and descriptions of all options come from CLI11's parser. The examples stand at the end of
// each command's help and of its section in the manual page. They use files of the repository, or files that an
// earlier example has written, so that all of them run one after the other in a checkout.

#include "cli/command_descriptions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "cli/commands.hpp"

namespace rondo::cli {
namespace {

std::vector<std::string> split(std::string const& text, char separator) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) result.push_back(word);
  return result;
}

/// The values that an option accepts. CLI11 shows a set as "{a,b}" after the type; in Rondo some types are "a|b"
/// themselves.
std::vector<std::string> choices_of(std::string const& type) {
  std::size_t const open = type.find('{');
  std::size_t const close = type.find('}', open);
  if (open != std::string::npos && close != std::string::npos)
    return split(type.substr(open + 1, close - open - 1), ',');
  if (type.find('|') != std::string::npos) return split(type, '|');
  return {};
}

/// The command in a footer "Example: rondo ...".
std::string without_label(std::string const& footer) {
  std::size_t const begin = footer.find("rondo ");
  return begin == std::string::npos ? "" : footer.substr(begin);
}

OptionDescription description_of(CLI::Option const& option) {
  OptionDescription result;
  std::string const type = option.get_type_name();
  result.name = option.get_positional() ? option.get_name(true) : "--" + option.get_lnames().front();
  result.description = option.get_description();
  result.preset = option.get_default_str();
  result.repeats = option.get_items_expected_max() > 1;
  result.choices = choices_of(type);
  if (option.get_type_size() != 0) result.value = result.choices.empty() ? type.substr(0, type.find(':')) : "WORD";
  return result;
}

}  // namespace

std::vector<CommandDescription> commands_of(CLI::App const& app) {
  std::vector<CommandDescription> commands;
  for (CLI::App const* each : app.get_subcommands([](CLI::App const*) { return true; })) {
    CommandDescription command{each->get_name(), each->get_description(), without_label(each->get_footer()), {}, {}};
    for (CLI::Option const* option : each->get_options()) {
      (option->get_positional() ? command.arguments : command.options).push_back(description_of(*option));
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

namespace {

struct Example {
  char const* command;
  char const* line;
};

constexpr std::array examples{
    Example{"run", "rondo run scenarios/quickstart.json --output results.jsonl"},
    Example{"merge", "rondo merge results.jsonl --output merged.jsonl"},
    Example{"report", "rondo report results.jsonl --output report.html"},
    Example{"new", "rondo new allreduce --output allreduce.json"},
    Example{"explain", "rondo explain allreduce.json"},
    Example{"tune", "rondo tune allreduce.json --format ompi --to 4KiB --output rules.conf"},
    Example{"check-rules",
            "rondo check-rules rules.conf --machine platforms/measured/leonardo.json --ranks 16 --to 4KiB"},
    Example{"fit", "rondo fit pingpong.csv --output machine.json"},
    Example{"check", "rondo check scenarios/claims/proposition-1-shapes.json --junit claims.xml"},
    Example{"show", "rondo show scenarios/quickstart.json --point 2 --rank 0"},
    Example{"export", "rondo export scenarios/quickstart.json --format json --output schedule.json"},
    Example{"prove", "rondo prove schedule.json --junit proofs.xml"},
    Example{"optimum",
            "rondo optimum scenarios/claims/proposition-1-aliasing.json --output best.json --proof best.proof"},
    Example{"list", "rondo list allreduce"},
    Example{"schema", "rondo schema scenario >scenario.schema.json"},
    Example{"completion", "rondo completion bash >rondo.bash"},
    Example{"man", "rondo man >rondo.1"},
};

}  // namespace

void add_examples(CLI::App& app) {
  for (Example const& each : examples) {
    app.get_subcommand(each.command)->footer(fmt::format("Example: {}", each.line));
  }
  app.footer("Example: rondo run scenarios/quickstart.json; each command's --help ends with one of its own");
}

}  // namespace rondo::cli
