#pragma once

// A descriptor holds the arguments of one MPI_Isend or MPI_Irecv: address, datatype, count and partner.

#include <mpi.h>

#include <cstdint>
#include <span>

namespace rondo::mpi {

/// It is kept small, because the mode without payload keeps one for each message of each program.
struct MessageDescriptor {
  void* address = nullptr;
  MPI_Datatype type = MPI_BYTE;
  int count = 0;
  std::int32_t partner = 0;

  MPI_Count bytes() const;
};

/// Some blocks at an absolute address (MPI_BOTTOM is 0), in the form in which MPI counts them.
struct Piece {
  MPI_Aint address = 0;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};

/// The absolute address for a pointer that a caller gives; the pointer may be MPI_BOTTOM.
MPI_Aint absolute(void const* pointer);

/// The descriptor of a piece, without a datatype of its own.
MessageDescriptor descriptor_of(Piece const& piece, int partner);

/// A datatype that was made here and is freed with this object.
class OwnType {
 public:
  /// A datatype of which one element has all the pieces, relative to MPI_BOTTOM. Nothing is packed.
  explicit OwnType(std::span<Piece const> pieces);
  ~OwnType();
  OwnType(OwnType&& other) noexcept;
  OwnType& operator=(OwnType&&) = delete;
  MPI_Datatype handle() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace rondo::mpi
