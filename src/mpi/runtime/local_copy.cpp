#include "mpi/runtime/local_copy.hpp"

#include <cstring>
#include <span>
#include <utility>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

/// The integer is an address that a caller gave, as a pointer or relative to MPI_BOTTOM.
void* pointer(MPI_Aint address) { return reinterpret_cast<void*>(address); }  // NOLINT(performance-no-int-to-ptr)

}  // namespace

LocalCopy::LocalCopy(Slot const& from, Slot const& into)
    : from_{pointer(from.piece.address), MPI_DATATYPE_NULL},
      into_{pointer(into.piece.address), MPI_DATATYPE_NULL},
      bytes_(static_cast<std::size_t>(from.bytes.value)) {
  if (bytes_ == 0 || (from.piece.type == into.piece.type && dense(from.piece.type))) return;
  from_ = element(from.piece);
  into_ = element(into.piece);
  int size = 0;
  check(MPI_Pack_size(1, from_.type, MPI_COMM_SELF, &size));
  between_.resize(static_cast<std::size_t>(size));
}

LocalCopy::~LocalCopy() {
  if (from_.type != MPI_DATATYPE_NULL) MPI_Type_free(&from_.type);
  if (into_.type != MPI_DATATYPE_NULL) MPI_Type_free(&into_.type);
}

LocalCopy::LocalCopy(LocalCopy&& other) noexcept
    : from_(std::exchange(other.from_, {})),
      into_(std::exchange(other.into_, {})),
      between_(std::move(other.between_)),
      bytes_(other.bytes_) {}

/// MPICH's MPI_Pack refuses MPI_BOTTOM, which a caller may have given as a buffer: the first byte of the data will do.
LocalCopy::Element LocalCopy::element(Piece const& piece) {
  MPI_Aint first = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_true_extent(piece.type, &first, &extent));
  Piece const shifted{-first, piece.count, piece.type};
  return {pointer(piece.address + first), descriptor_of(std::span(&shifted, 1)).type};
}

void LocalCopy::run() {
  if (bytes_ == 0) return;
  if (between_.empty()) {
    std::memcpy(into_.first, from_.first, bytes_);
    return;
  }
  int const size = static_cast<int>(between_.size());
  int end = 0;
  check(MPI_Pack(from_.first, 1, from_.type, between_.data(), size, &end, MPI_COMM_SELF));
  int position = 0;
  check(MPI_Unpack(between_.data(), end, &position, into_.first, 1, into_.type, MPI_COMM_SELF));
}

}  // namespace rondo::mpi
