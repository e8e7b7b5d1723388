#pragma once

// What ranks owe each other, in the form that bounds on networks need: bytes that have to come from some ranks to
// others.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "schedule/collective.hpp"
#include "topology/network.hpp"

namespace rondo::optimum {

/// The ranks from which a block comes, or to which it has to come: all ranks, or these.
struct RankSet {
  bool all = false;
  std::vector<int> listed = {};
};

/// Bytes that somebody is owed.
/// - copied: one rank of `from` has to give them to each rank of `to`; a rank of `to` that is in `from` has them
/// already;
/// - joined: each rank of `from` contributes to a reduction of so many bytes, which each rank of `to` is owed.
struct Requirement {
  RankSet from, to;
};

/// Owings of the same bytes. If contributions under one number are joined, some vector has to pass each cut between
/// them, whatever is owed beyond it.
struct Item {
  std::int64_t bytes = 0;
  bool joined = false;
  std::vector<Requirement> owed;
};

/// A block that one rank has and another one is owed.
struct Pair {
  int from = 0, to = 0;
  std::int64_t bytes = 0;
};

struct Demand {
  int ranks = 0;
  std::vector<Item> items;
  std::vector<Pair> pairs;
  /// The size of the different block that each rank sends to every other one; unset if there is no such exchange.
  std::optional<std::int64_t> each_pair = {};
};

/// The bytes that have to leave each part of the ranks, and the bytes that have to enter it.
struct Crossing {
  std::vector<std::int64_t> out, in;  ///< by part; -1: nothing has to, not even an empty block
};
/// `part_of` by rank, from 0 on, or -1.
Crossing crossing(Demand const& demand, std::span<int const> part_of, int parts);

/// The bytes of a block.
using BytesOf = std::function<std::int64_t(Content const&)>;

/// The demand of a promise. `equal`: all its blocks have the same size. Unset if the promise has more than `most`
/// blocks and targets of blocks.
std::optional<Demand> demand_of(Collective const& promise, BytesOf const& bytes, bool equal, std::int64_t most);

}  // namespace rondo::optimum
