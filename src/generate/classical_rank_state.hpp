#pragma once

// The places of the atoms of a rank while its program in a composition is written; for this folder alone.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/index.hpp"
#include "generate/classical_cuts.hpp"
#include "schedule/schedule.hpp"

namespace rondo::generate::classical {

/// A place for some of the atoms: in a table, or in a map if the tables of all ranks would be too large.
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
  std::vector<Place> table_;
  std::unordered_map<std::uint32_t, Place> map_;
};

/// A rank of the whole collective while its program is written.
class RankState {
 public:
  RankState(problem::Classical const& problem, Cuts const& cuts, int rank);

  /// The place where the atom lies now.
  Place now(std::uint32_t atom) const;
  /// The place where the atom ends: a receive slot if it is owed to the rank, else an intermediate slot.
  Place home(std::uint32_t atom);
  void has_come_home(std::uint32_t atom) { now_.set(atom, home(atom)); }
  /// A new intermediate slot for the atom.
  Place fresh(std::uint32_t atom);

  /// The builder, in which the operations that follow belong to this round.
  ProgramBuilder& in_round(int round);
  /// Adds a copy after the last operation of the rank.
  void copy(Place from, Place into, Join join = Join::none);

  Program finish() &&;

 private:
  Atoms atoms_of(std::vector<std::uint32_t> const& blocks) const;
  void fill(std::vector<std::uint32_t> const& blocks, Buffer buffer, PlaceOf& places);
  void add_slot(Buffer buffer, std::uint32_t atom);

  Cuts const& cuts_;
  bool uniform_;
  ProgramBuilder builder_;
  PlaceOf now_, homes_;
  Atoms owed_;
  int written_ = 0;
};

}  // namespace rondo::generate::classical
