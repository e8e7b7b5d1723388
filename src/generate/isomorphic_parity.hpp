#pragma once

// Odd-even pairwise exchange, for this folder alone.
//
// Consider a dimension in which blocks go several hops in both directions. In round r each rank whose coordinate has
// another parity than r exchanges with the next rank, and all others with the previous rank. A block that moves ahead
// from a rank of the first kind finds every rank on its way turned ahead when it arrives, because position and round
// advance together. A block from a rank of the other kind waits for one round. The same holds for blocks that move
// back. So max(P,N)+1 rounds serve all blocks, although no rank has more than one port. Every rank forwards the same
// blocks as without exchanges, so V is unchanged. On more ports both directions of a dimension, and several dimensions,
// can be used at once. Then the schedule is that of `torus`, unless pairs on one port take fewer rounds.
//
// The parities of a rank in the dimensions with exchanges determine its program.

#include <array>
#include <vector>

#include "generate/generate.hpp"
#include "generate/lanes.hpp"
#include "problem/isomorphic.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate {

/// A pass along one dimension: either an exchange, or one direction (sign) of a dimension without exchanges.
struct Pass {
  int dimension = 0;
  bool exchange = false;
  int sign = 0;  ///< 0 in an exchange
  int rounds = 0;
};

/// The number of rounds for which a block waits: some blocks start in the first round, and the others one round later.
/// A rank has at most one block of either kind for each neighbor on its way along the dimension.
inline constexpr std::array<int, 2> parity_waits{0, 1};

/// The directions of a round of a pass, for a rank with these parities by dimension: the direction in which it sends,
/// and the direction in which the blocks move that it receives.
struct ParityTurn {
  ParityTurn(Pass const& pass, std::vector<int> const& parities, int round);
  int ahead = 0, coming = 0;
};

/// The passes of a neighborhood along the dimensions in the given order.
std::vector<Pass> parity_passes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order);

/// Sends the blocks of a round one hop along the dimension of a pass, and receives others. Either list may be empty.
void post_hop(ProgramBuilder& builder, Offsets& offsets, Pass const& pass, ParityTurn const& turn,
              std::vector<Place> const& from, std::vector<Place> const& into);

/// The program of an allgather. A block that goes to all neighbors travels once along common parts of their routes, as
/// in combine_allgather.
Program parity_allgather_program(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order,
                                 std::vector<Pass> const& passes, Bytes block, std::vector<int> const& parities,
                                 Offsets& offsets);

}  // namespace rondo::generate
