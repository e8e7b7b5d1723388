#pragma once

// Which algorithm of SMPI's is which of ours, for the third witness (third_witness.cpp), and where they differ;
// docs/witness.md says why.

#include <cstdint>
#include <vector>

#include "problem/classical.hpp"

namespace rondo::test {

/// Blocks of one size, or of a different one for each rank or pair of ranks, 0 among them: the v variants.
enum class Sizes : std::uint8_t { same, by_rank };

/// The roots from which both send the same.
enum class Roots : std::uint8_t { any, rank_0 };

/// An algorithm of SMPI's beside one of ours, with the parameters that SMPI's code gives it.
struct WitnessRow {
  ClassicalCollective collective;
  char const* theirs;
  problem::ClassicalAlgorithm ours;
  std::vector<std::int64_t> bytes;  ///< for each rank: of a block, or of each of p parts of a vector
  std::int64_t (*segment)(int ranks, std::int64_t vector) = nullptr;
  int (*radix)(int ranks) = nullptr;
  bool (*ranks)(int p) = nullptr;  ///< that both take; null: any
  Sizes sizes = Sizes::same;
  Roots roots = Roots::any;
};

/// Those that send the same messages.
std::vector<WitnessRow> const& equal_rows();

/// Those that do not, and for which numbers of ranks they do not.
struct DifferentRow {
  WitnessRow row;
  bool (*differs)(int p);
};
std::vector<DifferentRow> const& different_rows();

}  // namespace rondo::test
