#pragma once

// Where the slots of a classical collective's schedule lie: in the buffers of the call, and in memory of our own.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/classical/collective_call.hpp"
#include "mpi_library/classical/slot_sizes.hpp"
#include "schedule/place.hpp"

namespace rondo::mpi {

/// What the layouts of a collective's schedule count. The vector of a bcast is counted in bytes, because ranks may
/// describe it by different datatypes, and so are blocks. What is reduced is counted in elements, which are never cut.
enum class Unit : std::uint8_t { bytes, elements };
Unit unit_of(ClassicalCollective collective);

/// The buffers of one call at one rank, and the memory that its operation needs besides.
class CallMemory {
 public:
  /// The arguments are such as by_choice carries out. Copies what is sent in place. Throws MpiFailure.
  CallMemory(CollectiveCall const& call, int rank, int ranks);

  /// The slots of the rank, of these sizes. Where a slot has another size than what is in it, or blocks with gaps are
  /// cut, it lies in memory of our own, to which what is sent is copied now. To be called once.
  SlotTable table(SlotSizes const& sizes);
  /// Behind the operation: puts what has arrived in memory of our own to where it belongs.
  void finish() const;

 private:
  /// Elements of one datatype one behind the other, which a layout cuts; bytes where `type` is MPI_BYTE.
  struct Vector {
    MPI_Aint address = 0;
    MPI_Datatype type = MPI_BYTE;
  };

  void describe_bcast();
  void describe_reduction();
  void describe_blocks();
  Slot own(int count, MPI_Datatype type);
  MPI_Aint own(std::size_t bytes);
  Slot kept(Slot const& slot);
  std::vector<Slot> received_blocks() const;
  std::vector<Slot> sent_blocks() const;
  Slot part(Vector const& vector, MPI_Aint offset, Bytes size) const;
  std::vector<Slot> cut(Vector const& vector, SlotSizes const& sizes, Buffer buffer);
  Slot staged(Vector const& vector, Slot const& filled, Bytes room, Buffer buffer);
  std::vector<Slot> blocks(std::vector<Slot> const& whole, SlotSizes const& sizes, Buffer buffer);
  void add_pieces(Slot const& block, std::uint32_t pieces, SlotSizes const& sizes, Buffer buffer,
                  std::vector<Slot>& result);
  Slot packed(Bytes size);
  std::vector<Slot> intermediate(Layout const& layout);

  CollectiveCall call_;
  int rank_;
  int ranks_;
  std::list<std::vector<std::byte>> memory_;
  std::optional<Vector> sent_, received_;          ///< of collectives of vectors
  std::vector<Slot> send_, receive_;               ///< of collectives of blocks
  std::optional<Slot> packed_;                     ///< the vector of a bcast whose datatype has gaps
  std::vector<std::pair<Slot, Slot>> moved_back_;  ///< from our own memory, in this order, behind the operation
};

}  // namespace rondo::mpi
