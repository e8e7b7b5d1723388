// What each collective lets a rank hold, and what it owes it (collective.hpp). Both overload sets have one function for
// each kind of promise; std::visit chooses among them.

#include "schedule/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace rondo {
namespace {

/// The block for neighbor i has number i.
std::vector<Content> held_by(IsomorphicAlltoall const& c, Rank rank) {
  std::vector<Content> blocks;
  blocks.reserve(static_cast<std::size_t>(c.neighborhood.size()));
  for (int i = 0; i < c.neighborhood.size(); ++i) blocks.push_back({rank, BlockId(static_cast<std::uint32_t>(i))});
  return blocks;
}

std::vector<Content> held_by(IsomorphicAllgather const& /*c*/, Rank rank) { return {{rank, BlockId(0)}}; }

template <typename C>
concept Isomorphic = requires(C const& c) {
  c.neighborhood;
  c.boundary;
};

/// What a rank is owed by its sources; `block` names the block that a source sends to its neighbor i.
template <Isomorphic C, typename Block>
std::vector<Owed> from_sources(C const& c, Rank rank, Block const& block) {
  std::vector<Owed> blocks;
  blocks.reserve(static_cast<std::size_t>(c.neighborhood.size()));
  for (int i = 0; i < c.neighborhood.size(); ++i) {
    auto const source = subtract(c.torus, c.boundary, rank, c.neighborhood[i]);
    blocks.push_back(source ? Owed(Content{*source, block(i)}) : Owed());
  }
  return blocks;
}

std::vector<Owed> owed_to(IsomorphicAlltoall const& c, Rank rank) {
  return from_sources(c, rank, [](int i) { return BlockId(static_cast<std::uint32_t>(i)); });
}

std::vector<Owed> owed_to(IsomorphicAllgather const& c, Rank rank) {
  return from_sources(c, rank, [](int) { return BlockId(0); });
}

int ranks_of(Isomorphic auto const& c) { return c.torus.size(); }

std::vector<Content> held_by(NeighborAllgather const& /*c*/, Rank rank) { return {{rank, BlockId(0)}}; }

/// The block for the i-th target has number i.
std::vector<Content> held_by(NeighborAlltoall const& c, Rank rank) {
  std::vector<Content> blocks;
  auto const targets = static_cast<std::uint32_t>(c.graph.targets(rank).size());
  for (std::uint32_t i = 0; i < targets; ++i) blocks.push_back({rank, BlockId(i)});
  return blocks;
}

std::vector<Owed> owed_to(NeighborAllgather const& c, Rank rank) {
  std::vector<Owed> blocks;
  for (Neighbor const& source : c.graph.sources(rank)) blocks.push_back(Content{source.rank, BlockId(0)});
  return blocks;
}

std::vector<Owed> owed_to(NeighborAlltoall const& c, Rank rank) {
  std::vector<Owed> blocks;
  for (Neighbor const& source : c.graph.sources(rank)) blocks.push_back(Content{source.rank, BlockId(source.slot)});
  return blocks;
}

std::vector<Content> held_by(NeighborReduction const& /*c*/, Rank rank) { return {{rank, BlockId(0)}}; }

/// A rank without sources is owed nothing.
std::vector<Owed> owed_to(NeighborReduction const& c, Rank rank) {
  std::vector<Rank> sources;
  for (Neighbor const& source : c.graph.sources(rank)) sources.push_back(source.rank);
  if (sources.empty()) return {};
  return {Owed(BlockId(0), std::move(sources))};
}

int ranks_of(NeighborReduction const& c) { return c.graph.ranks(); }
int ranks_of(NeighborAllgather const& c) { return c.graph.ranks(); }
int ranks_of(NeighborAlltoall const& c) { return c.graph.ranks(); }

int ranks_of(IntergroupPromise const& c) { return c.groups.ranks(); }

/// Appends the pieces of the block of one sender.
void append_pieces(std::vector<Content>& blocks, IntergroupPromise const& c, Rank sender) {
  int const pieces = c.pieces.empty() ? 1 : c.pieces[static_cast<std::size_t>(sender.value)];
  for (int k = 0; k < pieces; ++k) blocks.push_back({sender, BlockId(static_cast<std::uint32_t>(k))});
}

/// The blocks of the ranks [first, last), each of which has one block or pieces of one.
std::vector<Owed> owed_blocks(IntergroupPromise const& c, int first, int last) {
  std::vector<Content> blocks;
  for (int i = first; i < last; ++i) append_pieces(blocks, c, Rank(i));
  return {blocks.begin(), blocks.end()};
}

/// In a scatter only rank 0, the root among the senders, holds blocks.
std::vector<Content> held_by(IntergroupPromise const& c, Rank rank) {
  std::vector<Content> blocks;
  if (c.collective == IntergroupCollective::scatter) {
    for (int i = 0; rank.value == 0 && i < c.groups.receivers(); ++i) {
      blocks.push_back({rank, BlockId(static_cast<std::uint32_t>(i))});
    }
  } else if (!c.groups.is_receiver(rank) || c.collective == IntergroupCollective::exchange) {
    append_pieces(blocks, c, rank);
  }
  return blocks;
}

/// The root of the receivers is their first rank.
std::vector<Owed> owed_to(IntergroupPromise const& c, Rank rank) {
  int const p = c.groups.senders();
  bool const receives = c.groups.is_receiver(rank);
  bool const root = rank.value == p;
  switch (c.collective) {
    case IntergroupCollective::allgather:
      return owed_blocks(c, 0, receives ? p : 0);
    case IntergroupCollective::exchange:
      return receives ? owed_blocks(c, 0, p) : owed_blocks(c, p, c.groups.ranks());
    case IntergroupCollective::gather:
      return owed_blocks(c, 0, root ? p : 0);
    case IntergroupCollective::scatter:
      if (!receives) return {};
      return {Content{Rank(0), BlockId(static_cast<std::uint32_t>(rank.value - p))}};
    case IntergroupCollective::reduce:
      return root ? std::vector{Owed(BlockId(0), 0, p)} : std::vector<Owed>();
  }
  throw ContractViolation("what each collective of two groups owes");
}

int ranks_of(Classical const& c) { return c.ranks; }

/// The blocks 0 .. count-1 of a rank.
std::vector<Content> blocks_of(Rank origin, std::uint32_t count) {
  std::vector<Content> blocks;
  for (std::uint32_t i = 0; i < count; ++i) blocks.push_back({origin, BlockId(i)});
  return blocks;
}

/// The block with that number from every rank.
std::vector<Owed> from_all(int ranks, BlockId block) {
  std::vector<Owed> blocks;
  for (int i = 0; i < ranks; ++i) blocks.push_back(Content{Rank(i), block});
  return blocks;
}

/// The blocks 0 .. count-1, each the join of the contributions of all ranks before `end`.
std::vector<Owed> joined_of(std::uint32_t count, int end) {
  std::vector<Owed> blocks;
  for (std::uint32_t k = 0; k < count; ++k) blocks.emplace_back(BlockId(k), 0, end);
  return blocks;
}

/// The numbers of blocks: those of a vector's pieces; of receiving ranks in scatter, alltoall and reduce_scatter; 0
/// otherwise.
std::vector<Content> held_by(Classical const& c, Rank rank) {
  auto const p = static_cast<std::uint32_t>(c.ranks);
  switch (c.collective) {
    case ClassicalCollective::bcast:
      return blocks_of(rank, rank == c.root ? c.pieces : 0);
    case ClassicalCollective::scatter:
      return blocks_of(rank, rank == c.root ? p : 0);
    case ClassicalCollective::gather:
    case ClassicalCollective::allgather:
      return blocks_of(rank, 1);
    case ClassicalCollective::alltoall:
    case ClassicalCollective::reduce_scatter:
      return blocks_of(rank, p);
    case ClassicalCollective::reduce:
    case ClassicalCollective::scan:
    case ClassicalCollective::exscan:
    case ClassicalCollective::allreduce:
    case ClassicalCollective::barrier:
      return blocks_of(rank, c.pieces);
  }
  throw ContractViolation("what each collective starts with");
}

/// A slot for each block that the rank is owed, in the order of the MPI standard.
std::vector<Owed> owed_to(Classical const& c, Rank rank) {
  auto const rank_block = BlockId(static_cast<std::uint32_t>(rank.value));
  switch (c.collective) {
    case ClassicalCollective::bcast: {
      auto const blocks = blocks_of(c.root, rank == c.root ? 0 : c.pieces);
      return {blocks.begin(), blocks.end()};
    }
    case ClassicalCollective::gather:
      return from_all(rank == c.root ? c.ranks : 0, BlockId(0));
    case ClassicalCollective::scatter:
      return {Content{c.root, rank_block}};
    case ClassicalCollective::allgather:
      return from_all(c.ranks, BlockId(0));
    case ClassicalCollective::alltoall:
      return from_all(c.ranks, rank_block);
    case ClassicalCollective::reduce:
      return rank == c.root ? joined_of(c.pieces, c.ranks) : std::vector<Owed>();
    case ClassicalCollective::reduce_scatter:
      return {Owed(rank_block, 0, c.ranks)};
    case ClassicalCollective::scan:
      return joined_of(c.pieces, rank.value + 1);
    case ClassicalCollective::exscan:
      return rank.value > 0 ? joined_of(c.pieces, rank.value) : std::vector<Owed>();
    case ClassicalCollective::allreduce:
    case ClassicalCollective::barrier:
      return joined_of(c.pieces, c.ranks);
  }
  throw ContractViolation("what each collective owes");
}

int ranks_of(StatedPromise const& c) { return static_cast<int>(c.held.size()); }
std::vector<Content> held_by(StatedPromise const& c, Rank rank) { return c.held[static_cast<std::size_t>(rank.value)]; }
std::vector<Owed> owed_to(StatedPromise const& c, Rank rank) { return c.owed[static_cast<std::size_t>(rank.value)]; }

ReductionRules rules_of(StatedPromise const& c) { return c.rules; }
ReductionRules rules_of(Classical const& c) { return c.rules; }
/// What owes whole blocks alone asks nothing of reductions.
ReductionRules rules_of(auto const& /*c*/) { return {}; }

/// The most contributions of one slot.
std::size_t longest_of(StatedPromise const& c) {
  std::size_t longest = 1;
  for (std::vector<Owed> const& each : c.owed) {
    for (Owed const& owed : each) longest = std::max(longest, owed.contributions());
  }
  return longest;
}
std::size_t longest_of(NeighborReduction const& c) {
  std::size_t longest = 1;
  for (int r = 0; r < c.graph.ranks(); ++r) longest = std::max(longest, c.graph.sources(Rank(r)).size());
  return longest;
}
/// At most each rank once.
std::size_t longest_of(auto const& c) { return static_cast<std::size_t>(ranks_of(c)); }

bool translates(Isomorphic auto const& c, Torus const& torus) {
  return c.boundary == Boundary::periodic && c.torus == torus;
}

/// What names its ranks one by one does not.
bool translates(auto const& /*c*/, Torus const& /*torus*/) { return false; }

}  // namespace

