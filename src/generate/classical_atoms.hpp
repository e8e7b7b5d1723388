#pragma once

// The atoms of a composition, which are the smallest parts of its blocks; for this folder alone. Cuts finds where the
// parts of a composition cut its blocks. A part here is a collective on a group of ranks (problem/composition.hpp).
// RankState keeps the places of the atoms of a rank while its program in a composition is written.

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "problem/composition.hpp"
#include "schedule/schedule.hpp"

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

/// Maps atoms to places: in a table, or in a hash map if the tables of all ranks would have more than 2^25 entries.
class PlaceOf {
 public:
  PlaceOf(std::size_t atoms, int ranks) {
    constexpr std::size_t most = std::size_t{1} << 25;
    if (atoms <= most / at(ranks)) table_.assign(atoms, nowhere);
  }
  /// Unset if the atom has no place.
  std::optional<Place> find(std::uint32_t atom) const {
    if (!table_.empty()) return table_[atom] == nowhere ? std::nullopt : std::optional(table_[atom]);
    auto const found = map_.find(atom);
    return found == map_.end() ? std::nullopt : std::optional(found->second);
  }
  void set(std::uint32_t atom, Place place) { (table_.empty() ? map_[atom] : table_[atom]) = place; }

 private:
  static constexpr Place nowhere = intermediate_slot((std::uint32_t{1} << 30) - 1);
  std::vector<Place> table_;                      ///< by atom; empty if the map is used
  std::unordered_map<std::uint32_t, Place> map_;  ///< by atom
};

/// Writes the program of a rank of the whole collective, and knows where its atoms lie.
class RankState {
 public:
  RankState(problem::Classical const& problem, Cuts const& cuts, int rank);

  /// Returns the place where the atom lies now. The rank must have it.
  Place now(std::uint32_t atom) const;
  /// Returns the place where the atom stays after it has been delivered: a receive slot if it is owed to the rank,
  /// otherwise an intermediate slot, which is made in the first call.
  Place home(std::uint32_t atom);
  /// Notes that the atom lies at home from now on.
  void has_come_home(std::uint32_t atom) { now_.set(atom, home(atom)); }
  /// Makes a new intermediate slot of the size of the atom. Where the atom lies does not change.
  Place fresh(std::uint32_t atom);

  /// Returns the builder, after it has begun all rounds up to this one. Operations that are added then belong to this
  /// round, unless a later one has begun already.
  ProgramBuilder& in_round(int round);
  /// Adds a copy after the last operation of the rank. Does nothing if both places are the same and nothing is joined.
  void copy(Place from, Place into, Join join = Join::none);

  /// Copies the atoms that are owed to the rank and lie elsewhere to their homes. Returns the program.
  Program finish() &&;

 private:
  Atoms atoms_of(std::vector<std::uint32_t> const& blocks) const;
  void fill(std::vector<std::uint32_t> const& blocks, Buffer buffer, PlaceOf& places);
  void add_slot(Buffer buffer, std::uint32_t atom);

  Cuts const& cuts_;
  bool uniform_;  ///< all slots have the size of a block
  ProgramBuilder builder_;
  PlaceOf now_;      ///< where each atom lies that the rank has
  PlaceOf homes_;    ///< where atoms stay; the receive slots from the start, others when they are made
  Atoms owed_;       ///< to the rank
  int written_ = 0;  ///< rounds that have begun
};

}  // namespace rondo::generate::classical
