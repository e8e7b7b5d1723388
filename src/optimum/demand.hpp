#pragma once

// What ranks owe each other, as far as bounds on networks go: bytes that have to come from somewhere to somebody.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "schedule/collective.hpp"
#include "topology/network.hpp"

namespace rondo::optimum {

/// Ranks that a block comes from, or has to come to: all, or these.
struct RankSet {
  bool all = false;
  std::vector<int> listed = {};
};

/// Bytes that somebody is owed.
/// - copied: one of `from` has to give them, to each of `to`; ranks of `to` that are in `from` have them;
/// - joined: each of `from` contributes to a reduction of so many bytes that each of `to` is owed.
struct Owing {
  RankSet from, to;
};

/// Owings of the same bytes. Of what is joined under one number some vector has to pass a cut, whatever is owed
/// behind it.
struct Item {
  std::int64_t bytes = 0;
  bool joined = false;
  std::vector<Owing> owed;
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
  /// Each rank sends another block of so many bytes to every other one; unset: it does not.
  std::optional<std::int64_t> each_pair = {};
};

/// The bytes that have to leave each part of the ranks, and those that have to enter it.
struct Crossing {
  std::vector<std::int64_t> out, in;  ///< by part; -1: nothing has to, not even an empty block
};
/// `part_of` by rank, from 0 on, or -1.
Crossing crossing(Demand const& demand, std::span<int const> part_of, int parts);

/// The bytes of a block.
using BytesOf = std::function<std::int64_t(Content const&)>;

/// What a promise demands. `equal`: all its blocks have the same bytes. Unset where it has more than `most` blocks and
/// targets of blocks.
std::optional<Demand> demand_of(Collective const& promise, BytesOf const& bytes, bool equal, std::int64_t most);

}  // namespace rondo::optimum
