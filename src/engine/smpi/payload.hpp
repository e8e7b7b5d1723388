#pragma once

// Payload that tells where it comes from: each byte of a block is a function of its origin, its id and the byte's
// index, so that a block in a wrong place, or a part of it, is seen.
//
// What reduces it works byte by byte. Where order counts, a byte is an affine map x -> a x + b modulo 16 with an odd a
// (3 bits) and a b (4 bits), and a bit that is added modulo 2; maps are composed, which does not commute and forgets
// nothing. Where it does not count, bytes are added modulo 256; for a barrier the larger one is kept.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "mpi/runtime/buffers.hpp"
#include "mpi/runtime/local_copy.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// Whether payload is moved and verified. Payload::automatic: the buffers of all ranks and the bytes of all messages
/// are within the bounds.
bool verifies(Payload payload, Schedule const& schedule);

/// The memory of all ranks of a schedule, zero at first.
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
  std::vector<mpi::SlotOffsets> offsets_;  ///< one a program
  std::vector<std::size_t> starts_;        ///< of each rank; at last, the size
  std::byte* memory_ = nullptr;
};

/// Writes the blocks a rank holds at the start into its send buffer; the slots it is owed get what they must not hold.
void fill(mpi::Buffers const& buffers, Collective const& collective, Rank rank);

/// The operator by which payload is reduced under these rules.
mpi::Combine combine_of(ReductionRules rules);

/// What ranks are owed, as bytes. Reductions are kept for the next rank, which is often owed the same, or one
/// contribution more.
class OwedData {
 public:
  explicit OwedData(Collective const& collective) : collective_(collective), rules_(reduction_rules(collective)) {}
  /// One line that names rank and block if an owed slot of the rank does not hold what it is owed, byte for byte.
  std::optional<std::string> wrong(mpi::Buffers const& buffers, Rank rank);

 private:
  struct Reduced {
    std::int32_t last = 0;
    std::vector<std::byte> bytes;
  };
  std::vector<std::byte> const& expected(Owed const& owed, std::size_t bytes);
  void append(std::vector<std::byte>& bytes, Content const& contribution) const;

  Collective const& collective_;
  ReductionRules rules_;
  std::map<std::pair<BlockId, std::int32_t>, Reduced> ranges_;  ///< by block and first rank
  std::vector<std::byte> listed_;
};

}  // namespace rondo
