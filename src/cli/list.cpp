// `rondo list`: names of collectives, algorithms, neighborhoods, topologies, keys and fields, from the same tables as
// the schema.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "cli/usage.hpp"
#include "run/points/fields.hpp"
#include "scenario/describe.hpp"
#include "scenario/scenario.hpp"

namespace rondo::cli {
namespace {

std::string page(std::string const& what) {
  if (what.empty()) return scenario::describe();
  return what == "fields" ? fields_page() : scenario::describe(what);
}

/// Breaks lines for a terminal. The text for programs stays as it is.
std::string fitted(std::string const& text) {
  constexpr std::size_t minimum = 40;
  std::size_t const width = terminal_width(STDOUT_FILENO).value_or(0);
  if (width < minimum) return text;
  std::string result;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t const end = std::min(text.find('\n', start), text.size());
    std::string_view const line = std::string_view(text).substr(start, end - start);
    std::size_t const first = line.find_first_not_of(' ');
    result += wrapped(line, (first == std::string_view::npos ? 0 : first) + 4, width);
    start = end + 1;
  }
  return result;
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto what = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("list", "collectives, algorithms, neighborhoods and topologies with their parameters");
  command->add_option("WHAT", *what,
                      "a part of the list (such as topologies or machine), a kind, or fields: the fields of a record, "
                      "with their names in claims");
  command->callback([what, &exit_code] {
    fmt::print("{}", fitted(page(*what)));
    exit_code = fine;
  });
}

}  // namespace rondo::cli
