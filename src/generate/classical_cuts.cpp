// Finds the borders at which any part of a composition cuts a block. Between two borders lies an atom. Every block gets
// the same number of atoms, so that the number of an atom follows from its block; missing ones are empty.

#include "generate/classical_cuts.hpp"

#include <algorithm>

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

using problem::Share;
using problem::Slice;
using problem::Stage;
using problem::SubCollective;

namespace {

/// The positions at which the pieces of the part's vector begin, in units from the start of the vector.
std::vector<std::int64_t> starts_of_pieces(SubCollective const& part) {
  std::vector<std::int64_t> starts{0};
  for (Bytes const size : cut_of(part.problem).sizes) starts.push_back(starts.back() + size.value);
  starts.pop_back();
  return starts;
}

}  // namespace

/// Collects the borders of all parts of all stages.
Cuts::Cuts(problem::Classical const& problem, std::vector<Stage> const& stages)
    : units_(problem::units_by_block(problem)) {
  inner_.resize(units_.size());
  for (Stage const& stage : stages) {
    for (SubCollective const& part : stage.parts) note(part);
  }
  for (auto const& cuts : inner_) each_ = std::max(each_, static_cast<std::uint32_t>(cuts.size() + 1));
  bool const bytes = problem.sizes.differ() || problem.sizes.block > Bytes(0);
  bytes_of_unit_ = bytes ? 1 : 0;
  starts_.reserve(units_.size() * each_);
  for (std::size_t b = 0; b < units_.size(); ++b) {
    starts_.insert(starts_.end(), each_ - inner_[b].size(), 0);
    starts_.insert(starts_.end(), inner_[b].begin(), inner_[b].end());
  }
}

Atoms Cuts::of(Share const& share) const {
  Atoms atoms;
  for (Slice const& slice : share) {
    bool const whole = slice.first == 0 && slice.last == units_[slice.block];
    for (std::uint32_t a = slice.block * each_; a < (slice.block + 1) * each_; ++a) {
      if (whole || (slice.first <= starts_[a] && starts_[a] < slice.last)) atoms.push_back(a);
    }
  }
  return atoms;
}

std::vector<Atoms> Cuts::by_piece(SubCollective const& part) const {
  std::vector<std::int64_t> const starts = starts_of_pieces(part);
  std::int64_t const all = problem::units_of(part.shares[0]);
  std::vector<Atoms> pieces(starts.size());
  std::int64_t from = 0;
  std::size_t piece = 0;
  for (std::uint32_t const atom : of(part.shares[0])) {
    while (piece + 1 < starts.size() && starts[piece + 1] <= from && starts[piece + 1] < all) ++piece;
    pieces[piece].push_back(atom);
    from += units(atom);
  }
  return pieces;
}

void Cuts::cut(std::uint32_t block, std::int64_t where) {
  if (0 < where && where < units_[block]) inner_[block].insert(where);
}

/// Cuts blocks where shares of the part begin and end, and where the pieces of its vector begin.
void Cuts::note(SubCollective const& part) {
  for (Share const& share : part.shares) {
    for (Slice const& slice : share) {
      cut(slice.block, slice.first);
      cut(slice.block, slice.last);
    }
  }
  if (!works_on_vector(part.problem.collective)) return;
  std::vector<std::int64_t> const starts = starts_of_pieces(part);
  auto start = starts.begin();
  std::int64_t from = 0;
  for (Slice const& slice : part.shares[0]) {
    std::int64_t const to = from + slice.last - slice.first;
    for (; start != starts.end() && *start < to; ++start) cut(slice.block, slice.first + *start - from);
    from = to;
  }
}

}  // namespace rondo::generate::classical
