// Finds the borders at which any part of a composition cuts a block. Between two borders lies an atom. Every block
// gets the same number of atoms, so that the number of an atom follows from its block; missing ones are empty. Keeps,
// for each rank of a composition, where each atom lies.

#include "generate/classical_atoms.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/ids.hpp"
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

namespace {

/// The blocks that ranks hold at the start and are owed, as schedule/collective.hpp defines them.
class Ends {
 public:
  explicit Ends(problem::Classical const& problem)
      : collective_(problem.collective), ranks_(static_cast<std::uint32_t>(problem.ranks)), root_(problem.root) {}

  /// The block in each slot of the send buffer.
  std::vector<std::uint32_t> held(int rank) const {
    switch (collective_) {
      case ClassicalCollective::bcast:
        return rank == root_ ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>();
      case ClassicalCollective::scatter:
        return rank == root_ ? run(0) : std::vector<std::uint32_t>();
      case ClassicalCollective::gather:
      case ClassicalCollective::allgather:
        return {static_cast<std::uint32_t>(rank)};
      case ClassicalCollective::alltoall:
        return run(static_cast<std::uint32_t>(rank) * ranks_);
      case ClassicalCollective::reduce_scatter:
        return run(0);
      default:
        return {0};
    }
  }
  /// The block in each slot of the receive buffer.
  std::vector<std::uint32_t> owed(int rank) const {
    auto const block = static_cast<std::uint32_t>(rank);
    switch (collective_) {
      case ClassicalCollective::bcast:
        return rank == root_ ? std::vector<std::uint32_t>() : std::vector<std::uint32_t>{0};
      case ClassicalCollective::reduce:
        return rank == root_ ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>();
      case ClassicalCollective::gather:
        return rank == root_ ? run(0) : std::vector<std::uint32_t>();
      case ClassicalCollective::allgather:
        return run(0);
      case ClassicalCollective::scatter:
      case ClassicalCollective::reduce_scatter:
        return {block};
      case ClassicalCollective::alltoall: {
        std::vector<std::uint32_t> blocks;
        for (std::uint32_t s = 0; s < ranks_; ++s) blocks.push_back(s * ranks_ + block);
        return blocks;
      }
      default:
        return {0};
    }
  }

 private:
  /// All blocks from `first` on, one for each rank.
  std::vector<std::uint32_t> run(std::uint32_t first) const {
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t i = 0; i < ranks_; ++i) blocks.push_back(first + i);
    return blocks;
  }

  ClassicalCollective collective_;
  std::uint32_t ranks_;
  int root_;
};

}  // namespace

RankState::RankState(problem::Classical const& problem, Cuts const& cuts, int rank)
    : cuts_(cuts),
      uniform_(cuts.each() == 1 && !problem.sizes.differ()),
      builder_(Layout{problem.sizes.block, {}}),
      now_(cuts.count(), problem.ranks),
      homes_(cuts.count(), problem.ranks) {
  Ends const ends(problem);
  fill(ends.held(rank), Buffer::send, now_);
  fill(ends.owed(rank), Buffer::receive, homes_);
  owed_ = atoms_of(ends.owed(rank));
}

Place RankState::now(std::uint32_t atom) const {
  auto const found = now_.find(atom);
  expects(found.has_value(), "a rank has what it gives to a part");
  return *found;
}

Place RankState::home(std::uint32_t atom) {
  if (auto const found = homes_.find(atom)) return *found;
  Place const place = fresh(atom);
  homes_.set(atom, place);
  return place;
}

Place RankState::fresh(std::uint32_t atom) {
  std::uint32_t const slot = builder_.layout()[Buffer::intermediate].slots;
  add_slot(Buffer::intermediate, atom);
  return intermediate_slot(slot);
}

ProgramBuilder& RankState::in_round(int round) {
  for (; written_ < round; ++written_) builder_.begin_round();
  return builder_;
}

void RankState::copy(Place from, Place into, Join join) {
  if (from != into || join != Join::none) builder_.copy(from, into, join);
}

Program RankState::finish() && {
  for (std::uint32_t const atom : owed_) copy(now(atom), home(atom));
  return std::move(builder_).finish();
}

/// The atoms of whole blocks, in order.
Atoms RankState::atoms_of(std::vector<std::uint32_t> const& blocks) const {
  Atoms atoms;
  for (std::uint32_t const block : blocks) {
    for (std::uint32_t k = 0; k < cuts_.each(); ++k) atoms.push_back(block * cuts_.each() + k);
  }
  return atoms;
}

/// Gives the atoms of blocks the slots of a buffer, in order.
void RankState::fill(std::vector<std::uint32_t> const& blocks, Buffer buffer, PlaceOf& places) {
  std::uint32_t slot = 0;
  for (std::uint32_t const atom : atoms_of(blocks)) {
    places.set(atom, Place(buffer, slot++));
    add_slot(buffer, atom);
  }
}

void RankState::add_slot(Buffer buffer, std::uint32_t atom) {
  BufferLayout& layout = builder_.layout()[buffer];
  ++layout.slots;
  if (!uniform_) layout.sizes.push_back(cuts_.size(atom));
}

}  // namespace rondo::generate::classical
