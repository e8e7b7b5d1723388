// Table of pages: places of a scenario and commands, each with the page of docs/ that explains it.

#include "cli/pages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <span>
#include <utility>

namespace rondo::cli {
namespace {

/// A place of a scenario, or a command, and its page.
using Page = std::pair<std::string_view, std::string_view>;

/// Longer pointers come before pointers that they begin with.
constexpr Page of_places[] = {
    {"/machine/topology", "scenario-machine.md#topology"},
    {"/machine", "scenario-machine.md#machine"},
    {"/collective", "scenario.md#collective"},
    {"/algorithm", "algorithms.md"},
    {"/expect", "claims.md"},
    {"/sweep", "sweeps.md"},
    {"/block", "scenario.md#keys-of-a-scenario"},
    {"/engine", "scenario.md#keys-of-a-scenario"},
    {"/seed", "scenario.md#keys-of-a-scenario"},
    {"/posting", "scenario.md#keys-of-a-scenario"},
};

constexpr Page of_commands[] = {
    {"check", "ci.md"},     {"prove", "custom.md"}, {"tune", "tuning.md"},   {"check-rules", "decisions.md"},
    {"fit", "measured.md"}, {"merge", "sweeps.md"}, {"report", "sweeps.md"},
};

/// The page of the first entry that the name begins with; empty if there is none.
std::string_view page_of(std::span<Page const> pages, std::string_view word) {
  for (auto const& [name, page] : pages) {
    if (word == name || word.starts_with(std::string(name) + "/")) return page;
  }
  return "";
}

}  // namespace

std::string page_for_people(std::string_view command, std::string_view pointer) {
  if (isatty(STDERR_FILENO) != 1) return "";
  std::string_view page = page_of(of_places, pointer);
  if (page.empty()) page = page_of(of_commands, command);
  return page.empty() ? "" : fmt::format(" (see docs/{})", page);
}

}  // namespace rondo::cli
