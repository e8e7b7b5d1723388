#pragma once

// Text and help in lines of a given width.

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

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

}  // namespace rondo::cli
