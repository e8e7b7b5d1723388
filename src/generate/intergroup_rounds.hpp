#pragma once

// Code that the inter-group generators share, for this folder alone. An algorithm is written as rounds, which contain
// messages by rank and piece. `schedule_of` turns rounds into programs; only it knows in which slot a piece lies. A
// Cut divides blocks into pieces. Algorithms send whole pieces, so every place where an algorithm divides a block, or
// a run of blocks, must be the border of a piece.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "problem/block_sizes.hpp"
#include "problem/enums.hpp"
#include "schedule/schedule.hpp"
#include "topology/groups.hpp"

namespace rondo::generate::intergroup {

using problem::BlockSizes;

/// The pieces [first, last). Pieces are numbered by sender, and then within the block.
struct PieceRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// A partition of the p blocks into pieces, where p is the number of senders. A piece is never empty, unless its block
/// is.
class Cut {
 public:
  /// `blocks` blocks, which are not cut. `sizes` must have one size for each block, or one for all.
  Cut(std::size_t blocks, BlockSizes const& sizes);
  /// The blocks of all senders, which are not cut.
  Cut(Groups const& groups, BlockSizes const& sizes);
  /// Cuts the block of sender i, of m bytes, into segments of ceil(m / segments[i]) bytes. The last segment may be
  /// shorter. `segments` must have a number of at least 1 for each sender.
  static Cut each_block(Groups const& groups, BlockSizes const& sizes, std::vector<int> const& segments);
  /// Lays the p blocks, n bytes in all, end to end, and cuts them into segments of ceil(n / segments) bytes. A block in
  /// which a segment ends is cut there.
  static Cut whole_run(Groups const& groups, BlockSizes const& sizes, int segments);

  /// The size of all blocks, unless BlockSizes lists a size for each; then the unit of those sizes.
  Bytes block() const { return block_; }
  std::uint32_t pieces() const { return static_cast<std::uint32_t>(sizes_.size()); }
  /// The size of each piece.
  std::vector<Bytes> const& sizes() const { return sizes_; }
  /// Whether no block is cut.
  bool whole() const { return pieces() + 1 == first_.size(); }
  /// Whether no block is cut and all have the size block().
  bool uniform() const { return whole() && equal_sizes_; }
  /// The pieces of one block, and of all blocks.
  PieceRange of_sender(int sender) const;
  PieceRange all() const { return {0, pieces()}; }
  /// The number of pieces of each block; empty if no block is cut.
  std::vector<int> pieces_per_sender() const;

  /// The n segments of a run of pieces: segment k holds the bytes [k ceil(size / n), (k+1) ceil(size / n)) of the run.
  /// The blocks must have been cut at each border of these segments. The last segments may be empty.
  std::vector<PieceRange> segments(PieceRange range, int n) const;

 private:
  explicit Cut(BlockSizes const& sizes);
  /// Adds the pieces of the next block. An empty list stands for one empty piece.
  void add_block(std::vector<std::int64_t> const& piece_units);
  /// The size of a block in the unit in which it is cut. The unit is a byte. If all blocks are empty, each counts as
  /// one unit, because it still travels as one message.
  std::int64_t cut_units(Bytes block) const { return all_empty_ ? 1 : block.value; }

  Bytes block_;
  bool equal_sizes_ = true;           ///< whether all blocks have the size block_
  bool all_empty_ = false;            ///< whether all blocks are empty
  std::vector<std::uint32_t> first_;  ///< by sender: its first piece; the last entry is the number of pieces
  std::vector<std::int64_t> units_;   ///< by piece: its size in the unit of cut_units
  std::vector<Bytes> sizes_;          ///< by piece
};

using problem::Broadcast;
using problem::IntraAllgather;

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
