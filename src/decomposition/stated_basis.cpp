// Decomposes by an additive basis that the user states, such as those of [Traeff16, Section 5].

#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "base/error.hpp"
#include "decomposition/additive_basis.hpp"
#include "decomposition/routes.hpp"

namespace rondo {
namespace {

using Sum = std::vector<int>;

/// For each sum, the set of vectors, as bits, that make it: the smallest set, and of several the smallest number.
std::map<Sum, std::uint32_t> sums_of(std::vector<Sum> const& vectors, std::size_t dimensions) {
  std::map<Sum, std::uint32_t> result;
  for (std::uint32_t chosen = 0; chosen < std::uint32_t{1} << vectors.size(); ++chosen) {
    Sum sum(dimensions, 0);
    for (std::size_t u = 0; u < vectors.size(); ++u) {
      for (std::size_t j = 0; (chosen >> u) % 2 == 1 && j < dimensions; ++j) sum[j] += vectors[u][j];
    }
    auto const [entry, first] = result.try_emplace(std::move(sum), chosen);
    if (!first && std::popcount(chosen) < std::popcount(entry->second)) entry->second = chosen;
  }
  return result;
}

/// The members of a subset.
std::vector<int> bits_of(std::uint32_t chosen) {
  std::vector<int> result;
  for (int u = 0; chosen >> u != 0; ++u) {
    if ((chosen >> u) % 2 == 1) result.push_back(u);
  }
  return result;
}

std::string shown(std::span<int const> offset) {
  std::string text;
  for (int const each : offset) text += (text.empty() ? "[" : ",") + std::to_string(each);
  return text + "]";
}

}  // namespace

/// Looks up each offset among the sums of all subsets. Throws InputError if one is no sum.
Decomposition stated_basis(Torus const& torus, Neighborhood const& neighborhood,
                           std::vector<std::vector<int>> const& vectors) {
  expects(vectors.size() <= most_stated_vectors, "as many vectors as there are sums to look through");
  Neighborhood const moving = without_idle_dimensions(torus, neighborhood);
  auto const sums = sums_of(vectors, static_cast<std::size_t>(torus.dimensions()));
  Decomposition result{vectors, {}, false};
  for (int i = 0; i < moving.size(); ++i) {
    auto& uses = result.uses.emplace_back();
    if (torus.is_self(moving[i])) continue;
    auto const found = sums.find(Sum(moving[i].begin(), moving[i].end()));
    if (found == sums.end()) {
      throw InputError("expected vectors of which distinct ones sum up to each offset, got none for " +
                       shown(moving[i]));
    }
    uses = bits_of(found->second);
  }
  return result;
}

}  // namespace rondo
