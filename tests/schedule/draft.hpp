#pragma once

// Schedules that a test writes by hand, reads again and breaks.

#include <optional>
#include <vector>

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo::testing {

struct DraftTransfer {
  int peer = 0;
  std::vector<Place> places;
  Join join = Join::none;  ///< of a receive
};

struct DraftRound {
  std::vector<DraftTransfer> sends, receives;
  std::vector<Copy> copies;
};

struct DraftProgram {
  Layout layout;
  std::vector<DraftRound> rounds;  ///< the first one holds copies only

  DraftRound& round(int number) {
    if (rounds.size() <= static_cast<std::size_t>(number)) rounds.resize(static_cast<std::size_t>(number) + 1);
    return rounds[static_cast<std::size_t>(number)];
  }
};

/// A schedule that can be changed everywhere: a program for each rank, or one for all with relative peers.
struct Draft {
  int ranks = 0;
  std::vector<DraftProgram> programs;
  std::optional<Torus> torus;
  std::vector<int> offsets;
  Promises promises;

  DraftProgram& of(int rank) { return programs[static_cast<std::size_t>(rank)]; }
  /// A message of one block in `round` at both ends.
  void message(int round, int source, Place from, int target, Place into, Join join = Join::none) {
    of(source).round(round).sends.push_back({target, {from}});
    of(target).round(round).receives.push_back({source, {into}, join});
  }
  Schedule schedule() const;
};

/// All ranks have `slots` slots of `block` bytes in each of their buffers.
Draft blank(std::vector<int> const& extents, std::uint32_t slots, Bytes block);

/// The same schedule with a program of absolute peers for each rank.
Draft expanded(Schedule const& schedule);

/// Block i goes straight to its neighbor in the i-th round that is needed; the rank's own block is copied.
Draft straightforward(Torus const& torus, Neighborhood const& neighborhood, Bytes block);
/// Blocks go hop by hop, dimension by dimension, combined, in turns through the intermediate and the receive buffer
/// [Traeff16, Algorithm 1, corrected].
Draft hop_by_hop(Torus const& torus, Neighborhood const& neighborhood, Bytes block);

}  // namespace rondo::testing
