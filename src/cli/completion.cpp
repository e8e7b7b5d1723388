// `rondo completion`: scripts that complete commands, options and values in bash, zsh and fish. They offer files
// wherever a file is allowed, otherwise the values that the parser knows.

#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command_descriptions.hpp"
#include "cli/commands.hpp"
#include "cli/usage.hpp"

namespace rondo::cli {
namespace {

bool is_file(OptionDescription const& option) { return option.value == "FILE" || option.name.find("FILE") == 0; }
bool takes_files(CommandDescription const& command) {
  return !command.arguments.empty() && command.arguments[0].choices.empty();
}

std::vector<std::string> names(std::vector<OptionDescription> const& options) {
  std::vector<std::string> result;
  for (OptionDescription const& option : options) result.push_back(option.name);
  return result;
}

/// 'text' for a shell.
std::string quoted(std::string const& text) {
  std::string result = "'";
  for (char const c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

/// The values that can follow each option of a command, and the options and values that can follow its name.
std::string bash_case(CommandDescription const& command) {
  std::string lines;
  for (OptionDescription const& option : command.options) {
    if (option.value.empty()) continue;
    std::string const what = is_file(option)          ? "files=yes"
                             : option.choices.empty() ? "return"
                                                      : fmt::format("words={}", quoted(listed(option.choices, " ")));
    lines += fmt::format("    {}/{}) {} ;;\n", command.name, option.name, what);
  }
  std::vector<std::string> words = names(command.options);
  if (!command.arguments.empty()) {
    words.insert(words.end(), command.arguments[0].choices.begin(), command.arguments[0].choices.end());
  }
  return lines + fmt::format("    {}/*) words={}{} ;;\n", command.name, quoted(listed(words, " ")),
                             takes_files(command) ? " files=yes" : "");
}

/// The script for bash. One `case` on COMMAND/PREVIOUS finds the candidates: after an option its values, otherwise all
/// options of the command.
std::string bash(std::vector<CommandDescription> const& commands) {
  std::string cases, all;
  for (CommandDescription const& command : commands) {
    cases += bash_case(command);
    all += command.name + " ";
  }
  return "# bash completion for rondo, written by `rondo completion bash`.\n"
         "_rondo() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} words= files=no\n"
         "  COMPREPLY=()\n"
         "  case ${COMP_WORDS[1]}/${COMP_WORDS[COMP_CWORD - 1]} in\n" +
         cases +
         "  esac\n"
         "  [ \"$COMP_CWORD\" != 1 ] || { words='" +
         all +
         "--help --version' files=no; }\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\"\n"
         "    case $files$current in yes-*) ;; yes*) compgen -f -- \"$current\" ;; esac)\n"
         "}\n"
         "complete -o filenames -F _rondo rondo\n";
}

/// A text in a form that is safe inside the brackets and between the colons of _arguments.
std::string zsh_text(std::string const& text) {
  std::string result;
  for (char const c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_values(OptionDescription const& option) {
  if (!option.choices.empty()) return fmt::format("({})", listed(option.choices, " "));
  return is_file(option) ? "_files" : " ";
}

/// The script for zsh, in the notation of its function _arguments: '[description]:value:candidates'.
std::string zsh(std::vector<CommandDescription> const& commands) {
  std::string list, cases;
  for (CommandDescription const& command : commands) {
    list += fmt::format("    {}\n", quoted(command.name + ":" + zsh_text(command.description)));
    cases += fmt::format("    {}) _arguments", command.name);
    for (OptionDescription const& option : command.options) {
      std::string const value =
          option.value.empty() ? "" : fmt::format(":{}:{}", zsh_text(option.value), zsh_values(option));
      cases += " \\\n      " + quoted(fmt::format("{}{}[{}]{}", option.repeats ? "*" : "", option.name,
                                                  zsh_text(option.description), value));
    }
    for (OptionDescription const& argument : command.arguments) {
      std::string const values = argument.choices.empty() ? "_files" : zsh_values(argument);
      cases +=
          " \\\n      " + quoted(fmt::format("{}:{}:{}", argument.repeats ? "*" : "", zsh_text(argument.name), values));
    }
    cases += " ;;\n";
  }
  return "#compdef rondo\n"
         "# zsh completion for rondo, written by `rondo completion zsh`.\n"
         "_rondo() {\n"
         "  local -a commands=(\n" +
         list +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $words[1] in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_rondo \"$@\"\n";
}

/// The script for fish: one `complete` line for each option, valid after its command.
std::string fish(std::vector<CommandDescription> const& commands) {
  std::string text =
      "# fish completion for rondo, written by `rondo completion fish`.\n"
      "complete -c rondo -f\n"
      "complete -c rondo -n __fish_use_subcommand -l version -d 'the version'\n"
      "complete -c rondo -n __fish_use_subcommand -l help -d 'help'\n";
  for (CommandDescription const& command : commands) {
    text += fmt::format("complete -c rondo -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        quoted(command.description));
    std::string const behind = fmt::format("complete -c rondo -n '__fish_seen_subcommand_from {}'", command.name);
    for (OptionDescription const& option : command.options) {
      std::string values;
      if (is_file(option))
        values = " -r -F";
      else if (!option.choices.empty())
        values = fmt::format(" -x -a '{}'", listed(option.choices, " "));
      else if (!option.value.empty())
        values = " -x";
      text += fmt::format("{} -l {}{} -d {}\n", behind, option.name.substr(2), values, quoted(option.description));
    }
    for (OptionDescription const& argument : command.arguments) {
      text += argument.choices.empty() ? behind + " -F\n"
                                       : fmt::format("{} -a '{}'\n", behind, listed(argument.choices, " "));
    }
  }
  return text;
}

}  // namespace

std::string completion(CLI::App const& app, std::string const& shell) {
  std::vector<CommandDescription> const commands = commands_of(app);
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  expects(shell == "fish", "a shell");
  return fish(commands);
}

void add_completion(CLI::App& app, int& exit_code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "print completions of rondo's words for a shell");
  command->add_option("SHELL", *shell, "the shell")->required()->check(one_of({"bash", "zsh", "fish"}));
  command->callback([shell, &app, &exit_code] {
    fmt::print("{}", completion(app, *shell));
    exit_code = fine;
  });
}

}  // namespace rondo::cli
