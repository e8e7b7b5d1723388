#pragma once

// A descriptor is what one MPI_Isend or MPI_Irecv is given: address, count and datatype. The descriptors of a program
// are made before the operation starts, so that its rounds only post and wait.

#include <mpi.h>

#include <span>
#include <vector>

#include "mpi/runtime/buffers.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

struct MessageDescriptor {
  void* address = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  /// To be sent by MPI_Issend. SMPI holds sizes against its threshold for eager sends as 32-bit integers: from 2^31
  /// bytes on they may look negative, and what is sent eagerly is copied.
  bool synchronous = false;
  bool own_type = false;  ///< the datatype was made for this descriptor
};

/// Some blocks at an absolute address (MPI_BOTTOM is 0), as MPI counts them.
struct Piece {
  MPI_Aint address = 0;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};

/// The absolute address of what a caller names by a pointer, which may be MPI_BOTTOM.
MPI_Aint absolute(void const* pointer);

/// A single piece as it is.
MessageDescriptor descriptor_of(Piece const& piece);
/// All pieces in one descriptor with a datatype of its own, over MPI_BOTTOM; nothing is packed. An empty descriptor for
/// none.
MessageDescriptor descriptor_of(std::span<Piece const> pieces);
/// Frees the datatype that descriptor_of made.
void release(MessageDescriptor& descriptor);

/// The descriptors of a program's sends and receives, in their order over all rounds.
class MessageDescriptors {
 public:
  MessageDescriptor const& send(Program const& program, Transfer const& transfer) const {
    return sends_[static_cast<std::size_t>(&transfer - program.sends(0).data())];
  }
  MessageDescriptor const& receive(Program const& program, Transfer const& transfer) const {
    return receives_[static_cast<std::size_t>(&transfer - program.receives(0).data())];
  }

 protected:
  MessageDescriptors() = default;
  ~MessageDescriptors() = default;
  std::vector<MessageDescriptor> sends_, receives_;
};

/// MessageDescriptors that move the blocks themselves: a derived datatype a message, over absolute addresses in the
/// three buffers, relative to MPI_BOTTOM, so that nothing is packed. Belongs to one rank; made between MPI_Init and
/// MPI_Finalize.
class TypedDescriptors : public MessageDescriptors {
 public:
  TypedDescriptors(Program const& program, Buffers const& buffers);
  ~TypedDescriptors();
  TypedDescriptors(TypedDescriptors const&) = delete;
  TypedDescriptors& operator=(TypedDescriptors const&) = delete;
};

/// MessageDescriptors of the same sizes that name no payload: basic datatypes over one address that nobody reads. For
/// simulations that copy nothing; all ranks of a program share them. Throws InputError for a size that MPI cannot
/// count.
class PlainDescriptors : public MessageDescriptors {
 public:
  explicit PlainDescriptors(Program const& program);
};

}  // namespace rondo::mpi
