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
/// may be empty. Positions and lengths are in units: bytes, or blocks if blocks have no bytes.
class Cuts {
 public:
  /// Cuts the blocks of the problem at every border of a share, and of a piece, of all parts of the stages.
  Cuts(problem::Classical const& problem, std::vector<problem::Stage> const& stages);

  std::uint32_t each() const { return each_; }  ///< how many atoms a block has
  /// The length of an atom in units, and in bytes; 0 bytes if blocks have no bytes.
  std::int64_t units(std::uint32_t atom) const { return end(atom) - starts_[atom]; }
  Bytes size(std::uint32_t atom) const { return Bytes(units(atom) * bytes_of_unit_); }
  /// The number of atoms of all blocks.
  std::size_t count() const { return starts_.size(); }

  /// The atoms of a share, in order. A whole block gives all its atoms. A part of a block gives the atoms that begin
  /// in it.
  Atoms of(problem::Share const& share) const;
  /// The atoms of each piece of the part's first share, which all ranks of the part have if its collective works on
  /// vectors. Pieces are those of the part's own algorithm. An empty atom belongs to the piece that follows it, or to
  /// the last one.
  std::vector<Atoms> by_piece(problem::SubCollective const& part) const;

 private:
  /// Notes a cut of a block at this position, unless it is an end of the block.
  void cut(std::uint32_t block, std::int64_t where);
  /// Notes all cuts of a part.
  void note(problem::SubCollective const& part);
  /// The position in its block at which an atom ends.
  std::int64_t end(std::uint32_t atom) const {
    return (atom + 1) % each_ == 0 ? units_[atom / each_] : starts_[atom + 1];
  }

  std::vector<std::int64_t> units_;            ///< by block: its length
  std::vector<std::set<std::int64_t>> inner_;  ///< by block: the positions at which it is cut
  std::vector<std::int64_t> starts_;           ///< by atom: its position in the block
  std::uint32_t each_ = 1;                     ///< how many atoms a block has
  std::int64_t bytes_of_unit_ = 1;             ///< 0 if blocks have no bytes
};

}  // namespace rondo::generate::classical
