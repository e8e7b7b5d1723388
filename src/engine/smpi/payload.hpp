#pragma once

// Payload that tells where it comes from: each byte of a block is a function of its origin, its id and the byte's
// index, so that a block in a wrong place, or a part of it, is seen.

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "mpi/runtime/buffers.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// Whether payload is moved and verified. Payload::automatic: the buffers of all ranks and the bytes of all messages
/// are within the bounds.
bool verifies(Payload payload, Schedule const& schedule);

/// The memory of all ranks of a schedule.
class RankMemory {
 public:
  explicit RankMemory(Schedule const& schedule);
  mpi::Buffers buffers(Rank rank);

 private:
  Schedule const& schedule_;
  std::vector<mpi::SlotOffsets> offsets_;  ///< one a program
  std::vector<std::vector<std::byte>> memory_;
};

/// Writes the blocks a rank holds at the start into its send buffer; the slots it is owed get what they must not hold.
void fill(mpi::Buffers const& buffers, Collective const& collective, Rank rank);

/// One line that names rank and block if an owed slot of the rank does not hold its block, byte for byte.
std::optional<std::string> wrong_data(mpi::Buffers const& buffers, Collective const& collective, Rank rank);

}  // namespace rondo
