// A line of help is broken at the spaces before a word. Errors of CLI11, the parser of the command line, get the
// form of all other errors: what was expected, what was found, and which option or command may have been meant.

#include "cli/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"

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

namespace {

/// The part of `text` between two others, or up to its end if `behind` is empty. Empty if they do not occur.
std::string between(std::string const& text, std::string const& before, std::string const& behind) {
  std::size_t const found = text.find(before);
  if (found == std::string::npos) return "";
  std::size_t const begin = found + before.size();
  std::size_t const end = behind.empty() ? text.size() : text.find(behind, begin);
  return end == std::string::npos ? "" : text.substr(begin, end - begin);
}

/// The error of CLI11, in Rondo's words if CLI11 does not say what is accepted.
std::string rephrased(CLI::ParseError const& error) {
  std::string const text = error.what();
  if (error.get_name() == "ConversionError") {
    std::string const option = between(text, "Could not convert: ", " = ");
    if (!option.empty()) return fmt::format("{}: expected a number, got \"{}\"", option, between(text, " = ", ""));
  }
  if (error.get_name() == "ArgumentMismatch") {
    std::string const wanted = between(text, ": 1 required ", " missing");
    if (!wanted.empty()) return fmt::format("{}: expected {}, got nothing", text.substr(0, text.find(':')), wanted);
  }
  return text;
}

/// The change of the scenario that an option such as --algorithm ring may have meant; empty for other options.
std::string set_hint(CLI::App const& command, std::string const& option, std::string const& value) {
  static std::map<std::string, std::string> const keys{{"--algorithm", "/algorithm"},
                                                       {"--block", "/block"},
                                                       {"--seed", "/seed"},
                                                       {"--ranks", "/collective/ranks"},
                                                       {"--hosts", "/machine/topology/hosts"},
                                                       {"--latency", "/machine/latency"},
                                                       {"--bandwidth", "/machine/bandwidth"},
                                                       {"--timing", "/machine/timing"}};
  auto const found = keys.find(option);
  if (found == keys.end() || command.get_option_no_throw("--set") == nullptr) return "";
  return did_you_mean({fmt::format("--set {}={}", found->second, excerpt(value, 40))});
}

/// The hint for the first unknown option that resembles an option of the command or a key of the scenario. The hint is
/// empty if no option does.
std::string option_hint(CLI::App const& command, std::vector<std::string> const& words) {
  std::vector<std::string> options;
  for (CLI::Option const* option : command.get_options()) {
    for (std::string const& name : option->get_lnames()) options.push_back("--" + name);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::size_t const equals = words[i].find('=');
    std::string const word = words[i].substr(0, equals);
    if (!word.starts_with('-') || std::ranges::find(options, word) != options.end()) continue;
    if (std::string meant = did_you_mean(word, options); !meant.empty()) return meant;
    std::string const next = i + 1 < words.size() ? words[i + 1] : "VALUE";
    std::string const value = equals == std::string::npos ? next : words[i].substr(equals + 1);
    if (std::string meant = set_hint(command, word, value); !meant.empty()) return meant;
  }
  return "";
}

/// The values that a missing option accepts: ", one of platform|json"; empty if they are not listed.
std::string missing_text(CLI::ParseError const& error, CLI::App const& command) {
  if (error.get_name() != "RequiredError") return "";
  std::string const text = error.what();
  CLI::Option const* const option = command.get_option_no_throw(text.substr(0, text.find(' ')));
  bool const has_words = option != nullptr && option->get_type_name().find('|') != std::string::npos;
  return has_words ? ", one of " + option->get_type_name() : "";
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> const& words) {
  auto const check = [words](std::string& text) {
    bool const accepted = std::ranges::find(words, text) != words.end();
    return accepted ? ""
                    : fmt::format("expected one of {}, got \"{}\"{}", listed(words, ", "), excerpt(text),
                                  did_you_mean(text, words));
  };
  return CLI::Validator(check, fmt::format("{{{}}}", listed(words, ",")));
}

std::string failure_text(CLI::ParseError const& error, CLI::App const& app, std::vector<std::string> const& words) {
  auto const named = app.get_subcommands();
  std::string const command = named.empty() ? "rondo" : "rondo " + named.front()->get_name();
  bool const lacks_command = named.empty() && error.get_name() == "RequiredError";
  CLI::App const& of = named.empty() ? app : *named.front();
  return fmt::format("{}: {}{}{}; see {} --help", command,
                     lacks_command ? "expected a command such as run" : excerpt(rephrased(error), 300),
                     missing_text(error, of), option_hint(of, words), command);
}

}  // namespace rondo::cli
