#pragma once

// What an operation does in a rank's own memory: copies of blocks that a rank sends to itself or needs in several
// slots, and joins of what has arrived with what lies in a slot.

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "mpi/runtime/message_descriptors.hpp"
#include "mpi/runtime/slots.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// The operator of a reduction: writes arriving (op) present, or with Join::after present (op) arriving, to `present`.
/// Both slots have as many elements of one datatype; what has arrived is not needed any more.
using Combine = std::function<void(Slot const& arriving, Slot const& present, Join join)>;

/// A copy from slot to slot of the same rank, whose datatypes may differ, or a join.
class LocalCopy {
 public:
  /// The slots have as many bytes; they outlive this. Throws MpiFailure for different datatypes past MPI's counts.
  LocalCopy(Slot const& from, Slot const& into);
  /// Joins what lies in `arriving` into `present`. The slots' memory and the operator outlive this.
  LocalCopy(Slot const& arriving, Slot const& present, Join join, Combine const& combine);

  void run() const;

 private:
  /// A block as a single element of a datatype that begins at its first byte.
  struct Element {
    void* first;
    OwnType type;
  };
  /// What a block takes on its way that cannot be copied byte by byte.
  struct Packing {
    Element from, into;
    std::vector<std::byte> between;  ///< the packed block
  };
  struct Joining {
    Slot arriving, present;
    Join join;
    Combine const* combine;
  };
  static Element element(Piece const& piece);

  void* from_ = nullptr;
  void* into_ = nullptr;
  std::size_t bytes_ = 0;
  std::unique_ptr<Packing> packing_;  ///< null for bytes that lie without gaps on both sides
  std::unique_ptr<Joining> joining_;  ///< null for a copy
};

}  // namespace rondo::mpi
