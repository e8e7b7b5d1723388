// Copies memory directly if both sides have the same datatype without gaps, and by packing and unpacking otherwise.

#include "mpi/runtime/local_copy.hpp"

#include <cstring>
#include <span>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

/// Makes a pointer of an address that a caller has given, as a pointer or relative to MPI_BOTTOM.
void* pointer(MPI_Aint address) { return reinterpret_cast<void*>(address); }  // NOLINT(performance-no-int-to-ptr)

}  // namespace

LocalCopy::LocalCopy(Slot const& from, Slot const& into)
    : from_(pointer(from.piece.address)),
      into_(pointer(into.piece.address)),
      bytes_(static_cast<std::size_t>(from.bytes.value)) {
  if (bytes_ == 0 || (from.piece.type == into.piece.type && dense(from.piece.type))) return;
  packing_ = std::make_unique<Packing>(Packing{element(from.piece), element(into.piece), {}});
  int size = 0;
  check(MPI_Pack_size(1, packing_->from.type.handle(), MPI_COMM_SELF, &size));
  packing_->between.resize(static_cast<std::size_t>(size));
}

LocalCopy::LocalCopy(Slot const& arriving, Slot const& present, Join join, Combine const& combine)
    : bytes_(static_cast<std::size_t>(present.bytes.value)),
      joining_(std::make_unique<Joining>(Joining{arriving, present, join, &combine})) {}

/// Makes one element of a block. MPICH's MPI_Pack refuses MPI_BOTTOM, which a caller may have given as its buffer. So
/// the element begins at the first byte of the data.
LocalCopy::Element LocalCopy::element(Piece const& piece) {
  MPI_Aint first = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_true_extent(piece.type, &first, &extent));
  Piece const shifted{-first, piece.count, piece.type};
  return {pointer(piece.address + first), OwnType(std::span(&shifted, 1))};
}

void LocalCopy::run() const {
  if (bytes_ == 0) return;
  if (joining_ != nullptr) return (*joining_->combine)(joining_->arriving, joining_->present, joining_->join);
  if (packing_ == nullptr) {
    std::memcpy(into_, from_, bytes_);
    return;
  }
  auto& [from, into, between] = *packing_;
  int const size = static_cast<int>(between.size());
  int end = 0;
  check(MPI_Pack(from.first, 1, from.type.handle(), between.data(), size, &end, MPI_COMM_SELF));
  int position = 0;
  check(MPI_Unpack(between.data(), end, &position, into.first, 1, into.type.handle(), MPI_COMM_SELF));
}

}  // namespace rondo::mpi
