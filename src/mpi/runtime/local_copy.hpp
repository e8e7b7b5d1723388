#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpi/runtime/message_descriptors.hpp"
#include "mpi/runtime/slots.hpp"

namespace rondo::mpi {

/// A copy from slot to slot of the same rank, whose datatypes may differ.
class LocalCopy {
 public:
  /// The slots have as many bytes; they outlive this. Throws MpiFailure for different datatypes past MPI's counts.
  LocalCopy(Slot const& from, Slot const& into);
  ~LocalCopy();
  LocalCopy(LocalCopy&& other) noexcept;
  LocalCopy& operator=(LocalCopy&&) = delete;

  void run();

 private:
  /// A block as a single element of a datatype that begins at its first byte.
  struct Element {
    void* first = nullptr;
    MPI_Datatype type = MPI_DATATYPE_NULL;  ///< of its own where the block is packed, else none
  };
  static Element element(Piece const& piece);

  Element from_, into_;
  std::vector<std::byte> between_;  ///< the packed block
  std::size_t bytes_;
};

}  // namespace rondo::mpi
