// Finds names near a misspelled one: by edit distance first, then by common parts.

#include "base/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <utility>

namespace rondo {
namespace {

/// The number of insertions, deletions, substitutions and swaps of neighbors that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({above[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, above[j + 1] + 1});
      bool const swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

/// A longer list of suggestions would not be read.
constexpr std::size_t most = 3;

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The name at the smallest edit distance, if it is small enough for a typing error; unset otherwise.
std::optional<std::string> misspelt(std::string const& word, std::vector<std::string> const& names) {
  // For a single letter, every other letter would be near.
  std::size_t best = word.size() < 2 ? 1 : std::max<std::size_t>(1, word.size() / 3) + 1;
  std::optional<std::string> meant;
  for (std::string const& name : names) {
    std::size_t const distance = edit_distance(word, lower(name));
    if (distance < best) {
      best = distance;
      meant = name;
    }
  }
  return meant;
}

/// Whether the name begins with the word, or contains it as a whole part between underscores.
bool is_part(std::string const& word, std::string const& name) {
  return name.starts_with(word) || ("_" + name + "_").find("_" + word + "_") != std::string::npos;
}

}  // namespace

std::vector<std::string> near_names(std::string_view word, std::vector<std::string> const& candidates) {
  constexpr std::size_t longest = 64;
  constexpr std::size_t shortest_part = 3;
  if (word.empty() || word.size() > longest) return {};
  std::string const wanted = lower(word);
  if (auto const meant = misspelt(wanted, candidates)) return {*meant};
  std::vector<std::string> names;
  if (word.size() < shortest_part) return names;
  for (std::string const& name : candidates) {
    bool const is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (is_new && names.size() < most && is_part(wanted, lower(name))) names.push_back(name);
  }
  return names;
}

std::string did_you_mean(std::string_view word, std::vector<std::string> const& candidates) {
  return did_you_mean(near_names(word, candidates));
}

std::string did_you_mean(std::vector<std::string> const& names) {
  std::string text;
  std::size_t const count = std::min(names.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    char const* const before = i == 0 ? "; did you mean " : i + 1 == count ? " or " : ", ";
    text += before + ("\"" + names[i] + "\"");
  }
  return text.empty() ? "" : text + "?";
}

}  // namespace rondo
