#pragma once

// Where the parts of a composition cut its blocks; for this folder alone. A part here is a collective on a group of
// ranks (problem/composition.hpp).

#include <cstdint>
#include <set>
#include <vector>

#include "problem/composition.hpp"

namespace rondo::generate::classical {

/// The numbers of atoms. An atom is the part of a block between two neighboring cuts. The atoms of a block have
/// consecutive numbers.
using Atoms = std::vector<std::uint32_t>;

/// All cuts of all blocks, and the atoms between them. Every block has the same number of atoms, so some at its front
/// may be empty.
class Cuts {
 public:
  Cuts(problem::Classical const& problem, std::vector<problem::Stage> const& stages);

  std::uint32_t each() const { return each_; }  ///< how many atoms a block has
  std::int64_t units(std::uint32_t atom) const { return end(atom) - starts_[atom]; }
  Bytes size(std::uint32_t atom) const { return Bytes(units(atom) * bytes_of_unit_); }
  std::size_t count() const { return starts_.size(); }

  /// The atoms of a share, in order.
  Atoms of(problem::Share const& share) const;
  /// The atoms of each piece of the part's vector. Empty atoms belong to the next piece, or to the last one.
  std::vector<Atoms> by_piece(problem::SubCollective const& part) const;

 private:
  void cut(std::uint32_t block, std::int64_t where);
  void note(problem::SubCollective const& part);
  std::int64_t end(std::uint32_t atom) const {
    return (atom + 1) % each_ == 0 ? units_[atom / each_] : starts_[atom + 1];
  }

  std::vector<std::int64_t> units_;            ///< by block
  std::vector<std::set<std::int64_t>> inner_;  ///< by block: the positions at which it is cut
  std::vector<std::int64_t> starts_;           ///< by atom: its position in the block
  std::uint32_t each_ = 1;
  std::int64_t bytes_of_unit_ = 1;
};

}  // namespace rondo::generate::classical
