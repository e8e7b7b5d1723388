#pragma once

// Error messages for command lines that CLI11 refuses, and validators that say what is accepted.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rondo::cli {

/// Accepts one of these words. Any other word is an error that lists them, with the most similar one.
CLI::Validator one_of(std::vector<std::string> const& words);

/// Accepts numbers from `low` to `high`, both included.
template <typename Number>
CLI::Validator from_to(Number low, Number high) {
  CLI::Range const range(low, high);
  auto const check = [range, low, high](std::string& text) {
    bool const accepted = range(text).empty();
    return accepted ? "" : fmt::format("expected a number from {} to {}, got \"{}\"", low, high, text);
  };
  return CLI::Validator(check, range.get_description());
}

/// The error line, without its line end, for a command line that CLI11 has refused. `words` are the words of the
/// command line after the program's name; they are searched for an option that the command does not know.
std::string failure_text(CLI::ParseError const& error, CLI::App const& app, std::vector<std::string> const& words);

}  // namespace rondo::cli
