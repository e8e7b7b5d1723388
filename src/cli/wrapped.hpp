#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace rondo::cli {

/// The paragraph in lines of at most `width` characters, the later ones indented by so many spaces, with an end of
/// line. A word that is longer stands on a line of its own.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

/// Help whose lines have at most 80 characters; descriptions of options stand below each other. An example is one line,
/// to be copied.
class WrappedHelp : public CLI::Formatter {
 public:
  std::string make_help(CLI::App const* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace rondo::cli
