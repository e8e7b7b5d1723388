#pragma once

// Error messages for command lines that CLI11 refuses, and validators that say what is accepted.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rondo::cli {

/// Accepts one of these words.
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

/// The error line for a command line that CLI11 has refused, without its line end.
std::string failure_text(CLI::ParseError const& error, CLI::App const& app, std::vector<std::string> const& words);

}  // namespace rondo::cli
