#pragma once

// The help of the command line, in lines of a given width, and the error messages for command lines that CLI11
// refuses. Validators say what is accepted.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::cli {

/// The paragraph in lines of at most `width` bytes, with a line end. All lines but the first are indented by `indent`
/// spaces, which count as part of the width. A word that does not fit into a line stays whole and makes its line
/// longer. Spaces between the words of a line are kept.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

/// Help with lines of at most 80 characters, in which the descriptions of options stand below each other. An example
/// stays a single line, so that it can be copied.
class WrappedHelp : public CLI::Formatter {
 public:
  /// Called by CLI11.
  std::string make_help(CLI::App const* app, std::string name, CLI::AppFormatMode mode) const override;
};

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
