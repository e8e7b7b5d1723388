#pragma once

// Where the parts of a composition cut its blocks; for this folder alone.

#include <cstdint>
#include <set>
#include <vector>

#include "problem/composition.hpp"

namespace rondo::generate::classical {

/// What no part cuts, by number: those of a block follow each other.
using Atoms = std::vector<std::uint32_t>;

/// The atoms of all blocks.
class Cuts {
 public:
  Cuts(problem::Classical const& problem, std::vector<problem::Stage> const& stages);

  std::uint32_t each() const { return each_; }  ///< atoms of a block
  std::int64_t units(std::uint32_t atom) const { return end(atom) - starts_[atom]; }
  Bytes size(std::uint32_t atom) const { return Bytes(units(atom) * bytes_of_unit_); }
  std::size_t count() const { return starts_.size(); }

  /// In their order.
  Atoms of(problem::Share const& share) const;
  /// By piece of the part's vector. Atoms without units belong to the piece behind them, or to the last one.
  std::vector<Atoms> by_piece(problem::Part const& part) const;

 private:
  void cut(std::uint32_t block, std::int64_t where);
  void note(problem::Part const& part);
  std::int64_t end(std::uint32_t atom) const {
    return (atom + 1) % each_ == 0 ? units_[atom / each_] : starts_[atom + 1];
  }

  std::vector<std::int64_t> units_;            ///< by block
  std::vector<std::set<std::int64_t>> inner_;  ///< by block, where it is cut
  std::vector<std::int64_t> starts_;           ///< by atom, within its block
  std::uint32_t each_ = 1;
  std::int64_t bytes_of_unit_ = 1;
};

}  // namespace rondo::generate::classical
