#pragma once

// Declares the parts of odd-even pairwise exchange, for this folder alone.
//
// Consider a dimension of even extent in which blocks go P hops ahead and N hops back at most. In round r each rank
// whose coordinate has another parity than r exchanges with the next rank, and all others with the previous rank. A
// block that moves ahead from a rank of the first kind finds every rank on its way turned ahead when it arrives,
// because position and round advance together. A block from a rank of the other kind waits for one round. The same
// holds for blocks that move back. So max(P,N)+1 rounds serve all blocks, although no rank has more than one port.
// Every rank forwards the same blocks as without exchanges, so the volume is unchanged. If that takes as many rounds as
// the two directions one after the other, or if the extent is odd, each direction has its own rounds. On more ports
// both directions of a dimension, and several dimensions, can be used at once. Then the schedule is that of the
// algorithm `torus`, unless exchanges on one port take fewer rounds.
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
  int sign = 0;  ///< the direction, +1 or -1; 0 in an exchange
  int rounds = 0;
};

/// The numbers of rounds for which blocks wait at the start of an exchange: some start in its first round, and the
/// others one round later. For each neighbor, a rank holds at most one moving block of either kind.
inline constexpr std::array<int, 2> parity_waits{0, 1};

/// The directions of a rank in a round of a pass, +1 or -1.
struct ParityTurn {
  /// `parities` has the parity of the rank's coordinate by dimension. Rounds of a pass are counted from 1.
  ParityTurn(Pass const& pass, std::vector<int> const& parities, int round);
  int ahead = 0;   ///< in which the rank sends
  int coming = 0;  ///< in which the blocks move that it receives
};

/// Posts the receive and the send of a round: blocks go one hop along the dimension of the pass, from the places `from`
/// and into the places `into`. Nothing is posted for an empty list. Adds to `offsets` what the messages need.
void post_hop(ProgramBuilder& builder, Offsets& offsets, Pass const& pass, ParityTurn const& turn,
              std::vector<Place> const& from, std::vector<Place> const& into);

/// Makes the program of an allgather for the ranks with these parities. A block travels once along the common part of
/// the routes to several neighbors, as in combine_allgather.
Program parity_allgather_program(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& order,
                                 std::vector<Pass> const& passes, Bytes block, std::vector<int> const& parities,
                                 Offsets& offsets);

}  // namespace rondo::generate
