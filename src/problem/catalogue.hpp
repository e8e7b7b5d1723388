#pragma once

// The catalogue of the algorithms for collectives on all ranks. It says for which collectives each algorithm is,
// which options it reads, and which numbers of ranks it accepts. generate/classical.hpp explains the algorithms. A new
// algorithm takes a name and a row here, a case in generate, and a case in theory.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "base/words.hpp"
#include "topology/classical_collective.hpp"

namespace rondo::problem {

enum class ClassicalAlgorithm : std::uint8_t {
  linear,
  linear_sync,
  linear_nb,
  direct_messaging,
  nonoverlapping,
  chain,
  pipeline,
  binary,
  in_order_binary,
  split_binary,
  binomial,
  knomial,
  double_tree,
  scatter_allgather,
  scatter_ring_allgather,
  ring,
  segmented_ring,
  neighbor_exchange,
  pairwise,
  spread_out,
  recursive_halving,
  recursive_doubling,
  butterfly,
  noncommutative,
  recursive_multiplying,
  dissemination,
  bruck,
  locality_bruck,
  two_process,
  rabenseifner,
  allgather_reduce,
  circulant,
  sparbit,
  swing,
  swing_latency,
  bine,
  bine_latency,
  bine_scatter_allgather,
  bine_block_by_block,
  hierarchical,
  forest
};

/// Options that some algorithms read and others ignore.
enum class ClassicalOption : std::uint8_t { radix, group_size, distances, children, segment, extents };

/// The numbers of ranks that an algorithm accepts. `groups` stands for multiples of the problem's group_size, `few` for
/// at most most_forest_ranks.
enum class KnownRanks : std::uint8_t { any, two, even, powers_of_two, groups, few };

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

/// An algorithm for some collectives. If an algorithm reads different options for different collectives, it has several
/// rows.
struct ClassicalRow {
  ClassicalAlgorithm algorithm;
  Set<ClassicalCollective> collectives;
  Set<ClassicalOption> options = {};
  KnownRanks ranks = KnownRanks::any;
  int radix = 2;  ///< where the problem states none; 0: one less than there are ranks
};

/// The rows in the order in which the algorithms of a collective are listed.
inline constexpr auto classical_catalogue = [] {
  using enum ClassicalAlgorithm;
  using enum ClassicalCollective;
  using enum ClassicalOption;
  using enum KnownRanks;
  return std::array{
      ClassicalRow{linear, {bcast}, {segment}},
      ClassicalRow{linear,
                   {gather, scatter, allgather, alltoall, reduce, reduce_scatter, scan, exscan, allreduce, barrier}},
      ClassicalRow{linear_sync, {gather}, {}, any, 0},
      ClassicalRow{linear_sync, {alltoall}, {radix}, any, 0},
      ClassicalRow{linear_nb, {scatter}, {radix}, any, 0},
      ClassicalRow{direct_messaging, {allgather}},
      ClassicalRow{nonoverlapping, {reduce_scatter, allreduce}},
      ClassicalRow{chain, {bcast, reduce}, {radix, segment}, any, 4},
      ClassicalRow{pipeline, {bcast, reduce}, {segment}},
      ClassicalRow{binary, {bcast, reduce}, {segment}},
      ClassicalRow{in_order_binary, {reduce}, {segment}},
      ClassicalRow{split_binary, {bcast}, {segment}},
      ClassicalRow{binomial, {bcast, reduce}, {distances, children, segment}},
      ClassicalRow{binomial, {gather, scatter}, {distances, children}},
      ClassicalRow{binomial, {barrier}},
      ClassicalRow{knomial, {bcast, reduce}, {radix, children, segment}, any, 4},
      ClassicalRow{knomial, {gather, scatter}, {radix, children}, any, 4},
      ClassicalRow{knomial, {allreduce, barrier}, {radix}, any, 4},
      ClassicalRow{double_tree, {bcast, allreduce}, {segment}},
      ClassicalRow{scatter_allgather, {bcast}},
      ClassicalRow{scatter_ring_allgather, {bcast}},
      ClassicalRow{ring, {allgather, reduce_scatter, allreduce, barrier}},
      ClassicalRow{segmented_ring, {allreduce}, {segment}},
      ClassicalRow{neighbor_exchange, {allgather}, {}, even},
      ClassicalRow{pairwise, {alltoall, reduce_scatter}},
      ClassicalRow{spread_out, {alltoall}, {radix}, any, 32},
      ClassicalRow{recursive_halving, {reduce_scatter}},
      ClassicalRow{recursive_doubling, {allgather, reduce_scatter, scan, exscan, allreduce, barrier}},
      ClassicalRow{butterfly, {reduce_scatter}},
      ClassicalRow{noncommutative, {reduce_scatter}},
      ClassicalRow{recursive_multiplying, {allreduce}, {radix}},
      ClassicalRow{dissemination, {barrier}, {radix}},
      ClassicalRow{bruck, {allgather, alltoall, barrier}, {radix}},
      ClassicalRow{locality_bruck, {allgather}, {group_size}, groups},
      ClassicalRow{two_process, {allgather, alltoall, barrier}, {}, two},
      ClassicalRow{rabenseifner, {reduce, allreduce}},
      ClassicalRow{allgather_reduce, {allreduce}, {radix}},
      ClassicalRow{circulant, {bcast}, {segment}},
      ClassicalRow{circulant, {allgather, reduce_scatter, allreduce}},
      ClassicalRow{sparbit, {allgather}},
      ClassicalRow{swing, {allgather}, {}, powers_of_two},
      ClassicalRow{swing, {allreduce}, {extents}},
      ClassicalRow{swing_latency, {allreduce}, {extents}},
      ClassicalRow{bine, {bcast, reduce}, {distances, children, segment}, powers_of_two},
      ClassicalRow{bine, {gather, scatter}, {distances, children}, powers_of_two},
      ClassicalRow{bine, {allgather, reduce_scatter}, {distances}, powers_of_two},
      ClassicalRow{bine, {alltoall}, {}, powers_of_two},
      ClassicalRow{bine, {allreduce}, {extents}},
      ClassicalRow{bine_latency, {allreduce}, {extents}},
      ClassicalRow{bine_scatter_allgather, {bcast}, {}, powers_of_two},
      ClassicalRow{bine_block_by_block, {allgather}, {distances}, powers_of_two},
      ClassicalRow{hierarchical,
                   {bcast, gather, scatter, allgather, alltoall, reduce, reduce_scatter, allreduce, barrier}},
      ClassicalRow{forest, {bcast}, {segment}, few},
      ClassicalRow{forest, {allgather, reduce_scatter, allreduce}, {}, few},
  };
}();

/// The row of an algorithm for a collective; null if the algorithm is not for this collective.
constexpr ClassicalRow const* row_of(ClassicalCollective collective, ClassicalAlgorithm algorithm) {
  for (ClassicalRow const& row : classical_catalogue) {
    if (row.algorithm == algorithm && row.collectives.contains(collective)) return &row;
  }
  return nullptr;
}

/// The algorithms of a collective, in the order in which they are listed.
std::vector<ClassicalAlgorithm> classical_algorithms(ClassicalCollective collective);

}  // namespace rondo::problem

namespace rondo {

template <>
inline constexpr auto words<problem::ClassicalAlgorithm> = own_names<problem::ClassicalAlgorithm>;

}  // namespace rondo
