#include "base/suggest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rondo {
namespace {

/// Insertions, deletions, substitutions and swaps of neighbors that turn one word into the other.
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

}  // namespace

std::string nearest_name(std::string_view word, std::vector<std::string> const& known) {
  constexpr std::size_t longest = 64;
  if (word.empty() || word.size() > longest) return "";
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view meant;
  for (std::string const& name : known) {
    std::size_t const distance = edit_distance(word, name);
    if (distance < best) {
      best = distance;
      meant = name;
    }
  }
  return std::string(meant);
}

std::string did_you_mean(std::string_view word, std::vector<std::string> const& known) {
  std::string const meant = nearest_name(word, known);
  return meant.empty() ? "" : "; did you mean \"" + meant + "\"?";
}

}  // namespace rondo
