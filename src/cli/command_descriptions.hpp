#pragma once

// Describes the commands and their options, as the parser itself knows them. Completions and the manual page are
// made from these descriptions, so they cannot name an option that the program does not have.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rondo::cli {

/// An option, or a positional argument.
struct OptionDescription {
  std::string name;  ///< "--format"; of a positional argument its name in capitals, "FILE"
  std::string description;
  std::string value;                 ///< what follows it, "FILE"; empty: a flag
  std::vector<std::string> choices;  ///< the values that it may have; empty: any
  std::string preset;                ///< its default, as far as help says it
  bool repeats = false;
};

struct CommandDescription {
  std::string name, description;
  std::string example;  ///< a line that runs it
  std::vector<OptionDescription> options;
  std::vector<OptionDescription> arguments;  ///< positional ones, in order
};

/// The commands in the order in which they were added.
std::vector<CommandDescription> commands_of(CLI::App const& app);

/// The completions for "bash", "zsh" or "fish".
std::string completion(CLI::App const& app, std::string const& shell);
/// The manual page rondo(1), in the macros of man(7).
std::string manual_page(CLI::App const& app);

}  // namespace rondo::cli
