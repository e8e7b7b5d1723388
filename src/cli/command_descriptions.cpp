// Reads names, types, defaults and descriptions of all options from CLI11's parser.

#include "cli/command_descriptions.hpp"

#include <algorithm>
#include <sstream>

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

}  // namespace rondo::cli
