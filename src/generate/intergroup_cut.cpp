#include <algorithm>

#include "base/error.hpp"
#include "generate/intergroup_rounds.hpp"

namespace rondo::generate::intergroup {
namespace {

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

Cut::Cut(Groups const& groups, Bytes block) : Cut(block, static_cast<std::size_t>(groups.senders())) {
  for (int i = 0; i < groups.senders(); ++i) add_block({units(block)});
}

Cut Cut::each_block(Groups const& groups, Bytes block, std::vector<int> const& segments) {
  expects(segments.size() == static_cast<std::size_t>(groups.senders()), "a number of segments for each block");
  Cut cut(block, segments.size());
  std::int64_t const m = units(block);
  for (int const n : segments) {
    std::vector<std::int64_t> sizes;
    std::int64_t const segment = ceil_div(m, n);
    for (std::int64_t begin = 0; begin < m; begin += segment) sizes.push_back(std::min(segment, m - begin));
    cut.add_block(sizes);
  }
  return cut;
}

Cut Cut::whole_run(Groups const& groups, Bytes block, int segments) {
  Cut cut(block, static_cast<std::size_t>(groups.senders()));
  std::int64_t const m = units(block);
  std::int64_t const segment = ceil_div(groups.senders() * m, segments);
  for (int i = 0; i < groups.senders(); ++i) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t begin = i * m; begin < (i + 1) * m;) {
      std::int64_t const end = std::min((i + 1) * m, (begin / segment + 1) * segment);
      sizes.push_back(end - begin);
      begin = end;
    }
    cut.add_block(sizes);
  }
  return cut;
}

void Cut::add_block(std::vector<std::int64_t> const& sizes) {
  for (std::int64_t const size : sizes) {
    units_.push_back(size);
    sizes_.push_back(block_ == Bytes(0) ? Bytes(0) : Bytes(size));
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
