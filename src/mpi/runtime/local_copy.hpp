#pragma once

// The local copies of an operation: blocks that a rank sends to itself, or needs in several slots.

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "mpi/runtime/message_descriptors.hpp"
#include "mpi/runtime/slots.hpp"

namespace rondo::mpi {

/// A copy from slot to slot of the same rank, whose datatypes may differ.
class LocalCopy {
 public:
  /// The slots have as many bytes; they outlive this. Throws MpiFailure for different datatypes past MPI's counts.
  LocalCopy(Slot const& from, Slot const& into);

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
  static Element element(Piece const& piece);

  void* from_;
  void* into_;
  std::size_t bytes_;
  std::unique_ptr<Packing> packing_;  ///< null for bytes that lie without gaps on both sides
};

}  // namespace rondo::mpi
