// Makes descriptors. Several pieces become one datatype with absolute addresses, so that MPI gathers and scatters them
// itself.

#include "mpi/runtime/message_descriptors.hpp"

#include <utility>
#include <vector>

namespace rondo::mpi {

MPI_Count MessageDescriptor::bytes() const {
  MPI_Count size = 0;
  MPI_Type_size_x(type, &size);
  return size * count;
}

/// The address as MPI counts it.
MPI_Aint absolute(void const* pointer) {
  // Not every MPI has a null pointer for MPI_BOTTOM, and MPI_Get_address would treat it as an ordinary pointer.
  if (pointer == MPI_BOTTOM) return 0;
  MPI_Aint address = 0;
  MPI_Get_address(const_cast<void*>(pointer), &address);
  return address;
}

/// A single piece needs no datatype of its own.
MessageDescriptor descriptor_of(Piece const& piece, int partner) {
  // The integer is an address that a caller has given, as a pointer or relative to MPI_BOTTOM.
  void* const address =
      piece.address == 0 ? MPI_BOTTOM : reinterpret_cast<void*>(piece.address);  // NOLINT(performance-no-int-to-ptr)
  return {address, piece.type, piece.count, partner};
}

/// A struct type of the pieces.
OwnType::OwnType(std::span<Piece const> pieces) {
  std::vector<int> counts;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
  for (Piece const& piece : pieces) {
    counts.push_back(piece.count);
    addresses.push_back(piece.address);
    types.push_back(piece.type);
  }
  PMPI_Type_create_struct(static_cast<int>(counts.size()), counts.data(), addresses.data(), types.data(), &type_);
  PMPI_Type_commit(&type_);
}

OwnType::~OwnType() {
  if (type_ != MPI_DATATYPE_NULL) PMPI_Type_free(&type_);
}

OwnType::OwnType(OwnType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}

}  // namespace rondo::mpi
