#pragma once

// Keeps the places of the atoms of a rank while its program in a composition is written; for this folder alone. Atoms
// are the smallest parts of blocks (classical_cuts.hpp).

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/index.hpp"
#include "generate/classical_cuts.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate::classical {

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
