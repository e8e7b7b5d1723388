#pragma once

// Does the work of an operation in a rank's own memory. It copies blocks that a rank sends to itself or needs in
// several slots, and joins arrived contents with the contents of slots.

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "mpi/runtime/message_descriptors.hpp"
#include "mpi/runtime/slots.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// The operator of a reduction. It writes arriving (op) present, or with Join::after present (op) arriving, to
/// `present`. Both slots have the same number of elements of one datatype. The arrived content is not needed
/// afterwards.
using Combine = std::function<void(Slot const& arriving, Slot const& present, Join join)>;

/// A copy from slot to slot of the same rank, whose datatypes may differ, or a join of two slots.
class LocalCopy {
 public:
  /// Copies `from` to `into`, which must have the same number of bytes. Their memory must outlive this object. Throws
  /// MpiFailure if the block has to be packed and MPI refuses that, such as for a size past MPI's counts.
  LocalCopy(Slot const& from, Slot const& into);
  /// Joins the content of `arriving` into `present`. The memory of the slots and the operator must outlive this object.
  LocalCopy(Slot const& arriving, Slot const& present, Join join, Combine const& combine);

  /// Copies or joins; may be called again. Does nothing for a block without bytes. Throws MpiFailure.
  void run() const;

 private:
  /// A block as a single element of a datatype, with the address of its first byte.
  struct Element {
    void* first;
    OwnType type;
  };
  /// A block that cannot be copied byte by byte, so it is packed and unpacked.
  struct Packing {
    Element from, into;
    std::vector<std::byte> between;  ///< the packed block
  };
  /// The operands of a join, and the operator.
  struct Joining {
    Slot arriving, present;
    Join join;
    Combine const* combine;
  };
  static Element element(Piece const& piece);

  void* from_ = nullptr;
  void* into_ = nullptr;
  std::size_t bytes_ = 0;
  std::unique_ptr<Packing> packing_;  ///< null if both sides have the same datatype without gaps
  std::unique_ptr<Joining> joining_;  ///< null for a copy
};

}  // namespace rondo::mpi
