// Divides blocks into pieces. The unit of a division is a byte. If all blocks are empty, it is a block.

#include "generate/intergroup_cut.hpp"

#include <algorithm>

#include "base/division.hpp"
#include "base/error.hpp"

namespace rondo::generate::intergroup {
Cut::Cut(BlockSizes const& sizes) : block_(sizes.block), first_{0} {
  equal_sizes_ = std::ranges::all_of(sizes.each, [&](Bytes size) { return size == sizes.block; });
  all_empty_ = sizes.each.empty() ? sizes.block == Bytes(0)
                                  : std::ranges::all_of(sizes.each, [](Bytes size) { return size == Bytes(0); });
}

Cut::Cut(std::size_t blocks, BlockSizes const& sizes) : Cut(sizes) {
  expects(sizes.each.empty() || sizes.each.size() == blocks, "a size for each block");
  for (std::size_t i = 0; i < blocks; ++i) add_block({cut_units(sizes.of(i))});
}

Cut::Cut(Groups const& groups, BlockSizes const& sizes) : Cut(static_cast<std::size_t>(groups.senders()), sizes) {}

Cut Cut::each_block(Groups const& groups, BlockSizes const& sizes, std::vector<int> const& segments) {
  expects(segments.size() == static_cast<std::size_t>(groups.senders()), "a number of segments for each block");
  Cut cut(sizes);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    std::int64_t const m = cut.cut_units(sizes.of(i));
    std::int64_t const segment_size = ceil_div(m, segments[i]);
    // An empty block has no segment here; add_block gives it one empty piece.
    std::vector<std::int64_t> pieces;
    for (std::int64_t begin = 0; begin < m; begin += segment_size) pieces.push_back(std::min(segment_size, m - begin));
    cut.add_block(pieces);
  }
  return cut;
}

Cut Cut::whole_run(Groups const& groups, BlockSizes const& sizes, int segments) {
  auto const senders = static_cast<std::size_t>(groups.senders());
  Cut cut(sizes);
  std::int64_t total = 0;
  for (std::size_t i = 0; i < senders; ++i) total += cut.cut_units(sizes.of(i));
  std::int64_t const segment_size = ceil_div(total, segments);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < senders; ++i) {
    std::vector<std::int64_t> pieces;
    std::int64_t const block_end = begin + cut.cut_units(sizes.of(i));
    while (begin < block_end) {
      std::int64_t const piece_end = std::min(block_end, (begin / segment_size + 1) * segment_size);
      pieces.push_back(piece_end - begin);
      begin = piece_end;
    }
    cut.add_block(pieces);
  }
  return cut;
}

void Cut::add_block(std::vector<std::int64_t> const& piece_units) {
  for (std::int64_t const units : piece_units.empty() ? std::vector<std::int64_t>{0} : piece_units) {
    units_.push_back(units);
    sizes_.push_back(all_empty_ ? Bytes(0) : Bytes(units));
  }
  first_.push_back(static_cast<std::uint32_t>(sizes_.size()));
}

PieceRange Cut::of_sender(int sender) const {
  auto const i = static_cast<std::size_t>(sender);
  return {first_[i], first_[i + 1]};
}

std::vector<int> Cut::pieces_per_sender() const {
  std::vector<int> result;
  if (whole()) return result;
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) result.push_back(static_cast<int>(first_[i + 1] - first_[i]));
  return result;
}

std::vector<PieceRange> Cut::segments(PieceRange range, int n) const {
  std::int64_t total = 0;
  for (std::uint32_t piece = range.first; piece < range.last; ++piece) total += units_[piece];
  std::int64_t const segment_size = ceil_div(total, n);
  std::vector<PieceRange> result;
  std::uint32_t piece = range.first;
  std::int64_t offset = 0;  // of `piece` in the run
  for (int k = 1; k <= n; ++k) {
    PieceRange& part = result.emplace_back(PieceRange{piece, piece});
    // No piece is split here: the run was cut at every multiple of segment_size before.
    while (piece < range.last && offset + units_[piece] <= k * segment_size) offset += units_[piece++];
    part.last = piece;
  }
  expects(piece == range.last, "a border of a piece at every border of a segment");
  return result;
}

}  // namespace rondo::generate::intergroup
