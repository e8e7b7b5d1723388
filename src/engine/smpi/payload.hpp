#pragma once

// The buffers of simulated ranks, with payload or without.
//
// Payload identifies its origin: each byte of a block is a function of the origin, the id of the block, and the index
// of the byte. So a block, or a part of it, in a wrong place is detected.
//
// Reductions work byte by byte. If their order matters, a byte is an affine map x -> a x + b modulo 16, with an odd a
// (3 bits) and a b (4 bits), and a further bit that is added modulo 2. Maps are composed, which does not commute and
// loses no information. If the order does not matter, bytes are added modulo 256. For a barrier the larger byte is
// kept.
//
// AliasMemory serves simulations without payload: MPI calls need valid buffers, but nobody reads their content.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "engine/engine.hpp"
#include "mpi/runtime/slots.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// Whether payload is moved and verified. Under Payload::automatic this is so if the buffers of all ranks and the bytes
/// of all messages are within the bounds of engine.hpp.
bool verifies(Payload payload, Schedule const& schedule);

/// The memory of all ranks of a schedule, which is zero at first.
class RankMemory {
 public:
  /// Throws std::bad_alloc.
  explicit RankMemory(Schedule const& schedule);
  ~RankMemory();
  RankMemory(RankMemory const&) = delete;
  RankMemory& operator=(RankMemory const&) = delete;
  mpi::Buffers buffers(Rank rank);

 private:
  Schedule const& schedule_;
  std::vector<mpi::SlotOffsets> offsets_;  ///< one for each program
  std::vector<std::size_t> starts_;        ///< by rank: where its memory begins; the last entry is the total size
  std::byte* memory_ = nullptr;
};

/// Writes the blocks that a rank holds at the start into its send buffer. Slots that are owed to it get wrong bytes, so
/// that an owed block that never arrives is noticed.
void fill(mpi::Buffers const& buffers, Collective const& collective, Rank rank);

/// The operator with which payload is reduced under these rules.
mpi::Combine combine_of(ReductionRules rules);

/// The bytes that ranks are owed. Reductions are kept for the next rank, which is often owed the same one, or one with
/// one more contribution.
class OwedData {
 public:
  explicit OwedData(Collective const& collective) : collective_(collective), rules_(reduction_rules(collective)) {}
  /// A line that names rank and block if an owed slot of the rank differs from the owed bytes; unset if all agree.
  std::optional<std::string> first_difference(mpi::Buffers const& buffers, Rank rank);

 private:
  /// The reduction of one block over the ranks from a first one up to, but without, `last`.
  struct Reduced {
    std::int32_t last = 0;
    std::vector<std::byte> bytes;
  };
  std::vector<std::byte> const& expected(Owed const& owed, std::size_t bytes);
  void append(std::vector<std::byte>& bytes, Content const& contribution) const;

  Collective const& collective_;
  ReductionRules rules_;
  std::map<std::pair<BlockId, std::int32_t>, Reduced> ranges_;  ///< by block and first rank
  std::vector<std::byte> listed_;                               ///< the last reduction over a list of ranks
};

/// Addresses for any number of bytes that all map to the same few pages: a buffer that is written but never read.
class AliasMemory {
 public:
  /// Throws std::bad_alloc if no addresses are left.
  explicit AliasMemory(Bytes bytes);
  ~AliasMemory();
  AliasMemory(AliasMemory const&) = delete;
  AliasMemory& operator=(AliasMemory const&) = delete;

  std::byte* first() const { return first_; }

 private:
  std::byte* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace rondo
