#pragma once

// What is said of a command line that CLI11 refuses, and validators that say what is accepted.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rondo::cli {

/// Accepts these words.
CLI::Validator one_of(std::vector<std::string> const& words);

/// Accepts numbers from `low` to `high`.
template <typename Number>
CLI::Validator from_to(Number low, Number high) {
  CLI::Range const range(low, high);
  auto const check = [range, low, high](std::string& text) {
    bool const accepted = range(text).empty();
    return accepted ? "" : fmt::format("expected a number from {} to {}, got \"{}\"", low, high, text);
  };
  return CLI::Validator(check, range.get_description());
}

/// The line for what CLI11 refused of the words of a command line, without its end.
std::string said_of(CLI::ParseError const& error, CLI::App const& app, std::vector<std::string> const& words);

}  // namespace rondo::cli
