#pragma once

// Cuts the blocks of an inter-group collective into pieces. Algorithms send whole pieces, so every place where an
// algorithm divides a block, or a run of blocks, must be the border of a piece.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "problem/block_sizes.hpp"
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

}  // namespace rondo::generate::intergroup
