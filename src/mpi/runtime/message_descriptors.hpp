#pragma once

// A descriptor is what one MPI_Isend or MPI_Irecv is given: address, datatype, count and partner.

#include <mpi.h>

#include <cstdint>
#include <span>

namespace rondo::mpi {

/// Small, for the mode without payload keeps one for each message of each program.
struct MessageDescriptor {
  void* address = nullptr;
  MPI_Datatype type = MPI_BYTE;
  int count = 0;
  std::int32_t partner = 0;

  MPI_Count bytes() const;
};

/// Some blocks at an absolute address (MPI_BOTTOM is 0), as MPI counts them.
struct Piece {
  MPI_Aint address = 0;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};

/// The absolute address of what a caller names by a pointer, which may be MPI_BOTTOM.
MPI_Aint absolute(void const* pointer);

/// A piece as it is.
MessageDescriptor descriptor_of(Piece const& piece, int partner);

/// A datatype that was made here, freed with this object.
class OwnType {
 public:
  /// All pieces in one element, over MPI_BOTTOM; nothing is packed.
  explicit OwnType(std::span<Piece const> pieces);
  ~OwnType();
  OwnType(OwnType&& other) noexcept;
  OwnType& operator=(OwnType&&) = delete;
  MPI_Datatype handle() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace rondo::mpi
