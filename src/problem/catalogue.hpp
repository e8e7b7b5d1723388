#pragma once

// Makes the rows of catalogue.def a table. They are the catalogue of the algorithms for collectives on all ranks.
// generate and theory include the same rows and take from them the functions that make schedules and count messages.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <vector>

#include "base/enum_names.hpp"
#include "topology/classical_collective.hpp"

namespace rondo::problem {

/// The options of a problem that some algorithms read. An algorithm reads those of its row and ignores the others.
enum class ClassicalOption : std::uint8_t { radix, group_size, distances, children, segment, extents };

/// The numbers of ranks that an algorithm accepts.
enum class KnownRanks : std::uint8_t {
  any,
  two,
  even,
  powers_of_two,
  groups,  ///< multiples of the problem's group_size, which must be stated
  few      ///< at most most_forest_ranks; the problem must also have a network
};

/// How an algorithm cuts a vector.
enum class VectorCut : std::uint8_t {
  segments,         ///< in segments of the stated size; the vector stays whole if none is stated
  parts,            ///< in a part for each rank
  core_parts,       ///< in as many parts as the largest power of two that is not above the number of ranks
  segmented_parts,  ///< in a part for each rank, and each part in segments
  halves,           ///< in two halves, and each half in segments
  trees             ///< in the pieces that trees on the machine carry (generate/classical_forest.hpp)
};

/// A set of values of an enumeration that has at most 32 values.
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

/// The facts in a row about an algorithm for a collective, except its functions in generate and theory.
struct ClassicalRow {
  ClassicalCollective collective;
  std::string_view word;  ///< the name of the algorithm
  Set<ClassicalOption> options = {};
  KnownRanks ranks = KnownRanks::any;
  int radix = 2;  ///< the radix if the problem states none; 0: the number of ranks minus 1
  VectorCut cut = VectorCut::segments;
};

/// All rows, in the order of catalogue.def. An algorithm has a row for each collective that it carries out.
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

/// An algorithm, identified by its name. The same name may have rows for several collectives. A name in code that the
/// catalogue lacks does not compile. The constructor from a string_view throws std::invalid_argument for such a name.
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

/// Finds the row of an algorithm for a collective; null if the catalogue has none.
constexpr ClassicalRow const* row_of(ClassicalCollective collective, ClassicalAlgorithm algorithm) {
  for (ClassicalRow const& row : classical_catalogue) {
    if (row.collective == collective && row.word == algorithm.word()) return &row;
  }
  return nullptr;
}

/// Lists the algorithms of a collective in the order of their rows.
std::vector<ClassicalAlgorithm> classical_algorithms(ClassicalCollective collective);

/// Tells whether a row is the first one with the name of its algorithm.
constexpr bool introduces_name(ClassicalRow const& row) {
  return std::ranges::find(classical_catalogue, row.word, &ClassicalRow::word) == &row;
}

}  // namespace rondo::problem

namespace rondo {

/// Lists the name of each algorithm once.
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
