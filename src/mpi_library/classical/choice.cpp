// Reads choices from variables of the environment and from infos. A variable wins over an info, because the user runs
// the program and knows the machine. All wrong values are reported with the accepted ones.

#include "mpi_library/classical/choice.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/classical/unused_choices.hpp"

namespace rondo::mpi {
namespace {

using problem::ClassicalAlgorithm;

constexpr std::string_view prefix = "rondo_";

/// The two names of a choice: its key in hints, and its variable in the environment.
struct Name {
  explicit Name(std::string const& key_of_choice) : key(key_of_choice), variable(upper(key_of_choice)) {}
  std::string key, variable;
};

std::string_view in_environment(Name const& name) {
  char const* const value = std::getenv(name.variable.c_str());
  return value == nullptr ? std::string_view() : value;
}

/// The setting of the environment, or else of the hints; unset if neither has one.
std::optional<Setting> find_setting(Name const& name, Hints const& hints) {
  if (auto const value = in_environment(name); !value.empty()) return Setting{name.variable, std::string(value)};
  auto const found = hints.find(name.key);
  if (found == hints.end()) return std::nullopt;
  return Setting{name.key, found->second, MPI_ERR_INFO_VALUE};
}

/// The algorithm of a setting. Throws WrongChoice if the collective does not have it.
ClassicalAlgorithm algorithm_in(Setting const& setting, ClassicalCollective collective) {
  std::vector<ClassicalAlgorithm> const known = problem::classical_algorithms(collective);
  auto const named = value_of<ClassicalAlgorithm>(setting.value);
  if (named && std::find(known.begin(), known.end(), *named) != known.end()) return *named;
  std::vector<std::string> words;
  for (ClassicalAlgorithm const each : known) words.emplace_back(enum_name(each));
  throw setting.wrong(fmt::format("one of {}", listed(words, ", ")));
}

/// The number in a setting. Throws WrongChoice if it is not an integer, or less than `least`.
int number_in(Setting const& setting, int least) {
  int number = 0;
  char const* const end = setting.value.data() + setting.value.size();
  auto const [stop, error] = std::from_chars(setting.value.data(), end, number);
  if (error != std::errc() || stop != end || number < least)
    throw setting.wrong(fmt::format("a number from {} on", least));
  return number;
}

/// The size in a setting. Throws WrongChoice if its value is not a size.
Bytes size_in(Setting const& setting) {
  try {
    return parse_bytes(setting.value);
  } catch (InputError const&) {
    throw setting.wrong("a size such as 8KiB");
  }
}

template <typename Enum>
Enum enum_in(Setting const& setting) {
  if (auto const named = value_of<Enum>(setting.value)) return *named;
  throw setting.wrong(fmt::format("one of {}", listed(all_enum_names<Enum>(), ", ")));
}

/// The algorithms of a level: one for all phases ("binomial"), or one for each named phase
/// ("reduce:binomial,bcast:chain"). Throws WrongChoice.
problem::PhaseAlgorithms phases_in(Setting const& setting) {
  constexpr char const* expected = "an algorithm, or phases with theirs such as reduce:binomial,bcast:chain";
  problem::PhaseAlgorithms result;
  result.place = "/" + setting.where;
  if (setting.value.find(':') == std::string::npos) {
    result.default_algorithm = value_of<ClassicalAlgorithm>(setting.value);
    if (!result.default_algorithm) throw setting.wrong(expected);
    return result;
  }
  for (std::size_t from = 0; from <= setting.value.size();) {
    std::size_t const end = std::min(setting.value.find(',', from), setting.value.size());
    std::string const one = setting.value.substr(from, end - from);
    std::size_t const colon = std::min(one.find(':'), one.size());
    auto const kind = value_of<problem::Kind>(one.substr(0, colon));
    auto const algorithm = value_of<ClassicalAlgorithm>(one.substr(std::min(colon + 1, one.size())));
    if (!kind || !algorithm) throw setting.wrong(expected);
    auto const phase = problem::classical_collective(*kind);
    if (!phase) throw setting.wrong(expected);
    result.exceptions.emplace_back(*phase, *algorithm);
    from = end + 1;
  }
  return result;
}

std::string key_of(ClassicalCollective collective) {
  return std::string(prefix) + std::string(enum_name(problem::kind_of(collective)));
}

constexpr std::string_view options[] = {"_segment",  "_radix", "_group_size", "_distances",
                                        "_children", "_intra", "_inter",      "_lanes"};
constexpr std::string_view schedule_option = "_schedule", algorithm_option = "_algorithm";
constexpr std::string_view selection_key = "rondo_selection";

/// Names of choices, by the end of the key: "_radix".
using Names = std::map<std::string, Name, std::less<>>;
/// The names of a collective's choices. They are made at its first call, because a collective asks for them at each
/// call. They are never destroyed. If smpirun privatizes variables by mmap, the destructors of all ranks would run on
/// the memory of one rank. Programs may also call MPI while statics are destroyed.
Names const& names_of(ClassicalCollective collective) {
  static auto& all = *new std::map<ClassicalCollective, Names>;
  Names& names = all[collective];
  auto const add = [&](std::string_view option) {
    names.emplace(option, Name(key_of(collective) + std::string(option)));
  };
  if (names.empty()) {
    add(schedule_option);
    add(algorithm_option);
    for (std::string_view const option : options) add(option);
  }
  return names;
}

}  // namespace

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string variable_of(ClassicalCollective collective) { return upper(key_of(collective)); }

void use_own_environment() { [[maybe_unused]] char const* const value = std::getenv("RONDO_"); }

bool threads_call_at_once() {
  static bool const yes = [] {
    int level = MPI_THREAD_SINGLE;
    return MPI_Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_MULTIPLE;
  }();
  return yes;
}

Hints hints_of(MPI_Info info) {
  Hints hints;
  if (info == MPI_INFO_NULL) return hints;
  int keys = 0;
  check(MPI_Info_get_nkeys(info, &keys));
  for (int i = 0; i < keys; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    check(MPI_Info_get_nthkey(info, i, key.data()));
    if (!std::string_view(key.data()).starts_with(prefix)) continue;
    constexpr int longest = 1023;
    std::array<char, longest + 1> value{};
    int given = 0;
    check(MPI_Info_get(info, key.data(), longest, value.data(), &given));
    if (given != 0) hints.emplace(key.data(), value.data());
  }
  return hints;
}

WrongChoice Setting::wrong(std::string_view expected) const {
  return {fmt::format("{}: expected {}, got \"{}\"", where, expected, value), code};
}

std::span<std::string_view const> options_of_algorithms() { return options; }

/// Reads the algorithm and its options by a function that finds the setting of an option.
std::optional<Choice> choice_by(ClassicalCollective collective,
                                std::function<std::optional<Setting>(std::string const& option)> const& find) {
  auto const algorithm = find("_algorithm");
  if (!algorithm) return std::nullopt;
  Choice choice;
  choice.algorithm = algorithm_in(*algorithm, collective);
  choice.origin = algorithm->where + "=" + algorithm->value;
  if (auto const segment = find("_segment")) choice.segment = size_in(*segment);
  if (auto const radix = find("_radix")) choice.radix = number_in(*radix, 2);
  if (auto const size = find("_group_size")) choice.group_size = number_in(*size, 2);
  if (auto const distances = find("_distances")) choice.distances = enum_in<problem::Distances>(*distances);
  auto const intra = find("_intra"), inter = find("_inter");
  if (auto const lanes = find("_lanes")) choice.hierarchy.lanes = lanes->value == "all" ? 0 : number_in(*lanes, 1);
  // Both levels are needed; a single one is ignored.
  if (intra && inter) choice.hierarchy.levels = {phases_in(*intra), phases_in(*inter)};
  if (auto const children = find("_children")) choice.children = enum_in<problem::Children>(*children);
  return choice;
}

/// A schedule and an algorithm from the same source contradict each other; otherwise the environment wins.
std::optional<Choice> choice_of(ClassicalCollective collective, Hints const& hints) {
  note_call(collective);
  Names const& names = names_of(collective);
  auto const find = [&](std::string const& what) { return find_setting(names.find(what)->second, hints); };
  auto const schedule = find_setting(names.find(schedule_option)->second, hints);
  auto const algorithm = find_setting(names.find(algorithm_option)->second, hints);
  // A schedule of an info gives way to an algorithm of the environment.
  bool const takes_schedule = schedule && !(algorithm && algorithm->code == MPI_ERR_ARG);
  if (schedule && algorithm && schedule->code == algorithm->code) {
    throw WrongChoice(
        fmt::format("{}: expected no {} beside it, got \"{}\"", schedule->where, algorithm->where, schedule->value),
        schedule->code);
  }
  if (!takes_schedule) return choice_by(collective, find);
  Choice choice;
  choice.schedule = schedule->value;
  choice.where = schedule->where;
  choice.code = schedule->code;
  choice.for_these_ranks = schedule->code == MPI_ERR_INFO_VALUE;
  choice.origin = schedule->where + "=" + schedule->value;
  return choice;
}

std::optional<Setting> selection_file(Hints const& hints) {
  static auto const& name = *new Name(std::string(selection_key));
  return find_setting(name, hints);
}

bool SeenEnvironment::is_the_same() {
#ifdef SMPI_H
  use_own_environment();
#endif
  std::size_t same = 0;
  bool changed = false;
  for (char** each = environ; each != nullptr && *each != nullptr && !changed; ++each) {
    if (!std::string_view(*each).starts_with("RONDO_")) continue;
    changed = same == entries_.size() || entries_[same] != *each;
    if (!changed) ++same;
  }
  if (looked_ && !changed && same == entries_.size()) return true;
  looked_ = true;
  entries_.clear();
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    if (std::string_view(*each).starts_with("RONDO_")) entries_.emplace_back(*each);
  }
  return false;
}

int RecentChoices::look_for_version() {
  if (!environment_.is_the_same()) forget();
  return version_;
}

void RecentChoices::forget() {
  known_.clear();
  ++version_;
}

std::optional<Choice> const& RecentChoices::of(ClassicalCollective collective, Hints const& hints) {
  look_for_version();
  auto const found = known_.find(collective);
  if (found != known_.end()) return found->second;
  return known_.emplace(collective, choice_of(collective, hints)).first->second;
}

}  // namespace rondo::mpi
