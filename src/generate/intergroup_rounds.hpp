#pragma once

// Code that the inter-group generators share, for this folder alone. An algorithm is written as rounds, which contain
// messages by rank and piece. `schedule_of` turns rounds into programs; only it knows in which slot a piece lies.

#include <cstdint>
#include <string>
#include <vector>

#include "generate/intergroup_cut.hpp"
#include "problem/enums.hpp"
#include "schedule/schedule.hpp"
#include "topology/groups.hpp"

namespace rondo::generate::intergroup {

using problem::Broadcast;
using problem::IntraAllgather;

/// Ranks and rounds as indices.
inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// A message of pieces from one rank to another.
struct Message {
  int from = 0;
  int to = 0;
  std::vector<std::uint32_t> pieces;
  std::uint8_t label = 0;
};
/// The messages of each round.
using Rounds = std::vector<std::vector<Message>>;

/// Appends the rounds of an algorithm that starts after this one.
void append(Rounds& rounds, Rounds later);
/// Adds the rounds of an algorithm that starts at the same time.
void merge(Rounds& rounds, Rounds other);

// On k ports bruck and the trees grow by a factor of k+1 in a round, so they take ceil(log_(k+1) n) rounds for n
// members. Recursive doubling, rings and rotated trees use one port.

/// All members get the pieces of every member. Member r owns the pieces owned[r].
Rounds allgather(IntraAllgather kind, std::vector<int> const& members, std::vector<PieceRange> const& owned, int ports);
/// The number of segments into which `broadcast` cuts a message for n members.
int broadcast_segments(Broadcast broadcast, int n);
/// The pieces of the first member go to all other members.
Rounds broadcast(Broadcast kind, std::vector<int> const& members, PieceRange pieces, Cut const& cut, int ports);
/// The pieces of all members go to the first one, up the tree of a broadcast.
Rounds gather(std::vector<int> const& members, std::vector<PieceRange> const& owned, int ports);

/// The pieces in the slots of a rank's send buffer at the start, and of its receive buffer at the end.
struct Ends {
  PieceRange held;
  PieceRange owed;
};

/// The schedule of rounds between ranks with these ends. A rank reads the pieces that it holds at the start from its
/// send buffer. Pieces that are owed to it go to its receive buffer. All other pieces, and those that it already has,
/// go to its intermediate buffer. Rounds may be wrong if they follow the wrong text of a paper: ranks that do not exist
/// post nothing.
Schedule schedule_of(std::vector<Ends> const& ends, Cut const& cut, Rounds const& rounds, Promises promises,
                     std::vector<std::string> labels = {});
/// The schedule of an allgather between groups: senders hold the pieces of their block, and all pieces are owed to
/// receivers. With links other than `any`, the ranks form a ring.
Schedule schedule_of(Groups const& groups, Cut const& cut, Rounds const& rounds, Promises promises,
                     std::vector<std::string> labels = {});

/// The rounds of ring_optimal. Piece m is the block of sender m.
Rounds ring_optimal(Groups const& groups);

}  // namespace rondo::generate::intergroup
