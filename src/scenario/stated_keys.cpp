// Finds keys of a file that have no effect at its points (effects.hpp), and makes errors and remarks of them.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "scenario/effects.hpp"
#include "scenario/task_files.hpp"

namespace rondo::scenario {
namespace {

bool is_within(std::string_view pointer, std::string_view whole) {
  return pointer == whole || (pointer.starts_with(whole) && pointer[whole.size()] == '/');
}

}  // namespace

std::string remark_on_machine(std::string const& file, Platform const& machine) {
  Json wrapped;
  wrapped["machine"] = load_json(file);
  Scenario const machine_only{
      .title = {}, .source = {}, .machine = machine, .problem = problem::Custom{}, .block = {}, .expanded = {}};
  std::vector<std::string> idle;
  for (ConditionalKey const& key : conditional_keys()) {
    if (!key.by_timing || find(wrapped, key.tokens) == nullptr || key.has_effect(machine_only)) continue;
    idle.push_back(
        fmt::format("{} (only {})", key.pointer.substr(std::string_view("/machine").size()), key.only(machine_only)));
  }
  return idle.empty() ? "" : fmt::format("{}: without effect: {}", file, listed(idle, ", "));
}

bool has_idle_key(Point const& point, Scenario const& scenario) {
  return std::ranges::any_of(conditional_keys(), [&](ConditionalKey const& key) {
    return find(point.expanded, key.tokens) != nullptr && !key.has_effect(scenario);
  });
}

/// In a machine that is the name of a file, a key belongs to the scenario only if it is swept or set.
bool StatedKeys::is_named(std::string const& pointer, Point const& point) const {
  if (!is_within(pointer, "/machine")) return false;
  bool named = from_.named_machine;
  for (auto const& [swept, value] : point.axes) {
    if (swept == "/machine") named = value.is_string();
    if (swept != "/machine" && is_within(pointer, swept)) return false;
  }
  auto const is_set = [&](std::string const& set) { return set != "/machine" && is_within(pointer, set); };
  return named && std::ranges::none_of(from_.set, is_set);
}

void StatedKeys::note(Point const& point, std::span<Scenario const> parsed) {
  std::string idle;  // an object without effect, in which nothing has one
  for (ConditionalKey const& key : conditional_keys()) {
    Json const* const value = find(point.expanded, key.tokens);
    if (value == nullptr || (!idle.empty() && is_within(key.pointer, idle))) continue;
    bool const effect = std::ranges::any_of(parsed, key.has_effect);
    if (!effect) idle = key.pointer;
    bool const named = is_named(key.pointer, point);
    if (named && !key.by_timing) continue;
    auto const [seen, is_new] = uses_.try_emplace(key.pointer);
    if (is_new) seen->second.value = *value;
    ++seen->second.points;
    if (effect) ++seen->second.with_effect;
    if (!effect && seen->second.only.empty()) seen->second.only = key.only(parsed.front());
    bool const was_set = std::ranges::any_of(from_.set, [&](auto const& set) { return is_within(key.pointer, set); });
    if (named || is_within(key.pointer, "/collective/promise") || (from_.changed && !was_set)) seen->second.kept = true;
  }
}

std::vector<std::string> StatedKeys::remarks() const {
  std::vector<std::string> remarks;
  for (ConditionalKey const& key : conditional_keys()) {
    auto const found = uses_.find(key.pointer);
    if (found == uses_.end() || found->second.with_effect == found->second.points) continue;
    auto const& [pointer, seen] = *found;
    if (seen.with_effect == 0 && !seen.kept) {
      throw error_at(
          file_, pointer,
          fmt::format("expected nothing, since it has an effect only {}, got {}", seen.only, shown(seen.value)));
    }
    remarks.push_back(fmt::format("{}: {}: without effect at {} of {}; it has one only {}", file_, pointer,
                                  seen.points - seen.with_effect, counted(seen.points, "point"), seen.only));
  }
  return remarks;
}

}  // namespace rondo::scenario
