// Breaks lines of help and of reference pages. A line is broken at the spaces before a word.

#include "cli/wrapped.hpp"

#include <algorithm>

namespace rondo::cli {

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  bool begun = false;  ///< whether the line has a word, which may be followed by a break
  while (!text.empty()) {
    // The word with the spaces before it, which are dropped if the line is broken there.
    auto const letter = std::min(text.find_first_not_of(' '), text.size() - 1);
    auto const end = std::min(text.find(' ', letter), text.size());
    std::string_view word = text.substr(0, end);
    if (begun && column + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
      word.remove_prefix(letter);
    }
    result += word;
    column += word.size();
    begun = true;
    text.remove_prefix(end);
  }
  return result + "\n";
}

std::string WrappedHelp::make_help(CLI::App const* app, std::string name, CLI::AppFormatMode mode) const {
  std::string const whole = CLI::Formatter::make_help(app, std::move(name), mode);
  std::string_view text = whole;
  std::string result;
  while (!text.empty()) {
    auto const end = std::min(text.find('\n'), text.size());
    std::string_view const line = text.substr(0, end);
    // The lines of options begin with two spaces; their descriptions begin at the column width.
    bool const of_option = line.starts_with("  ");
    result +=
        line.starts_with("Example") ? std::string(line) + "\n" : wrapped(line, of_option ? get_column_width() : 2);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace rondo::cli