int ranks(Collective const& collective) {
  return std::visit([](auto const& c) { return ranks_of(c); }, collective);
}

std::vector<Content> held(Collective const& collective, Rank rank) {
  return std::visit([&](auto const& c) { return held_by(c, rank); }, collective);
}

std::vector<Owed> owed(Collective const& collective, Rank rank) {
  return std::visit([&](auto const& c) { return owed_to(c, rank); }, collective);
}

ReductionRules reduction_rules(Collective const& collective) {
  return std::visit([](auto const& c) { return rules_of(c); }, collective);
}

std::size_t longest_reduction(Collective const& collective) {
  return std::visit([](auto const& c) { return longest_of(c); }, collective);
}

namespace {

/// In how many pieces the blocks of a rank are cut.
std::uint32_t cut_of(std::vector<int> const& pieces, Rank rank) {
  return static_cast<std::uint32_t>(pieces.size() == 1 ? pieces[0] : pieces[static_cast<std::size_t>(rank.value)]);
}

/// The number of pieces of a slot. Throws InputError if the joined blocks have different numbers.
std::uint32_t cut_of(std::vector<int> const& pieces, Owed const& owed) {
  std::uint32_t const first = cut_of(pieces, owed.contribution(0).origin);
  for (std::size_t i = 1; pieces.size() > 1 && i < owed.contributions(); ++i) {
    if (cut_of(pieces, owed.contribution(i).origin) == first) continue;
    throw InputError("expected blocks that are joined to be cut in as many pieces each, got different numbers");
  }
  return first;
}

/// Pieces of a block have consecutive numbers. Throws InputError if numbers do not fit 32 bits.
BlockId piece_of(BlockId block, std::uint32_t cut, std::uint32_t piece) {
  std::uint64_t const number = std::uint64_t{block.value} * cut + piece;
  if (number > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(
        fmt::format("expected pieces whose numbers stay below 2^32, got {} pieces of block {}", cut, block.value));
  }
  return BlockId(static_cast<std::uint32_t>(number));
}

/// The promise written slot by slot, each block replaced by its pieces.
StatedPromise stated_in_pieces(Collective const& collective, std::vector<int> const& pieces) {
  StatedPromise result;
  result.rules = reduction_rules(collective);
  for (int r = 0; r < ranks(collective); ++r) {
    std::vector<Content>& held_now = result.held.emplace_back();
    for (Content const& whole : held(collective, Rank(r))) {
      std::uint32_t const cut = cut_of(pieces, whole.origin);
      for (std::uint32_t k = 0; k < cut; ++k) held_now.push_back({whole.origin, piece_of(whole.block, cut, k)});
    }
    std::vector<Owed>& owed_now = result.owed.emplace_back();
    for (Owed const& whole : owed(collective, Rank(r))) {
      std::uint32_t const cut = whole.nobodys() ? 1 : cut_of(pieces, whole);
      for (std::uint32_t k = 0; k < cut; ++k) {
        owed_now.push_back(whole);
        owed_now.back().block = piece_of(whole.block, cut, k);
      }
    }
  }
  return result;
}

/// Whether the promise of this collective on all ranks states by itself into how many pieces its vectors are cut.
bool says_pieces(ClassicalCollective collective) {
  return works_on_vector(collective) || collective == ClassicalCollective::scan ||
         collective == ClassicalCollective::exscan;
}

}  // namespace

/// A collective that states numbers of pieces by itself only gets another number.
Collective in_pieces(Collective const& collective, std::vector<int> const& pieces) {
  if (pieces.empty() || pieces == std::vector{1}) return collective;
  if (auto const* classical = std::get_if<Classical>(&collective); classical && says_pieces(classical->collective)) {
    if (pieces.size() == 1) {
      Classical cut = *classical;
      cut.pieces = static_cast<std::uint32_t>(pieces[0]);
      return cut;
    }
  }
  auto const* groups = std::get_if<IntergroupPromise>(&collective);
  if (groups != nullptr && groups->collective == IntergroupCollective::allgather) {
    IntergroupPromise cut = *groups;
    cut.pieces = pieces;
    cut.pieces.resize(static_cast<std::size_t>(cut.groups.senders()), pieces.back());
    return cut;
  }
  return stated_in_pieces(collective, pieces);
}

bool same_from_every_rank(Collective const& collective, Torus const& torus) {
  return std::visit([&](auto const& c) { return translates(c, torus); }, collective);
}

}  // namespace rondo
