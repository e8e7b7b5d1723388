#pragma once

// What the inter-group generators share, for this folder alone. An algorithm is written as rounds: the messages of a
// round by rank and piece. `schedule_of` turns rounds into programs: it alone knows in which slot a piece lies.

#include <cstdint>
#include <string>
#include <vector>

#include "problem/block_sizes.hpp"
#include "problem/words.hpp"
#include "schedule/schedule.hpp"
#include "topology/groups.hpp"

namespace rondo::generate::intergroup {

using problem::BlockSizes;
using problem::Broadcast;
using problem::IntraAllgather;

inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Pieces [first, last) in the order of senders, then of pieces within a block.
struct PieceRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// How the p blocks are cut in pieces. A piece is never empty, but where the block itself is.
class Cut {
 public:
  /// `blocks` blocks, every one whole.
  Cut(std::size_t blocks, BlockSizes const& sizes);
  /// The block of every sender, whole.
  Cut(Groups const& groups, BlockSizes const& sizes);
  /// The block of sender i, of m bytes, in segments of ceil(m / segments[i]) bytes.
  static Cut each_block(Groups const& groups, BlockSizes const& sizes, std::vector<int> const& segments);
  /// All p blocks, one behind the other and n bytes in all, in segments of ceil(n / segments) bytes; where a segment
  /// ends within a block, the block is cut.
  static Cut whole_run(Groups const& groups, BlockSizes const& sizes, int segments);

  Bytes block() const { return block_; }
  std::uint32_t pieces() const { return static_cast<std::uint32_t>(sizes_.size()); }
  std::vector<Bytes> const& sizes() const { return sizes_; }
  /// Whether every block is one piece.
  bool whole() const { return pieces() + 1 == first_.size(); }
  /// Whether every block is one piece of the same size, block().
  bool uniform() const { return whole() && alike_; }
  PieceRange of_sender(int sender) const;
  PieceRange all() const { return {0, pieces()}; }
  /// How many pieces each block is cut in; empty: all blocks are whole.
  std::vector<int> counts() const;

  /// The n segments of a sequence of pieces that were cut in as many: segment k holds its bytes
  /// [k ceil(size / n), (k+1) ceil(size / n)). The last ones may be empty.
  std::vector<PieceRange> segments(PieceRange range, int n) const;

 private:
  explicit Cut(BlockSizes const& sizes);
  void add_block(std::vector<std::int64_t> const& sizes);
  /// The size of a block in the unit in which it is cut: bytes, but where all are empty, the block itself.
  std::int64_t units(Bytes block) const { return nothing_ ? 1 : block.value; }

  Bytes block_;
  bool alike_ = true;                 ///< blocks are of one size, block_
  bool nothing_ = false;              ///< blocks are all empty
  std::vector<std::uint32_t> first_;  ///< by sender, its first piece; then the number of pieces
  std::vector<std::int64_t> units_;   ///< by piece
  std::vector<Bytes> sizes_;          ///< by piece
};

struct Message {
  int from = 0;
  int to = 0;
  std::vector<std::uint32_t> pieces;
  std::uint8_t label = 0;
};
/// By round, from the first.
using Rounds = std::vector<std::vector<Message>>;

/// Appends the rounds of another algorithm that starts after this one.
void append(Rounds& rounds, Rounds later);
/// Adds the rounds of another algorithm that starts at the same time.
void merge(Rounds& rounds, Rounds other);

// On k ports bruck grows (k+1)-fold in a round, and so do trees: ceil(log_(k+1) n) rounds for n members. Recursive
// doubling, rings and rotated trees use one port.

/// All members get what each of them owns: member r owns the pieces owned[r].
Rounds allgather(IntraAllgather kind, std::vector<int> const& members, std::vector<PieceRange> const& owned, int ports);
/// In how many segments a message is cut that `broadcast` brings to n members.
int broadcast_segments(Broadcast broadcast, int n);
/// The pieces of the first member go to all others.
Rounds broadcast(Broadcast kind, std::vector<int> const& members, PieceRange pieces, Cut const& cut, int ports);
/// What each member owns goes to the first, up the tree of a broadcast.
Rounds gather(std::vector<int> const& members, std::vector<PieceRange> const& owned, int ports);

/// The pieces in the slots of a rank's send buffer at the start, and in those of its receive buffer at the end.
struct Ends {
  PieceRange held;
  PieceRange owed;
};

/// By rank. What a rank holds is read from its send buffer; what it is owed goes to its receive buffer, anything else
/// that it gets, and what it has already, to its intermediate buffer. Rounds may be wrong, where a paper's text is:
/// ranks that there are not post nothing.
Schedule schedule_of(std::vector<Ends> const& ends, Cut const& cut, Rounds const& rounds, Promises promises,
                     std::vector<std::string> labels = {});
/// Of an allgather between groups: senders hold the pieces of their block, receivers are owed all. Links other than any
/// put the ranks on a ring.
Schedule schedule_of(Groups const& groups, Cut const& cut, Rounds const& rounds, Promises promises,
                     std::vector<std::string> labels = {});

/// The rounds of ring_optimal; piece m is the block of sender m.
Rounds ring_optimal(Groups const& groups);

}  // namespace rondo::generate::intergroup
