#include "cli/words.hpp"

#include <algorithm>
#include <sstream>

namespace rondo::cli {
namespace {

std::vector<std::string> split(std::string const& text, char separator) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
  return words;
}

/// The words of a set. CLI11 shows a set as "{a,b}" after the type; in Rondo some types are "a|b" themselves.
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

OptionWords words_of(CLI::Option const& option) {
  OptionWords words;
  std::string const type = option.get_type_name();
  words.name = option.get_positional() ? option.get_name(true) : "--" + option.get_lnames().front();
  words.description = option.get_description();
  words.preset = option.get_default_str();
  words.repeats = option.get_items_expected_max() > 1;
  words.choices = choices_of(type);
  if (option.get_type_size() != 0) words.value = words.choices.empty() ? type.substr(0, type.find(':')) : "WORD";
  return words;
}

}  // namespace

std::vector<CommandWords> commands_of(CLI::App const& app) {
  std::vector<CommandWords> commands;
  for (CLI::App const* each : app.get_subcommands([](CLI::App const*) { return true; })) {
    CommandWords command{each->get_name(), each->get_description(), without_label(each->get_footer()), {}, {}};
    for (CLI::Option const* option : each->get_options()) {
      (option->get_positional() ? command.arguments : command.options).push_back(words_of(*option));
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

}  // namespace rondo::cli
