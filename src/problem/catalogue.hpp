#pragma once

// The rows of catalogue.def, which is the catalogue of the algorithms for collectives on all ranks, and the names of
// these algorithms. generate and theory read the same rows for the functions that they name.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <vector>

#include "base/enum_names.hpp"
#include "topology/classical_collective.hpp"

namespace rondo::problem {

/// Options that some algorithms read and others ignore.
enum class ClassicalOption : std::uint8_t { radix, group_size, distances, children, segment, extents };

/// The numbers of ranks that an algorithm accepts. `groups` stands for multiples of the problem's group_size, `few` for
/// at most most_forest_ranks.
enum class KnownRanks : std::uint8_t { any, two, even, powers_of_two, groups, few };

/// How a vector is cut: in segments of the stated size (whole, if none is stated); in a part for each rank, or for each
/// rank up to the largest power of two; in parts and these in segments; in halves and these in segments; in the pieces
/// that trees on the machine carry.
enum class VectorCut : std::uint8_t { segments, parts, core_parts, segmented_parts, halves, trees };

/// A set of values of an enumeration with fewer than 32.
template <typename Enum>
class Set {
 public:
  constexpr Set(std::initializer_list<Enum> values) {
    for (Enum const value : values) bits_ |= bit(value);
  }
  constexpr bool contains(Enum value) const { return (bits_ & bit(value)) != 0; }

 private:
  static constexpr std::uint32_t bit(Enum value) { return std::uint32_t{1} << static_cast<unsigned>(value); }
  std::uint32_t bits_ = 0;
};

/// What a row says of an algorithm for a collective, besides its functions in generate and theory.
struct ClassicalRow {
  ClassicalCollective collective;
  std::string_view word;
  Set<ClassicalOption> options = {};
  KnownRanks ranks = KnownRanks::any;
  int radix = 2;  ///< where the problem states none; 0: one less than there are ranks
  VectorCut cut = VectorCut::segments;
};

inline constexpr auto classical_catalogue = [] {
  using enum ClassicalOption;
  using enum KnownRanks;
  using enum VectorCut;
  return std::array{
#define ALGORITHM(collective, word, generator, counts, ...) \
  ClassicalRow{ClassicalCollective::collective, #word __VA_OPT__(, ) __VA_ARGS__},
#include "problem/catalogue.def"
#undef ALGORITHM
  };
}();

/// An algorithm, by its name. The compiler checks names that stand in code.
class ClassicalAlgorithm {
 public:
  constexpr ClassicalAlgorithm() = default;
  template <std::size_t n>
  consteval ClassicalAlgorithm(char const (&word)[n]) : ClassicalAlgorithm(std::string_view(word)) {}
  constexpr explicit ClassicalAlgorithm(std::string_view word) {
    auto const row = std::ranges::find(classical_catalogue, word, &ClassicalRow::word);
    if (row == classical_catalogue.end()) throw std::invalid_argument("a word of the catalogue");
    word_ = row->word;
  }

  constexpr std::string_view word() const { return word_; }
  friend constexpr auto operator<=>(ClassicalAlgorithm, ClassicalAlgorithm) = default;

 private:
  std::string_view word_ = "linear";
};

/// The row of an algorithm for a collective; null if the algorithm is not for this collective.
constexpr ClassicalRow const* row_of(ClassicalCollective collective, ClassicalAlgorithm algorithm) {
  for (ClassicalRow const& row : classical_catalogue) {
    if (row.collective == collective && row.word == algorithm.word()) return &row;
  }
  return nullptr;
}

/// The algorithms of a collective, in the order in which they are listed.
std::vector<ClassicalAlgorithm> classical_algorithms(ClassicalCollective collective);

/// Whether a row is the first one of its algorithm.
constexpr bool introduces_name(ClassicalRow const& row) {
  return std::ranges::find(classical_catalogue, row.word, &ClassicalRow::word) == &row;
}

}  // namespace rondo::problem

namespace rondo {

template <>
inline constexpr auto enum_names<problem::ClassicalAlgorithm> = [] {
  constexpr auto count = std::ranges::count_if(problem::classical_catalogue, problem::introduces_name);
  std::array<NamedValue<problem::ClassicalAlgorithm>, count> result;
  auto next = result.begin();
  for (problem::ClassicalRow const& row : problem::classical_catalogue) {
    if (problem::introduces_name(row)) *next++ = {problem::ClassicalAlgorithm(row.word), row.word};
  }
  return result;
}();

}  // namespace rondo
