#pragma once

// Text and help in lines of a given width.

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace rondo::cli {

/// The paragraph in lines of at most `width` characters, with a line end. All lines but the first are indented by so
/// many spaces. A longer word has a line of its own.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

/// Help with lines of at most 80 characters, in which the descriptions of options stand below each other. An example
/// stays a single line, so that it can be copied.
class WrappedHelp : public CLI::Formatter {
 public:
  std::string make_help(CLI::App const* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace rondo::cli
