#pragma once

// Odd-even pairwise exchange, for this folder alone. In a dimension where blocks go several hops both ways, in round r
// each rank whose coordinate has another parity than r exchanges with the next rank, all others with the one before. A
// block that goes ahead from such a rank finds every rank on its way turned ahead when it comes there, as place and
// round advance together; one from another rank waits for a round, and so with those that go back. max(P,N)+1 rounds
// serve all, though no rank has more than one port. Every rank forwards each block it did before, so V is the same. On
// more ports both directions of a dimension and several dimensions can be used at once: there it is as `torus`, unless
// pairs on one port take fewer rounds.
//
// A rank's parities in the dimensions with exchanges tell its program.

#include <array>
#include <vector>

#include "generate/generate.hpp"
#include "generate/lanes.hpp"
#include "problem/isomorphic.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate {

/// A pass along one dimension: an exchange, or one direction (sign) of a dimension without exchanges.
struct Pass {
  int dimension = 0;
  bool exchange = false;
  int sign = 0;  ///< 0 in an exchange
  int rounds = 0;
};

/// How many rounds a block waits: some start in the first round, the others wait for one round. A rank has at most one
/// block of either kind for each neighbor on its way along the dimension.
inline constexpr std::array<int, 2> parity_waits{0, 1};

/// What a rank with these parities, by dimension, does in a round of a pass: the direction in which it sends, and the
/// one in which the blocks go that come to it.
struct ParityTurn {
  ParityTurn(Pass const& pass, std::vector<int> const& parities, int round);
  int ahead = 0, coming = 0;
};

/// The passes of a neighborhood along the dimensions in this order.
std::vector<Pass> parity_passes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order);

/// Sends the blocks of a round one hop along the dimension of a pass, and receives others. Either list may be empty.
void post_hop(ProgramBuilder& builder, Offsets& offsets, Pass const& pass, ParityTurn const& turn,
              std::vector<Place> const& from, std::vector<Place> const& into);

/// A block that all neighbors want travels once where its ways are one, as in combine_allgather.
Program parity_allgather_program(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order,
                                 std::vector<Pass> const& passes, Bytes block, std::vector<int> const& parities,
                                 Offsets& offsets);

}  // namespace rondo::generate
