#include <algorithm>

#include "base/error.hpp"
#include "generate/intergroup_rounds.hpp"

namespace rondo::generate::intergroup {
namespace {

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

Cut::Cut(BlockSizes const& sizes) : block_(sizes.block), first_{0} {
  alike_ = std::ranges::all_of(sizes.each, [&](Bytes size) { return size == sizes.block; });
  nothing_ = sizes.each.empty() ? sizes.block == Bytes(0)
                                : std::ranges::all_of(sizes.each, [](Bytes size) { return size == Bytes(0); });
}

Cut::Cut(std::size_t blocks, BlockSizes const& sizes) : Cut(sizes) {
  expects(sizes.each.empty() || sizes.each.size() == blocks, "a size for each block");
  for (std::size_t i = 0; i < blocks; ++i) add_block({units(sizes.of(i))});
}

Cut::Cut(Groups const& groups, BlockSizes const& sizes) : Cut(static_cast<std::size_t>(groups.senders()), sizes) {}

Cut Cut::each_block(Groups const& groups, BlockSizes const& sizes, std::vector<int> const& segments) {
  expects(segments.size() == static_cast<std::size_t>(groups.senders()), "a number of segments for each block");
  Cut cut(sizes);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    std::int64_t const m = cut.units(sizes.of(i));
    std::int64_t const segment = ceil_div(m, segments[i]);
    std::vector<std::int64_t> pieces;
    for (std::int64_t begin = 0; begin < m; begin += segment) pieces.push_back(std::min(segment, m - begin));
    cut.add_block(pieces);
  }
  return cut;
}

/// Cuts at multiples of the segment in the run of all blocks, and at the borders of blocks.
Cut Cut::whole_run(Groups const& groups, BlockSizes const& sizes, int segments) {
  auto const senders = static_cast<std::size_t>(groups.senders());
  Cut cut(sizes);
  std::int64_t total = 0;
  for (std::size_t i = 0; i < senders; ++i) total += cut.units(sizes.of(i));
  std::int64_t const segment = ceil_div(total, segments);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < senders; ++i) {
    std::vector<std::int64_t> pieces;
    for (std::int64_t const last = begin + cut.units(sizes.of(i)); begin < last;) {
      std::int64_t const end = std::min(last, (begin / segment + 1) * segment);
      pieces.push_back(end - begin);
      begin = end;
    }
    cut.add_block(pieces);
  }
  return cut;
}

/// Adds the pieces of a block. An empty block is one empty piece.
void Cut::add_block(std::vector<std::int64_t> const& sizes) {
  for (std::int64_t const size : sizes.empty() ? std::vector<std::int64_t>{0} : sizes) {
    units_.push_back(size);
    sizes_.push_back(nothing_ ? Bytes(0) : Bytes(size));
  }
  first_.push_back(static_cast<std::uint32_t>(sizes_.size()));
}

PieceRange Cut::of_sender(int sender) const {
  auto const i = static_cast<std::size_t>(sender);
  return {first_[i], first_[i + 1]};
}

std::vector<int> Cut::counts() const {
  std::vector<int> result;
  if (whole()) return result;
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) result.push_back(static_cast<int>(first_[i + 1] - first_[i]));
  return result;
}

std::vector<PieceRange> Cut::segments(PieceRange range, int n) const {
  std::int64_t total = 0;
  for (std::uint32_t piece = range.first; piece < range.last; ++piece) total += units_[piece];
  std::int64_t const segment = ceil_div(total, n);
  std::vector<PieceRange> result;
  std::uint32_t piece = range.first;
  std::int64_t reached = 0;
  for (int k = 1; k <= n; ++k) {
    PieceRange& part = result.emplace_back(PieceRange{piece, piece});
    while (piece < range.last && reached + units_[piece] <= k * segment) reached += units_[piece++];
    part.last = piece;
  }
  expects(piece == range.last, "pieces that were cut in these segments");
  return result;
}

}  // namespace rondo::generate::intergroup
