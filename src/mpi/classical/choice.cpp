#include "mpi/classical/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/listed.hpp"
#include "base/units.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {
namespace {

using problem::ClassicalAlgorithm;

constexpr std::string_view prefix = "rondo_";

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// A word that was said, and where.
struct Said {
  std::string where, value;
  int code = MPI_ERR_ARG;  ///< if it means nothing

  WrongChoice wrong(std::string_view expected) const {
    return {fmt::format("{}: expected {}, got \"{}\"", where, expected, value), code};
  }
};

/// What is said under a key in lower case, by the environment in upper case.
std::optional<Said> said(std::string const& key, Hints const& hints) {
  std::string const variable = upper(key);
  if (char const* const value = std::getenv(variable.c_str()); value != nullptr && *value != '\0') {
    return Said{variable, value};
  }
  auto const found = hints.find(key);
  if (found == hints.end()) return std::nullopt;
  return Said{key, found->second, MPI_ERR_INFO_VALUE};
}

ClassicalAlgorithm algorithm_in(Said const& said, ClassicalCollective collective) {
  std::vector<ClassicalAlgorithm> const known = problem::classical_algorithms(collective);
  auto const named = value_of<ClassicalAlgorithm>(said.value);
  if (named && std::find(known.begin(), known.end(), *named) != known.end()) return *named;
  std::vector<std::string> words;
  for (ClassicalAlgorithm const each : known) words.emplace_back(word_of(each));
  throw said.wrong(fmt::format("one of {}", listed(words, ", ")));
}

int number_in(Said const& said, int least) {
  int number = 0;
  char const* const end = said.value.data() + said.value.size();
  auto const [stop, error] = std::from_chars(said.value.data(), end, number);
  if (error != std::errc() || stop != end || number < least)
    throw said.wrong(fmt::format("a number from {} on", least));
  return number;
}

Bytes size_in(Said const& said) {
  try {
    return parse_bytes(said.value);
  } catch (InputError const&) {
    throw said.wrong("a size such as 8KiB");
  }
}

template <typename Known>
Known word_in(Said const& said) {
  if (auto const named = value_of<Known>(said.value)) return *named;
  throw said.wrong(fmt::format("one of {}", listed(all_words<Known>(), ", ")));
}

}  // namespace

Hints hints_of(MPI_Info info) {
  Hints hints;
  if (info == MPI_INFO_NULL) return hints;
  int keys = 0;
  check(MPI_Info_get_nkeys(info, &keys));
  for (int i = 0; i < keys; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    check(MPI_Info_get_nthkey(info, i, key.data()));
    if (!std::string_view(key.data()).starts_with(prefix)) continue;
    constexpr int longest = 255;
    std::array<char, longest + 1> value{};
    int given = 0;
    check(MPI_Info_get(info, key.data(), longest, value.data(), &given));
    if (given != 0) hints.emplace(key.data(), value.data());
  }
  return hints;
}

std::optional<Choice> choice_of(ClassicalCollective collective, Hints const& hints) {
  std::string const name = std::string(prefix) + std::string(word_of(problem::kind_of(collective)));
  auto const of = [&](char const* what) { return said(name + what, hints); };
  auto const algorithm = of("_algorithm");
  if (!algorithm) return std::nullopt;
  Choice choice;
  choice.algorithm = algorithm_in(*algorithm, collective);
  choice.said = algorithm->where + "=" + algorithm->value;
  if (auto const segment = of("_segment")) choice.segment = size_in(*segment);
  if (auto const radix = of("_radix")) choice.radix = number_in(*radix, 2);
  if (auto const size = of("_group_size")) choice.group_size = number_in(*size, 2);
  if (auto const distances = of("_distances")) choice.distances = word_in<problem::Distances>(*distances);
  if (auto const children = of("_children")) choice.children = word_in<problem::Children>(*children);
  return choice;
}

}  // namespace rondo::mpi
