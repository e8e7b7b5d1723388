#pragma once

// The words of the command line, read from the parser itself. Completions and the manual page are made from them, so
// that they contain nothing that the program does not know.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rondo::cli {

struct OptionWords {
  std::string name;  ///< "--format"; of a positional argument its name in capitals, "FILE"
  std::string description;
  std::string value;                 ///< what follows it, "FILE"; empty: a flag
  std::vector<std::string> choices;  ///< the words that it may be; empty: any
  std::string preset;                ///< its default, as far as help says it
  bool repeats = false;
};

struct CommandWords {
  std::string name, description;
  std::string example;  ///< a line that runs it
  std::vector<OptionWords> options;
  std::vector<OptionWords> arguments;  ///< positional ones, in order
};

/// The commands in the order in which they were added.
std::vector<CommandWords> commands_of(CLI::App const& app);

/// The completions for "bash", "zsh" or "fish".
std::string completion(CLI::App const& app, std::string const& shell);
/// The manual page rondo(1), in the macros of man(7).
std::string manual_page(CLI::App const& app);

}  // namespace rondo::cli
