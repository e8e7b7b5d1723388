#include "base/suggest.hpp"

#include <algorithm>
#include <numeric>

namespace rondo {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t const substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, std::vector<std::string> const& known) {
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
  return meant.empty() ? "" : "; did you mean \"" + std::string(meant) + "\"?";
}

}  // namespace rondo
